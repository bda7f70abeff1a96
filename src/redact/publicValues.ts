/** Values that stand beside a secret's name and are none: where it lies, what only its owner can open, what everybody may see, how long it is. */

/** Where a secret lies: a reference of a platform, a vault or a tool that fills it in. */
const reference =
  /^(?:@Microsoft\.(?:KeyVault|AppConfiguration)\(|projects\/[\w.:-]{1,64}\/(?:locations\/[\w-]{1,40}\/)?(?:secrets|keyRings)\/|sm:\/\/|gcp:?secretmanager:|arn:aws[\w-]{0,10}:\w|ref\+[a-z]|(?:op|bw|keychain|doppler|infisical|akeyless|azurekeyvault|awssm|awsssm|aws-?sm|conjur):\/\/|(?:aws-?ssm|ssm|aws-?secretsmanager|secretsmanager|keyvault|hashivault):[\w/{]|https:\/\/[\w-]{1,60}\.vault\.(?:azure|usgovcloudapi)\.(?:net|cn)\/)/

/** What nobody opens without a key that is not there: sealed for a cluster, for a cloud's key service, by sops, by Ansible, by Jasypt. */
const sealed =
  /^(?:Ag[A-D][\w+/]{140,}={0,2}$|AQICA[HI][\w+/-]{60}|CiQA[\w+/-]{60}|ENC[[(]|\$ANSIBLE_VAULT|vault:v\d:[\w+/])/

/** What is meant to be seen: keys that pages carry, public halves. */
const forEverybody = /^(?:pk_(?:live|test)_|pk\.eyJ|sb_publishable_|ssh-(?:rsa|ed25519|dss)|ecdsa-sha2)/
/** What a list of a build's parts has of each: the digest by which it is known again. */
const digest = /^h1:[\w+/]{43}=$/
/** A colour of a style sheet, with or without how far it lets another through. */
const colour = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i
/** What somebody is asked to put there: `please-generate-with-openssl-rand`. */
const request =
  /^(?:please|(?:generate|replace|insert|put|paste|fill)(?=[\w-]{1,80}[-_](?:here|this|it|me|in|rand(?:om)?|value|secret|key|token|password)$))(?:[-_][a-z]{1,16}){2,9}$/i

/** What `kubectl describe` says in place of a value. */
const size = /^\d{1,7} bytes?$/

/** How all of these begin: of most values no more is looked at. */
const beginnings = new Set(
  "@M pr sm gc ar re op bw ke do in ak az aw co ss se ha ht Ag AQ Ci EN $A va pk sb ec h1 pl Pl PL ge Ge GE Re RE in In IN pu Pu pa Pa fi Fi".split(
    " "
  )
)
const isDigit = (c: number): boolean => c > 47 && c < 58

export const isPublicValue = (value: string): boolean =>
  beginnings.has(value.slice(0, 2))
    ? reference.test(value) ||
      sealed.test(value) ||
      forEverybody.test(value) ||
      digest.test(value) ||
      request.test(value)
    : isDigit(value.charCodeAt(0))
      ? size.test(value)
      : value.charCodeAt(0) === 35 && colour.test(value)

/** Whether the digits that end at `end` count something: `password:  24 bytes`. */
export const isCounted = (text: string, end: number): boolean =>
  text.startsWith(" bytes", end) || text.startsWith(" byte\n", end)

/** By which a build finds what it made before: `Cache restored from key: …`. */
const ofCache = /\b[Cc]ache\b[^\n:=]{0,60}$/

/** A model's thought and what its provider signs it with, in one object; thoughts are long. */
const longestThought = 8000
const isOfThought = (text: string, start: number): boolean => {
  const from = Math.max(0, start - longestThought)
  const thought = text.slice(from, start).lastIndexOf("thinking")
  if (thought === -1) return false
  const said = text.slice(from + thought, start)
  return /^thinking\\*"\s{0,4}:\s{0,4}\\*"/.test(said) && !/"\s{0,4}\}/.test(said)
}

/** Whether the name that begins at `start` is that of a digest, or of what a cache is asked by: `checksum/secret: …`. */
export const isChecksumOf = (text: string, start: number): boolean =>
  text.startsWith("checksum/", start - 9) ||
  ((text.startsWith(`ignature"`, start) || text.startsWith(`ignature\\`, start)) &&
    isOfThought(text, start)) ||
  (text.charCodeAt(start - 1) === 32 && ofCache.test(text.slice(Math.max(0, start - 70), start)))

/** What documentation writes for a user with a password: `user:password`. */
export const isPlaceholderPair = (user: string, password: string): boolean =>
  /^(?:your[-_]?)?(?:user(?:name)?|usr|login)$/i.test(user) &&
  /^(?:your[-_]?)?(?:pass(?:word|wd)?|pwd|pw|secret)$/i.test(password)

/** The site of a public key in a URL: what pages send their faults to. */
export const isPublicSite = (rest: string): boolean =>
  /^@[\w.-]{0,80}(?:sentry\.io|sentry\.[a-z.]{2,30}|glitchtip\.\w{2,10}|bugsink\.\w{2,10})[:/]/.test(rest)
