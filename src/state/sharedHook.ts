/** Where a repository keeps what its committed agent settings start: the same for everyone who clones it. */
export const sharedHook = ".hooktape/agent-hook"
