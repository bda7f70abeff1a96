/** Members that tell of what the value beside them is: `{"selector": "#password", "text": "…"}`, `{"type": "SecureString", "Value": "…"}`. */
import { takesCode } from "./codeWords.ts"
import { foreignName, foreignWord } from "./foreignNames.ts"
import { secretsOfKnown } from "./knownMembers.ts"
import { isMessageOf } from "./messages.ts"
import { looksRandom, looksSecret, type SecretName, secretName } from "./secretNames.ts"

export interface Member {
  readonly key: string
  readonly value: string
  /** Whether the value is a text, and no number or word of the language. */
  readonly isText: boolean
}

/** What an object may say of its value: how it is called, where on a page it is typed, or of which sort it is. */
const naming =
  /^(?:name|key|variable|env|parameter|field|id|label|title|header|option|property|setting|identifier|purpose|autocomplete|slot|attribute|column|parameter_?key|option_?name|variable_?name|setting_?name|config_?key)$/i
const pointing =
  /^(?:ref|element|selector|locator|placeholder|target|xpath|css|cssselector|uid|testid|data-testid|aria-?label|accessiblename|description|by|input|question|prompt|message)$/i
const typing = /^(?:type|kind|purpose|format|inputtype|fieldtype|secret_?type|parametertype)$/i
const flagging =
  /^(?:secret|is_?secret|sensitive|is_?sensitive|masked|concealed|is_?password|password|encrypted)$/i
const secretType =
  /^(?:password|securestring|concealed|secret|encrypted|sensitive|credentials?|current-password|new-password|hidden-secret)$/i
const holding =
  /^(?:value|val|content|default|plaintext|stringvalue|secret_?value|text|keys|input|data|answer|response|typed|chars|characters|string|newvalue|new_value|secretstring|currentvalue|rawvalue|fill|parameter_?value|option_?value|variable_?value)$/i
/** What keeps a secret that its object is called by the sort of. */
const stored =
  /^(?:value|val|content|default|plaintext|stringvalue|secret_?value|data|rawvalue|parameter_?value|option_?value|variable_?value)$/i
/** Only what is typed somewhere: others hold messages as well. */
const typed = /^(?:value|val|text|keys|input|typed|chars|characters|fill|data|newvalue|new_value|rawvalue)$/i

/** Words on a page that are about a password and no place for one. */
const aside =
  /forgot|reset|show|hide|toggle|reveal|policy|strength|manager|length|expir|error|hint|help|visib|link|button|btn|submit|icon|checkbox|hash|minimum|characters|generator|remember|rules|requirement|tokeniz|vergessen|anzeigen|oubli|olvid/i
/** What of a field's name says that it is one. */
const fieldEnd =
  /(?:[-_ .]?(?:input|field|box|textbox|textfield|text|entry|control|ctrl|el|edit|value|\d))+$/i
const fieldWord = /[\p{L}_][\p{L}\d_-]{1,63}/gu
const twoWords =
  /\b(?:api|access|secret|private|recovery|seed|security|verification) (?:key|code|phrase|token|words)\b/i
const digits = /\b(?:pin|otp|totp|passcode|mfa code|2fa code|verification code|one-time code|cvv|cvc)\b/i
const foreign = new RegExp(foreignWord, "i")

const ownName = (text: string): string => text.split(/[/:]/).at(-1) ?? text

/** The kind of secret that goes where this points to, or is called so. */
export const fieldKind = (text: string): SecretName | undefined => {
  if (aside.test(text)) return undefined
  const own = ownName(text)
  const kind = secretName(own.replace(/\s/g, "_"))
  if (kind !== undefined && kind !== "cookie") return kind
  for (const [word] of text.matchAll(fieldWord)) {
    const found = secretName(word.replace(fieldEnd, ""))
    if (found === "password" || found === "secret" || found === "api-key" || found === "mnemonic")
      return found
    if (found === "token" && word === text) return found
  }
  if (twoWords.test(text)) return "secret"
  if (digits.test(text) || takesCode(text)) return "password"
  return foreign.test(text.toLowerCase()) ? (foreignName(text) ?? "password") : undefined
}

const isMixed = (said: string): boolean =>
  !/\s/.test(said) && said.length >= 4 && /[\d!@#$%^&*+~]/.test(said) && /\D/.test(said)

/** Whether a value is what somebody typed where `told` points to, and no text about it. */
const isTyped = (said: string, kind: SecretName, told: Member, key: string): boolean => {
  if (/^[\s‹]|^$/.test(said)) return false
  const isPlace =
    pointing.test(told.key) && typed.test(key) && !/question|prompt|message|description/i.test(told.key)
  if (/^\d{3,}$/.test(said)) return kind === "password" && (isPlace || naming.test(told.key))
  if (
    !looksSecret(kind === "token" ? "api-key" : kind, "password", said, "quoted", undefined) &&
    !/\s/.test(said)
  )
    return false
  if (/\s/.test(said))
    return (
      typed.test(key) &&
      (kind === "password" || kind === "secret" || kind === "mnemonic") &&
      !isMessageOf(said)
    )
  return isPlace || /^(?:val|(?:(?:parameter|option|variable)_?)?value)$/i.test(key) || isMixed(said)
}

interface Told {
  readonly member: Member
  readonly kind: SecretName
}

/** What the members say of the others, if one of them says that there is a secret. */
const toldBy = (members: readonly Member[]): Told | undefined => {
  for (const member of members) {
    const { key: name, value: said } = member
    if (typing.test(name) && secretType.test(said)) return { member, kind: "password" }
    if (flagging.test(name) && !member.isText && /^true$/i.test(said)) return { member, kind: "password" }
    if (said.length > 200 || !(naming.test(name) || pointing.test(name))) continue
    const kind = fieldKind(said)
    if (kind !== undefined) return { member, kind }
  }
  // A password manager's hidden field.
  const hidden = members.find(({ key: name, value: said }) => name === "type" && said === "1")
  return hidden !== undefined && members.some(({ key: name }) => name === "linkedId")
    ? { member: hidden, kind: "password" }
    : undefined
}

/** Of which kind the secret in a member is, for what the others say. */
const kindIn = (member: Member, { member: told, kind }: Told): SecretName | undefined => {
  const { key: name, value: said, isText } = member
  if (member === told || !holding.test(name)) return undefined
  if (typing.test(told.key) || flagging.test(told.key))
    return isText &&
      stored.test(name) &&
      (looksSecret(kind, kind, said, "quoted", undefined) || isPhrase(said))
      ? kind
      : undefined
  if (kind === "random-key" || kind === "authorization" || kind === "aws-secret-key")
    return looksRandom(said) ? kind : undefined
  return isTyped(said, kind, told, name) ? kind : undefined
}

const isPhrase = (said: string): boolean => /\s/.test(said) && !isMessageOf(said)

/** Receives each member that holds a secret, for what those beside it say. */
export const secretsAmong = <A extends Member>(
  members: readonly A[],
  found: (member: A, kind: SecretName) => void
): void => {
  if (members.length < 2) return
  secretsOfKnown(members, found)
  const told = toldBy(members)
  if (told === undefined) return
  for (const member of members) {
    const kind = kindIn(member, told)
    if (kind !== undefined) found(member, kind)
  }
}
