/** The cheap first look: whether a text could hold a secret at all. Wrong only on the careful side. */

const anyCase = (word: string): string => word.replace(/[a-z]/g, (c) => `[${c}${c.toUpperCase()}]`)

/** How the names end that `secretName` knows. */
const names = [
  `${anyCase("ass")}[-_.]?(?:${["word", "wd", "phrase"].map(anyCase).join("|")})`,
  `(?:${"api access private encryption signing account master shared subscription auth deploy license service secret"
    .split(" ")
    .map(anyCase)
    .join("|")})[-_.]?${anyCase("key")}`,
  ...["pass", "pwd", "ecret", "oken", "bearer", "ization", "auth", "header"].map(anyCase)
].join("|")

const shapes = [
  "gh[pousr]_[A-Za-z0-9]{30}",
  "github_pat_",
  "npm_[A-Za-z0-9]{30}",
  "hf_[A-Za-z0-9]{30}",
  "aws_secret_access_key ",
  "sshpass[ \\t]",
  "curl[ \\t]",
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
  `(?:${names})(?:["'\`\\\\\\] \\t]{0,8}\\s*[:=])`,
  `--[\\w-]{0,36}(?:${names})[ \\t]`
].join("|")

const inText = new RegExp(shapes)
/** In JSON an escape can stand for any character of a secret. */
const inJson = new RegExp(`\\\\u00[2-7]|\\\\/|${shapes}`)

export const maybeSecret = (text: string): boolean => inText.test(text)

/** The same for raw JSON text. */
export const maybeSecretJson = (text: string): boolean => inJson.test(text)
