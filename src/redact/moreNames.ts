/** Names that only some values make secrets of, or whose first word says whose they are. */

/** What is mixed into what is hashed or signed. */
const seasoning =
  /pepper$|(?:hashids?|session|cookie|signing|encryption|encrypt|secret|auth|app|jwt|token|nonce|security|loggedin)salt$/
/** The same in an environment, where a digest has another name. */
const seasoningVariable = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:HMAC|SALT)$/
/** `neo4j/…`, `me:…` under one of these is a user with a password. */
const pairNames =
  /(?:basic|http|neo4j|proxy|flower|registry|elastic|couchdb|grafana|ftp|smtp|mqtt|web|admin)auth$|(?:basic|http|admin|root|db|database|default|login|user|registry|proxy|web|ftp|smtp|api|service|mongo|redis|rabbitmq|elastic|nexus|artifactory|jenkins|svn|git)(?:credentials?|creds|login|userpass|userpwd)$/
const userAndPassword = /^[\w.@+-]{1,40}[:/](?![$<{*%])(?=[^\s]{0,60}\d)(?=[^\s]{0,60}[A-Za-z])[^\s/:]{8,}$/

export const isSeasoning = (name: string, plain: string): boolean =>
  seasoning.test(plain) || seasoningVariable.test(name)

export const isPairName = (plain: string): boolean => pairNames.test(plain)

/** Whether a value is a user and a password, under a name that announces both, and no path. */
export const isUserAndPassword = (name: string, value: string): boolean => {
  if (!userAndPassword.test(value)) return false
  const plain = name.toLowerCase().replace(/[-_.\s]/g, "")
  return pairNames.test(plain) && (value.includes(":") || plain.includes("neo4j"))
}

/** Of several, one after the other or of another sort: `second_pass`, `boardingPass`. */
const notPass =
  /(?:^|[-_.])(?:first|second|third|last|final|next|prev|single|multi|two|one|render|shadow|depth|color|lighting|main|sub|pre|post|by|com|over|under|tres|boarding|day|season|bus|guest|hall|visitor|rail|ski|max|min|num|test|tests|all|did|does|should|can|will|must|is|has|no)[-_.]?pass$/i
/** Whose password it is: people choose several words for one. */
const qualifiedPass =
  /(?:db|database|smtp|imap|pop3?|mail|mailer|email|s?ftp|ssh|ldap|root|admin|user|login|auth|proxy|vpn|wifi|wlan|redis|mysql|mariadb|pg|postgres|postgresql|mongo|mongodb|rabbit|rabbitmq|mq|amqp|mqtt|broker|backup|key|store|keystore|truststore|cert|pfx|sudo|account|service|svc|app|api|https?|basic|bind|relay|sql|rpc|master|server|client|host|remote|registry|docker|git|jenkins|nexus|elastic|grafana|minio|nas|smb|cifs|samba|web|wp|wordpress|panel|router|irc|sasl|zip|archive|pdf)pass$/

export const isOtherPass = (name: string): boolean => notPass.test(name.replace(/([a-z])([A-Z])/g, "$1_$2"))
export const isQualifiedPass = (plain: string): boolean => qualifiedPass.test(plain)

/** Stands for the name of a `key` whose section says that it is one: there, what is written like a digest is none. */
export const keyOfSection = "made_key"
/** The same of a service whose keys are all of one length. */
export const keyOfAccount = "account_made_key"

const hexKey = /^(?=.*\d)(?=.*[a-f])(?:[\da-f]{32}|[\da-f]{48}|[\da-f]{64}|[\da-f]{96}|[\da-f]{128})$/i
const chosenKey = /^(?=.*\d)(?=.*[A-Z])(?=.*[a-z])\w{2,40}(?:[-+=~][\w+=~-]{2,60}){2,10}$/
const accountKey = /^[\w+/]{86}==$/

/** Whether the value of a key that its section announces was made or chosen for one. */
export const isKeyOfSection = (name: string, value: string): boolean =>
  name === keyOfAccount ? accountKey.test(value) : hexKey.test(value) || chosenKey.test(value)

export const aboutPassphrases =
  /\b(?:pass(?:word|phrase|code)s?|must|least|char(?:acter)?s?|required?|invalid|enter|confirm|your?|please|minimum|maximum|length|forgot(?:ten)?|incorrect|wrong|match(?:es)?|reset|optional|default)\b|[.:?!…]$/i

/** Whether several words under a name for a passphrase are one: a sentence, too, but none about passphrases. */
export const isPassphrase = (name: string, value: string): boolean =>
  /passphrase$/i.test(name) && /\d/.test(value) && value.length < 100 && !aboutPassphrases.test(value)
