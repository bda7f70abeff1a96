/** Redacts JSON text literal by literal, so that every byte which holds no secret stays as it was sent. */

import { makeFrames } from "./frames.ts"
import { keyOfAccount, keyOfSection } from "./moreNames.ts"
import { secretName } from "./secretNames.ts"
import { isAccount, isSection } from "./sections.ts"
import { tellsGenerated } from "./structuredSecrets.ts"

/** An object around a member, or the one it is in, that makes secrets of what has no telling name. */
export type Within = "generated" | "web-key" | "account" | "thought" | undefined

/** What becomes of each part; the same value back leaves its bytes alone. */
export interface Rules {
  /** What stands in place of a secret of that kind. */
  readonly mark: (kind: string) => string
  readonly key: (text: string) => string
  readonly string: (text: string, key: string | undefined, within: Within) => string
  readonly number: (digits: string, key: string) => string | undefined
  /** A list of numbers alone, as a whole. */
  readonly bytes: (list: readonly number[], key: string) => string | undefined
}

const nameKeys = /^(?:name|key|variable|env|parameter|field)$/i
const valueKeys =
  /^(?:value|val|_?text|#text|\$t|_value|content|default|plaintext|stringvalue|secret_?value)$/i

/** Stands for the names in a secret of Kubernetes that say nothing: of what they hold, only what nobody typed is one. */
const keyOfData = "stringData_credentials"

/** The name that this member gives to the value beside it: `{"name": "DB_PASSWORD", "value": "…"}`; `named`: the one it has until then. */
export const namedBy = (key: string, value: unknown, named: string | undefined): string | undefined => {
  const isOfSection = named === keyOfSection || named === keyOfAccount || named === keyOfData
  return !isOfSection && typeof value === "string" && value.length < 100 && nameKeys.test(key) ? value : named
}

/** The name of what a member holds: its own, or for a value the one that stands before it in the same object. */
export const nameOf = (key: string, named: string | undefined): string => {
  if (named === undefined) return key
  if (named === keyOfData) return secretName(key) === undefined ? named : key
  if ((named === keyOfSection || named === keyOfAccount) && bareKey.test(key)) return named
  return valueKeys.test(key) || severalPasswords.test(named) ? named : key
}

/** By whoever's they are. */
const severalPasswords = /passwords$/i

/** Parsers have tokens as well: of what an object of this name holds, only what nobody typed is a secret. */
export const isParsers = (key: string): boolean => /^tokens?$/i.test(key)

/** In an object that is about keys: `{"Jwt": {"Key": "…"}}`. */
const bareKey = /^key$/i

/** The name that a member gives to what the object or list in it holds: `{"password": {"value": "…"}}`. */
export const holderOf = (key: string | undefined, list: boolean): string | undefined => {
  if (key === undefined) return undefined
  if (!list && isSection(key)) return keyOfSection
  if (!list && key === "stringData") return keyOfData
  if (!list && isAccount(key)) return keyOfAccount
  if (isParsers(key)) return list ? undefined : "credentials"
  const kind = secretName(key)
  return kind === undefined || (list && kind !== "password" && kind !== "api-key") ? undefined : key
}

const faultName = /^[a-z]+(?:_[a-z]+)+\d*$/
const mixedWord =
  /(?:^|\s)(?=\S*[a-z])(?=\S*[A-Z])(?=\S*\d)(?!\S*(?:[Pp]ass|[Ss]ecret|[Tt]oken|[Kk]ey))\S{8,64}(?:\s|$)/

/** What lists under a secret's name hold where they tell what is wrong with it: sentences, and names of faults. */
export const isMessage = (value: string): boolean =>
  /\s/.test(value) ? !mixedWord.test(value) : faultName.test(value)

/** The name that a list gives to what stands in it. */
export const listedAs = (name: string | undefined, value: unknown): string | undefined =>
  typeof value === "string" && isMessage(value) ? undefined : name

/** What logs in with the id of a role. */
const secretId = /^secret_?id$/i
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const webKeyMember = /^(?:d|p|q|dp|dq|qi|k)$/
/** The kind of secret that a member is for what its object is: a private part of a JSON Web Key, the key beside a user's name. */
export const secretWithin = (within: Within, key: string, value: string): string | undefined => {
  if (within === "web-key" && webKeyMember.test(key) && /^[\w-]{16,}$/.test(value)) return "private-key"
  if (secretId.test(key) && uuid.test(value)) return "secret"
  return within === "account" && key === "key" && /^[\da-f]{32}$/.test(value) ? "api-key" : undefined
}

const isSpace = (c: number): boolean => c === 32 || c === 10 || c === 13 || c === 9

/** The index after the literal that opens at `at`. */
const literalEnd = (text: string, at: number): number => {
  let end = at + 1
  for (;;) {
    end = text.indexOf('"', end)
    if (end === -1) return text.length
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 92) slashes++
    end++
    if (slashes % 2 === 0) return end
  }
}

const telling = /"(?:kty|username|thinking)"/

