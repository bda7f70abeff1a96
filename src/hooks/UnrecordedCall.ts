/** A service was asked for what has no answer: not recorded, or not in a test's script. The world is never asked in its place. */
import type { Json } from "../../events/intents.ts"

/**
 * Thrown by a service that was asked for what has no answer: not recorded, or not in a test's script.
 *
 * @example
 * const isUnrecorded = (error: unknown) => error instanceof UnrecordedCall && error.service === "files.read"
 */
export class UnrecordedCall extends Error {
  override readonly name = "UnrecordedCall"
  readonly service: string
  readonly input: Json
  constructor(service: string, input: Json, why = "was not recorded") {
    const shown = JSON.stringify(input)
    super(`${service}(${shown.length > 200 ? `${shown.slice(0, 200)}…` : shown}) ${why}`)
    this.service = service
    this.input = input
  }
}
