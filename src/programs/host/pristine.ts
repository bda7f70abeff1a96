/**
 * Whether what any code of a process may have at hand is as it was before hooks were loaded: each member, how many there are, and
 * whether there can be more. What is added for the hooks of one project is there for those of another as well.
 */
import { isAsItWas, type Member } from "../../runtime/builtins.ts"

const { getOwnPropertyDescriptor, getPrototypeOf, isExtensible, ownKeys } = Reflect

const isObject = (value: unknown): value is object =>
  typeof value === "function" || (typeof value === "object" && value !== null)

/** An object, and how many members of its own it had. */
interface Holder {
  readonly object: object
  readonly count: number
  /** What it has its other members from. */
  readonly above: object | null
}

interface Value {
  readonly object: Readonly<Record<PropertyKey, unknown>>
  readonly key: PropertyKey
  readonly value: unknown
}

/** Of `process`, what Node sets as it goes on, and what is put back before each call (processState.ts). */
const restless: ReadonlySet<PropertyKey> = new Set([
  "argv",
  "domain",
  "execArgv",
  "exitCode",
  "title",
  "_events",
  "_eventsCount",
  "_exiting",
  "_maxListeners"
])

const prototypeOf = (made: object): object | undefined => {
  const prototype: unknown = getOwnPropertyDescriptor(made, "prototype")?.value
  return isObject(prototype) ? prototype : undefined
}

/** Any function has a name, a length and mostly a prototype that says whose it is: a class has more. */
const isClass = (made: object): boolean =>
  ownKeys(made).length > 3 || ownKeys(prototypeOf(made) ?? {}).length > 1

/** What an object has by its own members: the classes among them, with what all of their instances have. */
export const withClasses = (object: object): readonly object[] => {
  const found: object[] = [object]
  for (const key of ownKeys(object)) {
    const made: unknown = getOwnPropertyDescriptor(object, key)?.value
    if (typeof made !== "function" || !isClass(made)) continue
    found.push(made)
    const prototype = prototypeOf(made)
    if (prototype) found.push(prototype)
  }
  return found
}

/** Which no global name leads to. */
export const unnamed = (): readonly object[] => {
  const arrays = [][Symbol.iterator]()
  const instances = [
    arrays,
    new Map().entries(),
    new Set().values(),
    ""[Symbol.iterator](),
    "".matchAll(/./g),
    async () => undefined,
    function* () {},
    async function* () {}
  ]
  const prototypes = instances.map((one) => getPrototypeOf(one) as object)
  const above = [getPrototypeOf(arrays) as object, Uint8Array, Uint8Array.prototype]
  return [...prototypes, ...above.map((one) => getPrototypeOf(one) as object)]
}

export interface Pristine {
  /** Objects that hooks are about to get hold of, as they are now. */
  readonly watch: (objects: readonly object[]) => void
  readonly isPristine: () => boolean
}

/** `isOurs`: global names that come as our own code is loaded. */
export const makePristine = (isOurs: (key: PropertyKey) => boolean): Pristine => {
  const known = new Set<object>()
  const holders: Holder[] = []
  const values: Value[] = []
  const accessors: Member[] = []

  const watchMembers = (object: object): void => {
    for (const key of ownKeys(object)) {
      const descriptor = getOwnPropertyDescriptor(object, key) as PropertyDescriptor
      const { configurable, value, writable } = descriptor
      if (!("value" in descriptor)) accessors.push({ holder: object, key, descriptor })
      // What can change: neither constants, nor what nobody reads of a function.
      else if (configurable === false && writable === false) continue
      else if (typeof object === "function" && (key === "name" || key === "length")) continue
      else if (typeof value === "function" || object !== process || !restless.has(key))
        values.push({ object: object as Value["object"], key, value })
    }
  }

  const globals = (): number => {
    let count = 0
    for (const key of ownKeys(globalThis)) if (!isOurs(key)) count++
    return count
  }
  const knownGlobals = globals()

  const isValue = ({ key, object, value }: Value): boolean => {
    try {
      return Object.is(object[key], value)
    } catch {
      return false
    }
  }

  return {
    watch: (objects) => {
      for (const object of objects) {
        if (known.has(object)) continue
        known.add(object)
        if (object !== globalThis)
          holders.push({ object, count: ownKeys(object).length, above: getPrototypeOf(object) })
        watchMembers(object)
      }
    },
    isPristine: () => {
      if (globals() !== knownGlobals || !isExtensible(globalThis)) return false
      for (const { above, count, object } of holders)
        if (ownKeys(object).length !== count || !isExtensible(object) || getPrototypeOf(object) !== above)
          return false
      for (const one of values) if (!isValue(one)) return false
      for (const one of accessors) if (!isAsItWas(one)) return false
      return true
    }
  }
}
