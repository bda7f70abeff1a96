/**
 * Whether JavaScript's own objects are as they were: a handler that replaced a method of them, or gave every object a member, has
 * done so for all that come after it. Uses none of what it looks at, so that it can also put them back.
 */

const {
  apply,
  defineProperty,
  deleteProperty,
  get,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  ownKeys,
  set,
  setPrototypeOf
} = Reflect
type Holder = Readonly<Record<PropertyKey, unknown>>

const iterators = [[][Symbol.iterator](), new Map().entries(), new Set().values(), ""[Symbol.iterator]()].map(
  (one) => getPrototypeOf(one) as object
)

const holders: readonly object[] = [
  Object,
  Function.prototype,
  Array,
  Array.prototype,
  String,
  String.prototype,
  Number,
  Number.prototype,
  Boolean.prototype,
  BigInt.prototype,
  Symbol.prototype,
  RegExp.prototype,
  Date,
  Date.prototype,
  Error.prototype,
  Map.prototype,
  Set.prototype,
  WeakMap.prototype,
  WeakSet.prototype,
  Promise,
  Promise.prototype,
  JSON,
  Math,
  Reflect,
  Buffer,
  Buffer.prototype,
  Uint8Array.prototype,
  getPrototypeOf(Uint8Array.prototype) as object,
  AbortSignal.prototype,
  ...iterators
]

/** A method, or what is called when a member is read, as it was. */
export interface Member {
  readonly holder: object
  readonly key: PropertyKey
  readonly descriptor: PropertyDescriptor
}

const isCode = (value: unknown): boolean => typeof value === "function"

const membersOf = (holders: readonly object[]): readonly Member[] => {
  const found: Member[] = []
  for (const holder of holders)
    for (const key of ownKeys(holder)) {
      const descriptor = getOwnPropertyDescriptor(holder, key) as PropertyDescriptor
      // What only holds a value, such as `Error.stackTraceLimit`, is for anyone to set.
      if (isCode(descriptor.value) || isCode(descriptor.get)) found.push({ holder, key, descriptor })
    }
  return found
}

/** Node makes much of what it has only when that is first read: what was an accessor is then the value that it gives. */
const isWhatItGives = ({ descriptor, holder, key }: Member, now: PropertyDescriptor): boolean => {
  if (now.get !== undefined || now.set !== undefined) return false
  try {
    const given = apply(descriptor.get as () => unknown, holder, []) as unknown
    if (given === now.value) return true
    // Asked for the first time it took the place of what somebody else had put there.
    defineProperty(holder, key, now)
    return false
  } catch {
    return false
  }
}

/** Read as all code reads it: a thousand descriptors would cost more than all else that a call does. */
export const isAsItWas = (member: Member): boolean => {
  const { descriptor, holder, key } = member
  if (descriptor.get === undefined) {
    try {
      return (holder as Holder)[key] === descriptor.value
    } catch {
      // What is called in its place now fails.
      return false
    }
  }
  const now = getOwnPropertyDescriptor(holder, key)
  if (now === undefined) return false
  if (now.get === descriptor.get && now.set === descriptor.set) return true
  return descriptor.get !== undefined && isWhatItGives(member, now)
}

/**
 * What the language itself asks any object for, whosever it is: JSON's text of it, and what comes after waiting for it. Other members
 * that are added, as polyfills do, are nobody's who does not name them.
 */
const askedFor = ["toJSON", "then"] as const

interface Absent {
  readonly holder: object
  readonly key: PropertyKey
}

const absentOf = (holders: readonly object[]): readonly Absent[] => {
  const found: Absent[] = []
  for (const holder of holders)
    for (const key of askedFor)
      if (getOwnPropertyDescriptor(holder, key) === undefined) found.push({ holder, key })
  return found
}

interface Lineage {
  readonly holder: object
  readonly above: object | null
}

