/**
 * Whether JavaScript's own objects are as they were: a handler that replaced a method of them, or gave every object a member, has
 * done so for all that come after it. Uses none of what it looks at, so that it can also put them back.
 */

const { defineProperty, deleteProperty, get, getOwnPropertyDescriptor, getPrototypeOf, ownKeys, set } =
  Reflect

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

interface Member {
  readonly holder: object
  readonly key: PropertyKey
  /** The method, or what is called when the member is read. */
  readonly value: unknown
  readonly get: unknown
}

const isCode = (value: unknown): boolean => typeof value === "function"

const membersOf = (holder: object): readonly Member[] =>
  ownKeys(holder).flatMap((key) => {
    const { get: read, value } = getOwnPropertyDescriptor(holder, key) ?? {}
    // What only holds a value, such as `Error.stackTraceLimit`, is for anyone to set.
    return isCode(value) || isCode(read) ? [{ holder, key, value, get: read }] : []
  })

/** Asked once all is as it should be; the answer holds for what was there then. */
export const makeIntact = (): (() => boolean) => {
  const members = [...holders, Object.prototype].flatMap(membersOf)
  const count = members.length
  const { length: inAll } = ownKeys(Object.prototype)
  return () => {
    if (ownKeys(Object.prototype).length !== inAll) return false
    for (let at = 0; at < count; at++) {
      const { get: read, holder, key, value } = members[at] as Member
      const now = getOwnPropertyDescriptor(holder, key)
      if (now === undefined || now.value !== value || now.get !== read) return false
    }
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

interface Kept {
  readonly holder: object
  readonly key: PropertyKey
  readonly descriptor: PropertyDescriptor
}

const keptOf = (holder: object, keys: readonly PropertyKey[]): readonly Kept[] =>
  keys.flatMap((key) => {
    const descriptor = getOwnPropertyDescriptor(holder, key)
    return descriptor === undefined ? [] : [{ holder, key, descriptor }]
  })

const isSame = (a: PropertyDescriptor | undefined, b: PropertyDescriptor): boolean =>
  a !== undefined && a.value === b.value && a.get === b.get && a.set === b.set

/**
 * Remembers them as they are now, with what else is named; the function it returns puts back what was changed since. False where
 * something cannot be put back: who did that has made it so for good.
 */
export const makeMending = (others: readonly object[] = []): (() => boolean) => {
  const kept = [
    ...keptOf(globalThis, names),
    ...[...holders, Object.prototype, ...others].flatMap((holder) =>
      keptOf(
        holder,
        membersOf(holder).map(({ key }) => key)
      )
    )
  ]
  const { length } = kept
  // Some are read through an accessor whose setter takes anything.
  const globals = names.map((name) => ({ name, value: get(globalThis, name) as unknown }))
  const known = ownKeys(Object.prototype)
  const { length: inAll } = known
  const isKnown = (key: PropertyKey): boolean => {
    for (let at = 0; at < inAll; at++) if (known[at] === key) return true
    return false
  }
  return () => {
    let whole = true
    const members = ownKeys(Object.prototype)
    // First: a member that every object has gets in the way of all that follows.
    for (let at = 0; at < members.length; at++) {
      const key = members[at] as PropertyKey
      if (!isKnown(key) && !deleteProperty(Object.prototype, key)) whole = false
    }
    for (let at = 0; at < length; at++) {
      const { descriptor, holder, key } = kept[at] as Kept
      if (isSame(getOwnPropertyDescriptor(holder, key), descriptor)) continue
      if (!defineProperty(holder, key, descriptor)) whole = false
    }
    for (let at = 0; at < globals.length; at++) {
      const { name, value } = globals[at] as { name: string; value: unknown }
      if (get(globalThis, name) !== value && !set(globalThis, name, value)) whole = false
    }
    return whole
  }
}
