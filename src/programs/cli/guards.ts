/** What each command says of itself: whether it can leave the agent with fewer guards. Such a command is a person's alone. */
import * as Effect from "effect/Effect"
import { BeneathAgent } from "../../trust/BeneathAgent.ts"
import { CliError } from "./CliError.ts"

export interface Guards {
  /** The command by its name, for whoever is refused it. */
  readonly weakens?: string
  /** Where it weakens them only sometimes: whether it would now. Changes nothing. */
  readonly now?: () => Effect.Effect<boolean, unknown>
}

/** Nothing that it does takes a guard away or lets code run that was not consented to. */
export const keepsGuards: Guards = {}

export const weakensGuards = (weakens: string, now?: Guards["now"]): Guards => ({
  weakens,
  ...(now === undefined ? {} : { now })
})

/** Before anything is loaded, read or written. */
export const refusedBeneathAgent = ({
  now = () => Effect.succeed(true),
  weakens
}: Guards): Effect.Effect<void, unknown, BeneathAgent> =>
  weakens === undefined
    ? Effect.void
    : Effect.gen(function* () {
        const { sign } = yield* BeneathAgent
        const found = yield* sign
        if (found === undefined || !(yield* now())) return
        return yield* new CliError({
          what: weakens,
          reason: `an agent does not decide about its own guards, and this was started by one: ${found}`,
          remedy: `Run "hooktape ${weakens}" in a terminal of your own.`
        })
      })
