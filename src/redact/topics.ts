/** What the stems in a text are about: finders that need such a word are spared the texts without one. */

/** Calls and addresses that take a user and a password. */
export const aboutLogins = 1
/** Names in other languages. */
export const aboutForeign = 2
/** What a client says to a server. */
export const aboutDialogues = 4
/** Passwords and secrets, by their English names. */
export const aboutPasswords = 8
export const aboutAll = 15

const passwords = /^(?:ass|pw|phras|psk|ecre|cre|crets|cures|ed(?:w|ph))/
const foreign =
  /[^\0-\x7f]|^(?:asswort|asse|nnwort|ntrase|ontrase|nha|enha|ave|achtwoo|aslo|asło|alasana|adgangsk|arola|ata sandi|kodeord|eslo|elsz|egredo|eheim|enord|ozinka|osenord|pi)/
const logins =
  /^(?:edent|dent|uthentication|asicauth|sicauth|ogin\(|onnect\(|pdo|p\(|p(?:dp)? |racle|oracle|ent\(|plus )/
const dialogues = /^(?:entify|ntify|key content|oper |odes|ecovery)/

const known = new Map<string, number>()
const mostKnown = 500

/** What a text with that stem may be about. */
export const topicsOf = (stem: string): number => {
  let topics = known.get(stem)
  if (topics === undefined) {
    topics =
      (passwords.test(stem) ? aboutPasswords : 0) |
      (foreign.test(stem) ? aboutForeign : 0) |
      (logins.test(stem) ? aboutLogins : 0) |
      (dialogues.test(stem) ? aboutDialogues : 0)
    if (known.size >= mostKnown) known.clear()
    known.set(stem, topics)
  }
  return topics
}
