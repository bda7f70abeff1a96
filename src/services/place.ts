/** Where the services of a run come from, for the hooks that are part of hooktape: the state directory, and the log's reader. */
import type { Services } from "../hooks/Services.ts"
import type { Reader } from "../log/reader.ts"

export interface ServicesPlace {
  readonly state: string
  /** Closed with the run. */
  readonly reader: Reader
}

const places = new WeakMap<Services, () => ServicesPlace>()

export const settle = (services: Services, place: () => ServicesPlace): void =>
  void places.set(services, place)

export const placeOf = (services: Services): ServicesPlace => {
  const place = places.get(services)
  if (place === undefined) throw new Error("there is no state directory here")
  return place()
}