/** What each has its other members from. */
const lineagesOf = (holders: readonly object[]): readonly Lineage[] => {
  const found: Lineage[] = []
  for (const holder of holders) found.push({ holder, above: getPrototypeOf(holder) })
  return found
}

const isAbsent = ({ holder, key }: Absent): boolean => getOwnPropertyDescriptor(holder, key) === undefined

/** Asked once all is as it should be, with what else is to be looked at; the answer holds for what was there then. */
export const makeIntact = (others: readonly object[] = []): (() => boolean) => {
  const members = membersOf([...holders, Object.prototype, ...others])
  const { length } = members
  const absent = absentOf(holders)
  const lineages = lineagesOf([...holders, ...others])
  const { length: inAll } = ownKeys(Object.prototype)
  return () => {
    for (let at = 0; at < lineages.length; at++) {
      const { above, holder } = lineages[at] as Lineage
      if (getPrototypeOf(holder) !== above) return false
    }
    if (ownKeys(Object.prototype).length !== inAll) return false
    for (let at = 0; at < absent.length; at++) if (!isAbsent(absent[at] as Absent)) return false
    for (let at = 0; at < length; at++) if (!isAsItWas(members[at] as Member)) return false
    return true
  }
}

/** What our own code reaches by name. `fs` and `process` are objects like any other, and as easily changed. */
const names = [
  "JSON",
  "Math",
  "Reflect",
  "Object",
  "Array",
  "String",
  "Number",
  "Symbol",
  "Map",
  "Set",
  "WeakMap",
  "Promise",
  "Date",
  "RegExp",
  "Error",
  "Uint8Array",
  "Buffer",
  "process",
  "setTimeout",
  "clearTimeout",
  "setImmediate",
  "queueMicrotask",
  "AbortController"
] as const

/**
 * Remembers them as they are now, with what else is named; the function it returns puts back what was changed since. False where
 * something cannot be put back: who did that has made it so for good.
 */
export const makeMending = (others: readonly object[] = []): (() => boolean) => {
  const members = membersOf([...holders, Object.prototype, ...others])
  const { length } = members
  const globals = names.map((name) => ({
    name,
    value: get(globalThis, name) as unknown,
    descriptor: getOwnPropertyDescriptor(globalThis, name) as PropertyDescriptor
  }))
  const absent = absentOf(holders)
  const lineages = lineagesOf([...holders, ...others])
  const known = ownKeys(Object.prototype)
  const { length: inAll } = known
  const isKnown = (key: PropertyKey): boolean => {
    for (let at = 0; at < inAll; at++) if (known[at] === key) return true
    return false
  }
  return () => {
    let whole = true
    const there = ownKeys(Object.prototype)
    // First: a member that every object has gets in the way of all that follows.
    for (let at = 0; at < there.length; at++) {
      const key = there[at] as PropertyKey
      if (!isKnown(key) && !deleteProperty(Object.prototype, key)) whole = false
    }
    for (let at = 0; at < lineages.length; at++) {
      const { above, holder } = lineages[at] as Lineage
      if (getPrototypeOf(holder) !== above && !setPrototypeOf(holder, above)) whole = false
    }
    for (let at = 0; at < absent.length; at++) {
      const { holder, key } = absent[at] as Absent
      if (!isAbsent({ holder, key }) && !deleteProperty(holder, key)) whole = false
    }
    for (let at = 0; at < globals.length; at++) {
      const { descriptor, name, value } = globals[at] as (typeof globals)[number]
      if (get(globalThis, name) === value) continue
      if (!defineProperty(globalThis, name, descriptor)) whole = false
      // Some are read through an accessor that was not replaced.
      if (get(globalThis, name) !== value && !set(globalThis, name, value)) whole = false
    }
    for (let at = 0; at < length; at++) {
      const member = members[at] as Member
      if (!isAsItWas(member) && !defineProperty(member.holder, member.key, member.descriptor)) whole = false
    }
    return whole
  }
}
