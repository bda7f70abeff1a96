/** What the stems in a text are about: finders that need such a word are spared the texts without one. */

/** Calls and addresses that take a user and a password. */
export const aboutLogins = 1
/** Names in other languages. */
export const aboutForeign = 2
/** What a client says to a server. */
export const aboutDialogues = 4
/** Passwords and secrets, by their English names. */
export const aboutPasswords = 8
/** Codes that let somebody in once. */
export const aboutCodes = 16
/** Files that hold a secret alone, and are written. */
export const aboutFiles = 32
/** Calls that sign, encrypt, compare or log in, with a literal among their arguments. */
export const aboutCalls = 64
/** Files of accounts, lines of network devices, wallets. */
export const aboutAccounts = 128
/** What a program asks for, and numbers that people are given. */
export const aboutPrompts = 256
export const aboutAll = 511

const passwords = /^(?:ass|pw|phras|psk|ecre|cre|crets|cures|ed(?:w|ph))/
const foreign =
  /[^\0-\x7f]|^(?:asswort|asse|e?nnwort|ntrase|ontrase|nha|enha|ave|achtwoo|aslo|asło|alasana|adgangsk|arola|ata sandi|kodeord|eslo|elsz|egredo|eheim|enord|ozinka|osenord|pi)/
const logins =
  /^(?:edent|dent|uthentication|asicauth|sicauth|ogin\(|onnect\(\\*["']|pdo|p\(|p(?:dp)? [a-z]|racle|oracle|ent\(|plus )/
const dialogues = /^(?:entify|ntify|key content|oper |odes|ecovery)/

const codes = /^(?:ode$|xted |digo$|od$|odice|ódigo|otp|验证码|驗證碼|校验码|認証|確認|인증|код)/
const accounts = /^(?:psk|chpasswd)/
const prompts = /^p(?:in|uk)/

/** What a text with that stem may be about. */
export const topicsOf = (stem: string): number =>
  (passwords.test(stem) ? aboutPasswords : 0) |
  (foreign.test(stem) ? aboutForeign : 0) |
  (logins.test(stem) ? aboutLogins : 0) |
  (dialogues.test(stem) ? aboutDialogues : 0) |
  (codes.test(stem) ? aboutCodes : 0) |
  (accounts.test(stem) ? aboutAccounts : 0) |
  (prompts.test(stem) ? aboutPrompts : 0)
