/** The cheap first look: whether a text could hold a secret at all. Wrong only on the careful side. */

const anyCase = (word: string): string => word.replace(/[a-z]/g, (c) => `[${c}${c.toUpperCase()}]`)

/** How the names end that `secretName` knows. */
const names = (): string =>
  [
    `${anyCase("ass")}[-_.]?(?:${["word", "wd", "phrase"].map(anyCase).join("|")})`,
    `(?:${"api access private encryption signing account master shared subscription auth deploy license service secret"
      .split(" ")
      .map(anyCase)
      .join("|")})[-_.]?${anyCase("key")}`,
    ...["pass", "pwd", "ecret", "oken", "bearer", "ization", "auth", "header"].map(anyCase)
  ].join("|")

/** Whose flags for a password do not say so. */
const commands =
  "sshpass|curl|(?:mysql|mariadb)[\\w-]{0,20}|redis-cli|mongo[a-z]{0,7}|sqlcmd|ldap[a-z]{3,7}|keytool|jarsigner|htpasswd"

/** Made when something is suspicious: most hook calls have nothing that is. */
export const patterns = (): string => {
  const ending = names()
  return [
    "gh[pousr]_[A-Za-z0-9]{30}",
    "github_pat_",
    "npm_[A-Za-z0-9]{30}",
    "hf_[A-Za-z0-9]{30}",
    "aws_secret_access_key ",
    `(?:${commands})(?:[ \\t]|\\\\+t)`,
    "(?:docker|podman|nerdctl|buildah|skopeo|oras|registry|az|oc)(?:[ \\t]|\\\\+t){1,8}login",
    "_authToken ",
    "[sr]k_(?:live|test)_",
    "whsec_",
    "gl(?:pat|ptt|dt|rt|soat|cbt|ft)-",
    "xox[abceoprs]-",
    "xapp-",
    "sk-[\\w-]{20}",
    "A(?:KI|SI|BI|CC)A[A-Z0-9]{16}",
    "AIza[\\w-]{35}",
    "GOCSPX-",
    "ya29\\.",
    "eyJ[\\w-]{8}",
    "[Bb]earer[ \\t]+[\\w.~+/-]{16}",
    "-----BEGIN ",
    "hooks\\.slack\\.com",
    `:\\/\\/[^\\s/?#"'\`<>)\\\\]{0,1024}@`,
    `(?:${ending})(?:["'\`\\\\\\] \\t]{0,8}\\s*[:=])`,
    `--[\\w-]{0,36}(?:${ending})[ \\t]`
  ].join("|")
}

/** In lower case, one of these stands in whatever the shapes match: a law holds the two together. */
const telling = new RegExp(
  [
    "ass|key|ecret|oken|pwd|auth|bearer|header|ization",
    "gh[pousr]_|github_pat_|npm_|hf_|k_(?:live|test)_|whsec_",
    // Without their first letters: each new letter that a word may begin with costs every text.
    "curl|ysql|ariadb|edis-cli|ogin[\\s\\\\]|ongo[a-z]{0,7}[\\s\\\\]|cmd[\\s\\\\]|ap(?:search|modify|add|delete|whoami)",
    "gl(?:pat|ptt|dt|rt|soat|cbt|ft)-|xox|xapp-|sk-|gocspx-|aiza|ya29\\.|eyj",
    "a(?:kia|sia|bia|cca)|-----begin|hooks\\.slack\\.com"
  ].join("|")
)

/** A first look at the first look: most texts are through with it, and the patterns need not even be made. */
const isTold = (text: string): boolean => {
  const lower = text.toLowerCase()
  return telling.test(lower) || (lower.includes("://") && lower.includes("@"))
}

let inText: RegExp | undefined
/** In JSON an escape can stand for any character of a secret. */
let inJson: RegExp | undefined

export const maybeSecret = (text: string): boolean => {
  if (!isTold(text)) return false
  inText ??= new RegExp(patterns())
  return inText.test(text)
}

/** The same for raw JSON text. */
export const maybeSecretJson = (text: string): boolean => {
  if (!(text.includes("\\u00") || text.includes("\\/") || isTold(text))) return false
  inJson ??= new RegExp(`\\\\u00[2-7]|\\\\/|${patterns()}`)
  return inJson.test(text)
}