/** What each object is for one of its members, wherever that stands in it, by the index at which it opens. */
const tellingObjects = (text: string): ReadonlyMap<number, Within> => {
  const told = new Map<number, Within>()
  const open: number[] = []
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at)
    if (c === 123 || c === 91) open.push(at)
    else if (c === 125 || c === 93) open.pop()
    if (c !== 34) continue
    const end = literalEnd(text, at)
    const object = open.at(-1)
    if (object !== undefined && (end - at === 5 || end - at === 10) && isMember(text, end)) {
      if (text.startsWith('"kty"', at)) told.set(object, "web-key")
      else if (text.startsWith('"thinking"', at)) told.set(object, "thought")
      else if (text.startsWith('"username"', at) && !told.has(object)) told.set(object, "account")
    }
    at = end - 1
  }
  return told
}

/** Whether what ends here is the name of a member that holds a string. */
const isMember = (text: string, end: number): boolean => {
  let at = end
  while (isSpace(text.charCodeAt(at))) at++
  if (text.charCodeAt(at) !== 58) return false
  at++
  while (isSpace(text.charCodeAt(at))) at++
  return text.charCodeAt(at) === 34
}

const decode = (literal: string): string =>
  literal.includes("\\") ? (JSON.parse(literal) as string) : literal.slice(1, -1)

const numbers = /\[\s*\d{1,3}(?:\s*,\s*\d{1,3}){15,4200}\s*\]/y
const plainNumber = /-?\d+(?=[\s,}\]])/y

/** One pass over valid JSON text. */
export const redactLiterals = (text: string, rules: Rules): string => {
  const edits = new Map<number, { readonly end: number; readonly value: string }>()
  const frames = makeFrames((start, end, value) => void edits.set(start, { end, value }), rules.mark)
  let key: string | undefined
  /** As it stands there, where `key` may be the name that another member gives. */
  let own = ""
  let named: string | undefined
  let depth = 0
  /** How deep the object is that describes a generated secret. */
  let generated = Number.POSITIVE_INFINITY
  /** By depth: the name that a list gives to its members. */
  const lists: (string | undefined)[] = []
  const told = telling.test(text) ? tellingObjects(text) : undefined
  /** By depth: what the object there is. */
  const objects: Within[] = []
  const within = (): Within => {
    const own = objects[depth]
    return own !== "web-key" && generated <= depth ? "generated" : own
  }
  const replace = (start: number, end: number, value: string): void => {
    edits.set(start, { end, value })
  }
  /** Where the list of numbers that opens at `at` ends, if it is a secret. */
  const bytesEnd = (at: number, name: string | undefined): number => {
    if (name === undefined || secretName(name) === undefined) return at
    numbers.lastIndex = at
    const found = numbers.exec(text)
    const after = found === null ? undefined : rules.bytes(JSON.parse(found[0]) as number[], name)
    if (after === undefined) return at
    replace(at, numbers.lastIndex, after)
    return numbers.lastIndex
  }
  for (let at = 0; at < text.length; ) {
    const c = text.charCodeAt(at)
    if (c === 34) {
      const end = literalEnd(text, at)
      const value = decode(text.slice(at, end))
      let next = end
      while (isSpace(text.charCodeAt(next))) next++
      const isKey = text.charCodeAt(next) === 58
      if (generated > depth && tellsGenerated(isKey ? value : (key ?? ""), value)) generated = depth
      const after = isKey
        ? rules.key(value)
        : rules.string(value, key ?? listedAs(lists[depth], value), within())
      if (after !== value) replace(at, end, after)
      if (!isKey) frames.text(own, value, after, at, end)
      if (!isKey && key !== undefined) named = namedBy(key, value, named)
      key = isKey ? nameOf(value, named) : undefined
      own = isKey ? value : ""
      at = isKey ? next + 1 : end
      continue
    }
    const opened = key
    if (key !== undefined && !isSpace(c)) {
      frames.word(own, text, at)
      plainNumber.lastIndex = at
      if (plainNumber.test(text)) {
        const end = plainNumber.lastIndex
        const after = rules.number(text.slice(at, end), key)
        if (after !== undefined) replace(at, end, after)
        at = end - 1
      }
      key = undefined
    }
    const end = c === 91 ? bytesEnd(at, opened ?? lists[depth]) : at
    if (end > at) {
      at = end
      continue
    }
    // What is nested or comes after it is another object's.
    if (c === 123 || c === 125) named = c === 123 ? holderOf(opened, false) : undefined
    if (c === 123 || c === 91) {
      depth++
      lists[depth] = c === 91 ? holderOf(opened, true) : undefined
      objects[depth] = told?.get(at)
      frames.open(opened, c === 91)
    } else if (c === 125 || c === 93) {
      frames.close()
      if (--depth < generated) generated = Number.POSITIVE_INFINITY
    }
    at++
  }
  return edited(text, edits)
}

const edited = (
  text: string,
  edits: ReadonlyMap<number, { readonly end: number; readonly value: string }>
) => {
  if (edits.size === 0) return text
  let out = ""
  let last = 0
  for (const [start, { end, value }] of [...edits].sort(([a], [b]) => a - b)) {
    out += text.slice(last, start) + JSON.stringify(value)
    last = end
  }
  return out + text.slice(last)
}
