/** Keys that only the section they stand in tells: `"Jwt": {"Key": "…"}`, `jwt:` with `key: …` below it, `key = …` of a file of keys. */
import { isKeyOfSection, keyOfAccount, keyOfSection } from "./moreNames.ts"
import { looksRandom } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"

const about =
  "jwt|jwts|jws|jwe|hmac|crypt|crypto|cipher|encrypt|encryption|encrypter|encryptor|signing|cookies?|securecookie|sessions?|fernet|datadog|sendgrid|openai|anthropic|stripe"
/** Services whose keys are 64 bytes in Base64, and nothing else is. */
const accounts =
  "azure|cosmos(?:db)?|documentdb|(?:blob|table|queue|file|azure)?storage(?:account)?|storageaccounts?|servicebus|eventhubs?|iothub"
const endOfName = "(?:settings|options|config|bearer)?"
const section = new RegExp(`^(?:${about})${endOfName}$`, "i")
const account = new RegExp(`^(?:${accounts})${endOfName}$`, "i")

/** Whether an object or a section of that name is about keys. */
export const isSection = (name: string): boolean => section.test(name)
export const isAccount = (name: string): boolean => account.test(name)

const inSection = new RegExp(
  String.raw`\b(${about}|${accounts})${endOfName}\\*["']?\]?\s{0,4}(?:=>|[:=])?\s{0,4}(?:(?:\{|\[|array\()[^{}]{0,400}?[{[(,\s]|(?:\r?\n[ \t]{1,20}[\w-]{1,40}:[^\n]{0,120}){0,8}?\r?\n[ \t]{1,20}|(?<=\])(?:\r?\n[\w-]{1,40} ?=[^\n]{0,120}){0,8}?\r?\n)\\*["']?key\\*["']?\s{0,4}(?:=>|[:=])\s{0,4}\\*["']?([\w+/=.~-]{16,256})(?=\\*["'\s,}]|$)`,
  "gi"
)
/** Alone on its line, as files of keys have it. */
const ownLine =
  /(?:^|\n)[ \t]{0,20}key[ \t]{0,4}=[ \t]{0,4}([A-Za-z0-9+/]{28,256}={0,2})[ \t]{0,4}(?=\r|\n|$)/g
/** Keys that everybody may see. */
const isPublic = (value: string): boolean => /^(?:MI[IGHCE]|AAAA)/.test(value)
const isMixed = (value: string): boolean => /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value)

/** Without one, none of these is tried. */
const assigned = /\bkey\\{0,8}["']?[ \t]{0,4}[:=]/i

/** What a bare `key` holds that may be one of these, for a first look. */
export const bareKeyValue = /\\{0,8}["']?\s{0,4}[:=]>?\s{0,4}\\{0,8}["']?(?=[^\d\s]{0,40}\d)[\w+/=.~-]{16}/y

const isKeyIn = (name: string, value: string): boolean => {
  if (account.test(name)) return isKeyOfSection(keyOfAccount, value)
  return !isPublic(value) && (looksRandom(value) || isKeyOfSection(keyOfSection, value))
}
const isKeyAlone = (value: string): boolean =>
  value.length >= 28 && !isPublic(value) && looksRandom(value) && isMixed(value)

export const findInSections = (text: string, hit: Hit): void => {
  if (!assigned.test(text)) return
  for (const pattern of [inSection, ownLine])
    for (const found of text.matchAll(pattern)) {
      const [whole, name, value = name as string] = found
      if (pattern === ownLine ? !isKeyAlone(value) : !isKeyIn(name as string, value)) continue
      const start = found.index + whole.lastIndexOf(value)
      hit(start, start + value.length, tokenKind(value) ?? "key")
    }
}
