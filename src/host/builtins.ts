/**
 * Whether JavaScript's own objects are as they were: a handler that replaced a method of them, or gave every object a member, has
 * done so for all that come after it. Uses none of what it looks at.
 */

const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect

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
    const { get, value } = getOwnPropertyDescriptor(holder, key) ?? {}
    // What only holds a value, such as `Error.stackTraceLimit`, is for anyone to set.
    return isCode(value) || isCode(get) ? [{ holder, key, value, get }] : []
  })

/** Asked once all is as it should be; the answer holds for what was there then. */
export const makeIntact = (): (() => boolean) => {
  const members = [...holders, Object.prototype].flatMap(membersOf)
  const count = members.length
  const { length: inAll } = ownKeys(Object.prototype)
  return () => {
    if (ownKeys(Object.prototype).length !== inAll) return false
    for (let at = 0; at < count; at++) {
      const { get, holder, key, value } = members[at] as Member
      const now = getOwnPropertyDescriptor(holder, key)
      if (now === undefined || now.value !== value || now.get !== get) return false
    }
    return true
  }
}
