/** Where the services of a run come from, for the hooks that are part of hooktape: the state directory, and the log's reader. */
import type { Services } from "../../hooks/Services.ts"
import type { Reader } from "../../log/reader.ts"

export interface ServicesPlace {
  readonly state: string
  /** Closed with the run. */
  readonly reader: Reader
}

/** By name: who made the services and who asks may be two copies of this module, a host's and a bundle's. */
const slot = Symbol.for("hooktape/place")

/** What a hook is told that asks for it where there is none. */
export const noPlace = "there is no state directory here"

type Placed = Services & { readonly [slot]?: () => ServicesPlace }

export const settle = (services: Services, place: () => ServicesPlace): void =>
  void Object.defineProperty(services, slot, { value: place })

export const placeOf = (services: Services): ServicesPlace => {
  const { [slot]: place } = services as Placed
  if (place === undefined) throw new Error(noPlace)
  return place()
}
