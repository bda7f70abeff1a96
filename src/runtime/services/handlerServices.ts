/** What one run of a handler has of services: made when first asked for, ended with the run, and then told as facts. */
import type { ServiceCalled } from "../../../events/facts.ts"
import type { JsonObject } from "../../../events/intents.ts"
import type { Services } from "../../hooks/Services.ts"
import { type Answers, type Asking, liveAnswers, recordedAnswers } from "./answers.ts"
import { type MadeServices, makeServices } from "./services.ts"

/** A run of a handler that was not done at its deadline. */
export type LateRun = Pick<Asking, "handler" | "event" | "attempt">

export interface HandlerServicesWorld {
  /** The state directory; without one there is no log to ask. */
  readonly state?: string | undefined
  readonly project: string
  /** In a replay: what the handlers were answered. Nothing else answers then. */
  readonly recorded?: readonly ServiceCalled[] | undefined
  /** In a replay: the runs that ran out of time then. */
  readonly late?: readonly LateRun[] | undefined
  /** Monotonic, milliseconds. */
  readonly elapsed: () => number
}

export interface HandlerServices {
  readonly services: (cwd: string, payload: JsonObject) => Services
  /** Ends what still runs, and tells what was asked for. */
  readonly end: () => readonly ServiceCalled[]
}

const isRunOf =
  (asking: Asking) =>
  ({ attempt, event, handler }: LateRun): boolean =>
    handler === asking.handler && event === asking.event && attempt === asking.attempt

export const makeHandlerServices = (
  { elapsed, late = [], project, recorded, state }: HandlerServicesWorld,
  asking: Asking
): HandlerServices => {
  let answers: Answers | undefined
  let made: MadeServices | undefined
  return {
    services: (cwd, payload) => {
      answers ??=
        recorded === undefined
          ? liveAnswers(asking, elapsed)
          : recordedAnswers(asking, recorded, late.some(isRunOf(asking)))
      made ??= makeServices({ state, project, cwd, payload }, answers)
      return made.services
    },
    end: () => {
      const called = answers?.close() ?? []
      made?.end()
      return called
    }
  }
}

export type MakeHandlerServices = typeof makeHandlerServices
