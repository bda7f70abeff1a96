/** Values behind names that say little elsewhere: `PWD = "…"` in code, `option key '…'` of a router, `switch_pass: …` of a play. */
import { isOtherPass } from "./moreNames.ts"
import { looksSecret } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { placesOf, signOf } from "./signs.ts"
import { isLetter } from "./words.ts"

interface Form {
  /** What stands before the value, from the name on. */
  readonly name: RegExp
  /** From the name's end on; the secret is its only group. */
  readonly pattern: RegExp
  readonly judge: (value: string) => boolean
}

const isValue = (value: string): boolean => looksSecret("password", "password", value, "quoted", undefined)
const isPath = (value: string): boolean => /^[~.]{0,2}\/|^[A-Za-z]:\\|\/.*\/|\$/.test(value)
const isChosen = (value: string): boolean =>
  /[\d!@#$%^&*+~?-]|\p{Ll}\p{Lu}/u.test(value) && !isPath(value) && isValue(value)

const forms: readonly Form[] = [
  {
    // A shell's working directory has no blank before the sign.
    name: /(?<![A-Za-z\d$])(?:[A-Z\d]{1,20}_)?PWD$/,
    pattern: /[ \t]{1,12}:?=[ \t]{0,4}\\*["'`]([^"'`\s\\]{5,128})(?=\\*["'`])/y,
    judge: (value) => !isPath(value) && isValue(value)
  },
  {
    name: /(?:^|\s|\\[nt]|set )option[ \t]{1,4}(?:key|psk|sae_password|auth_secret|secret|private_key|preshared_key|password)$/,
    pattern: /[ \t]{1,8}\\*['"]([^'"\n\\]{6,128})(?=\\*['"])/y,
    judge: (value) => !isPath(value) && isValue(value)
  },
  {
    // The rest of the line, whatever ends a value elsewhere.
    name: /(?:^|[\s"']|\\n)(?:- )?["']?\w{1,40}_pass$/,
    pattern: /["']?:[ \t]{1,4}["']?([^\s"'#{[<‹$!*\\][^\s"'\\]{5,128})["']?[ \t]{0,4}(?=\r|\n|\\[nr]|#|$)/y,
    judge: isChosen
  }
]

const before = 64

/** The value behind the word around `at`, if it has one of these forms; whether to go on. */
export const formFrom = (text: string, at: number, hit: Hit): boolean => {
  let end = at
  while (end < at + before && isLetter(text.charCodeAt(end))) end++
  const next = text.charCodeAt(end)
  // A blank, or what ends a name of YAML.
  if (next !== 32 && next !== 9 && next !== 58 && next !== 34 && next !== 39) return true
  let name: string | undefined
  for (const { judge, name: named, pattern } of forms) {
    pattern.lastIndex = end
    const value = pattern.exec(text)?.[1]
    if (value === undefined) continue
    name ??= text.slice(Math.max(0, end - before), end)
    if (!named.test(name) || isOtherPass(/\w+$/.exec(name)?.[0] ?? "") || !judge(value)) continue
    const start = text.indexOf(value, end)
    return hit(start, start + value.length, tokenKind(value) ?? "password")
  }
  return true
}

const sign = signOf(
  "pwd",
  "option key",
  "option psk",
  "option sae_",
  "option auth_",
  "option secret",
  "_pass"
)

export const findStated = (text: string, hit: Hit): void => {
  for (const at of placesOf(text, sign)) {
    const from = text.charCodeAt(at) === 95 ? at + 1 : text.startsWith("option", at) ? at + 7 : at
    if (!formFrom(text, from, hit)) return
  }
}
