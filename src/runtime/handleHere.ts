/** Handling in this process, with the process kept from the handlers until it is given back. */
import { type HandlingWorld, type LocalHandling, makeHandling } from "./handling.ts"
import { isolate } from "./isolate.ts"

export interface HandlingHere {
  readonly handling: LocalHandling
  /** The process is whole again. */
  readonly release: () => void
}

export const handleHere = (world: Omit<HandlingWorld, "isolation">): HandlingHere => {
  const isolation = isolate((error, owner) => handling.stray(error, owner))
  const handling = makeHandling({ ...world, isolation })
  return { handling, release: isolation.release }
}
