/** Objects in a text whose members tell of each other, be it JSON or a literal of code. */
import { lowerCaseOf } from "./lowerCase.ts"
import { type Member, secretsAmong } from "./members.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"

interface Read extends Member {
  /** Where the value stands, without its quotes. */
  readonly start: number
  readonly end: number
}

const longestObject = 4000
const key =
  /\s*(?:"((?:[^"\\\n]|\\.){1,60})"|'([^'\\\n]{1,60})'|:?([A-Za-z_$][\w$-]{0,59}))\s{0,8}(?:=>|[:=])\s{0,8}/y
const value =
  /"((?:[^"\\\n]|\\.){0,2048})"|'((?:[^'\\\n]|\\.){0,2048})'|`([^`\\]{0,2048})`|([^\s"'`,;{}[\]()]{1,200})/y

/** What the object that opens at `open` has for members, and where it ends. */
const membersOf = (text: string, open: number): { members: readonly Read[]; end: number } => {
  const members: Read[] = []
  const limit = Math.min(text.length, open + longestObject)
  let depth = 0
  let at = open + 1
  while (at < limit) {
    const c = text.charCodeAt(at)
    if (c === 125 || c === 93 || c === 41) {
      if (depth-- === 0) return { members, end: at }
      at++
    } else if (c === 123 || c === 91 || c === 40) {
      depth++
      at++
    } else if (depth === 0) {
      key.lastIndex = at
      const named = key.exec(text)
      if (named !== null) {
        value.lastIndex = key.lastIndex
        const found = value.exec(text)
        if (found === null) {
          at = key.lastIndex
          continue
        }
        const bare = found[4]
        const raw = found[1] ?? found[2] ?? found[3] ?? (bare as string)
        const start = found.index + (bare === undefined ? 1 : 0)
        members.push({
          key: named[1] ?? named[2] ?? (named[3] as string),
          value: plain(raw),
          start,
          end: start + raw.length,
          isText: bare === undefined
        })
        at = value.lastIndex
      } else at = behindLiteral(text, at)
    } else at = behindLiteral(text, at)
  }
  return { members, end: limit }
}

/** The index behind the string that opens at `at`, or behind its one character. */
const behindLiteral = (text: string, at: number): number => {
  const c = text.charCodeAt(at)
  if (c !== 34 && c !== 39 && c !== 96) return at + 1
  value.lastIndex = at
  return value.test(text) ? value.lastIndex : at + 1
}

/** Where the object opens that `at` is in: brackets in strings are rare, and such an object is read from too early. */
const opening = (text: string, at: number): number => {
  let depth = 0
  for (let open = at - 1; open >= 0 && at - open < longestObject / 2; open--) {
    const c = text.charCodeAt(open)
    if (c === 125) depth++
    else if (c === 123 && depth-- === 0) return open
  }
  return -1
}

const plain = (raw: string): string => raw.replace(/\\(["'/\\])/g, "$1")

/** What a member says that tells of a secret, in lower case. */
const signs =
  /pass|pwd|kennwort|secret|securestring|token|api[_ -]?key|access[_ -]?key|pin\b|otp\b|mnemonic|phrase|concealed|sensitive|masked|encrypted|linkedid|contrase|senha|clave|heslo|has[lł]o|парол|密[码碼钥]|パスワード|비밀번호|keyname|encoded["']|sess(?:ion)?_?id|ct\.sid/g
/** These tell also where no bracket opens near them. */
const alone = ["securestring", "concealed"]
const near = 300

const longestText = 160
/** What parts a member's name from its text. */
const sign = /[:=>]\s{0,4}$/
/** What stands before a member's name. */
const nameStart = /[{,\s]["']?\w{0,20}$/

/** Whether what stands at `at` is in a text that a member holds, or is its name: all that most names are asked. */
const isInMember = (text: string, at: number): boolean => {
  const before = text.slice(Math.max(0, at - longestText), at)
  let quote = before.length
  // A text may hold quotes itself.
  for (let tried = 0; tried < 4; tried++) {
    quote = Math.max(before.lastIndexOf('"', quote - 1), before.lastIndexOf("'", quote - 1))
    if (quote < 1) break
    if (sign.test(before.slice(Math.max(0, quote - 6), quote))) return true
  }
  return nameStart.test(before.slice(-24))
}

export const findInRecords = (text: string, hit: Hit): void => {
  const lower = lowerCaseOf(text)
  if (lower === undefined) return
  const isAlone = alone.some((word) => lower.includes(word))
  if (!isAlone && !text.includes("{")) return
  signs.lastIndex = 0
  let read = -1
  for (let found = signs.exec(lower); found !== null; found = signs.exec(lower)) {
    if (found.index < read || !isInMember(text, found.index)) continue
    const open = opening(text, found.index)
    if (open === -1 && !isAlone) continue
    const { members, end } = membersOf(text, open === -1 ? Math.max(-1, found.index - near) : open)
    read = end
    secretsAmong(members, ({ start, end: stop, value: said }, kind) =>
      hit(start, stop, tokenKind(said) ?? (kind === "random-key" ? "key" : kind))
    )
  }
}
