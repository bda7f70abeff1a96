/** Redacts a value member by member, without recursion: payloads may nest ten thousand deep. */
import { besideEachOther } from "./beside.ts"
import { isMark } from "./mark.ts"
import { holderOf, listedAs, namedBy, nameOf, type Rules, type Within } from "./redactJson.ts"
import { tellsGenerated } from "./structuredSecrets.ts"

const changes = (key: string | undefined, value: unknown, within: Within, rules: Rules): unknown => {
  if (typeof value === "string") return rules.string(value, key, within)
  if (typeof value === "number" && key !== undefined) return rules.number(String(value), key) ?? value
  return Array.isArray(value) && key !== undefined ? (rules.bytes(value, key) ?? value) : value
}

const asJson = (value: object): unknown => {
  const { toJSON } = value as { toJSON?: () => unknown }
  return typeof toJSON === "function" ? toJSON.call(value) : value
}

/** Whether an object describes a generated secret, as one around it may. */
const describesGenerated = (current: object, around: ReadonlySet<object>): boolean =>
  around.has(current) ||
  Object.keys(current).some((key) => tellsGenerated(key, (current as Record<string, unknown>)[key]))

/** What an object makes of its members; `around`: those within one that describes a generated secret. */
const withinOf = (current: object, around: ReadonlySet<object>): Within => {
  const { kty, thinking, username } = current as { kty?: unknown; thinking?: unknown; username?: unknown }
  if (typeof kty === "string") return "web-key"
  if (typeof thinking === "string") return "thought"
  if (describesGenerated(current, around)) return "generated"
  return typeof username === "string" ? "account" : undefined
}

/** Whether no text of a value changes. */
export const isClean = (root: object, rules: Rules): boolean => {
  const seen = new Set<object>([root])
  const queue: object[] = [root]
  const generated = new Set<object>()
  const holders = new Map<object, string | undefined>()
  const programs = new Map<object, string>()
  for (let current = queue.pop(); current !== undefined; current = queue.pop()) {
    const list = Array.isArray(current)
    const { program, secrets } = besideEachOther(current, programs.get(current), rules.mark)
    for (const [key, after] of secrets) if ((current as Record<string, unknown>)[key] !== after) return false
    const within = withinOf(current, generated)
    let named = holders.get(current)
    for (const key of Object.keys(current)) {
      const value = (current as Record<string, unknown>)[key]
      const name = list ? listedAs(named, value) : nameOf(key, named)
      if (!list) named = namedBy(key, value, named)
      if (typeof value === "object" && value !== null) {
        if (asJson(value) !== value || changes(name, value, within, rules) !== value) return false
        if (!seen.has(value)) {
          seen.add(value)
          queue.push(value)
          if (program !== undefined && Array.isArray(value)) programs.set(value, program)
          if (within === "generated") generated.add(value)
          holders.set(value, list ? undefined : holderOf(name, Array.isArray(value)))
        }
      } else if (changes(name, value, within, rules) !== value) return false
      if (!list && rules.key(key) !== key) return false
    }
  }
  return true
}

export const cleaned = (root: object, rules: Rules): object => {
  const copies = new Map<object, object>()
  const queue: object[] = []
  const generated = new Set<object>()
  const holders = new Map<object, string | undefined>()
  const programs = new Map<object, string>()
  const copyOf = (value: unknown, key: string | undefined, within: Within, list: boolean): unknown => {
    const plain = typeof value === "object" && value !== null ? asJson(value) : value
    const after = changes(key, plain, within, rules)
    if (typeof plain !== "object" || plain === null || after !== plain) return after
    let copy = copies.get(plain)
    if (copy === undefined) {
      copy = Array.isArray(plain) ? [] : {}
      copies.set(plain, copy)
      queue.push(plain)
      if (within === "generated") generated.add(plain)
      holders.set(plain, list ? undefined : holderOf(key, Array.isArray(plain)))
    }
    return copy
  }
  const result = copyOf(root, undefined, undefined, false) as object
  for (let current = queue.pop(); current !== undefined; current = queue.pop()) {
    const copy = copies.get(current) as object
    const list = Array.isArray(current)
    const within = withinOf(current, generated)
    const { program, secrets } = besideEachOther(current, programs.get(current), rules.mark)
    let named = holders.get(current)
    for (const key of Object.keys(current)) {
      const before = (current as Record<string, unknown>)[key]
      if (program !== undefined && Array.isArray(before)) programs.set(before, program)
      const after = copyOf(before, list ? listedAs(named, before) : nameOf(key, named), within, list)
      const value = isMark(after) ? after : (secrets.get(key) ?? after)
      if (!list) named = namedBy(key, before, named)
      const name = list ? key : rules.key(key)
      // A plain assignment to `__proto__` would change the copy instead of giving it a member.
      Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true })
    }
  }
  return result
}
