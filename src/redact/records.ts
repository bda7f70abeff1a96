/** Objects in a text whose members tell of each other, be it JSON or a literal of code. */
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
  /pass|pwd|kennwort|secret|token|api[_ -]?key|access[_ -]?key|\bpin\b|\botp\b|passcode|mnemonic|phrase|concealed|securestring|sensitive|masked|encrypted|linkedid|contrase|senha|clave|heslo|has[lł]o|парол|密[码碼钥]|パスワード|비밀번호/gi
/** A place where an object's member holds text: all that most names are asked. */
const within =
  /(?:["']?\b[\w-]{2,20}["']?\s{0,4}(?:=>|[:=])\s{0,4}(?:"(?:[^"\\\n]|\\.){0,160}|'[^'\n]{0,160}|)|[{,]\s{0,40}["']?\w{0,20})$/

/** These tell also where no bracket opens near them. */
const alone = /securestring|concealed/i
const near = 300

/** A member that may tell of another: without one there is nothing to read. */
const telling =
  /\b(?:ref|element|selector|locator|placeholder|target|xpath|css|uid|testid|aria-?label|label|title|name|id|key|field|type|kind|purpose|question|prompt|input|by)["']?\s{0,4}(?:=>|[:=])\s{0,4}["']|(?:secret|sensitive|masked|password|encrypted)["']?\s{0,4}(?:=>|[:=])\s{0,4}true/i

export const findInRecords = (text: string, hit: Hit): void => {
  if (!(text.includes("{") || alone.test(text)) || !telling.test(text)) return
  signs.lastIndex = 0
  let read = -1
  for (let found = signs.exec(text); found !== null; found = signs.exec(text)) {
    if (found.index < read) continue
    if (!within.test(text.slice(Math.max(0, found.index - 200), found.index))) continue
    const open = opening(text, found.index)
    if (open === -1 && !alone.test(found[0])) continue
    const { members, end } = membersOf(text, open === -1 ? Math.max(-1, found.index - near) : open)
    read = end
    secretsAmong(members, ({ start, end: stop, value: said }, kind) =>
      hit(start, stop, tokenKind(said) ?? (kind === "random-key" ? "key" : kind))
    )
  }
}
