/** What names this machine as a host, and not another whose name begins so: `localhost`, but not `localhost.example.com`. */
export const ownHost = String.raw`(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[?::1\]?)(?![\w.-])`

/** Names of what others work with as well: production, staging. */
export const saysShared = /(?:^|[-_./])(?:prod\w*|prd|live|stag\w*)(?:[-_./]|$)/i
