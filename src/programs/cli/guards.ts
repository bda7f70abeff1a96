/** A command that can leave the agent with fewer guards is a person's alone: beneath an agent it is refused. */
import * as Effect from "effect/Effect"
import { BeneathAgent } from "../../trust/BeneathAgent.ts"
import { CliError } from "./CliError.ts"
import type { Action } from "./syntax/Command.ts"
import type { Given } from "./syntax/read.ts"

const weakensNow = ({ guards }: Action, given: Given): Effect.Effect<boolean, unknown> => {
  if (typeof guards !== "function") return Effect.succeed(guards === "weakens")
  const now = guards(given as never)
  return typeof now === "boolean" ? Effect.succeed(now) : now
}

/** Before the command does anything. `path`: the command by its name, for whoever is refused it. */
export const refusedBeneathAgent = (
  path: string,
  action: Action,
  given: Given
): Effect.Effect<void, unknown, BeneathAgent> =>
  action.guards === "keeps"
    ? Effect.void
    : Effect.gen(function* () {
        const { sign } = yield* BeneathAgent
        const found = yield* sign
        if (found === undefined || !(yield* weakensNow(action, given))) return
        return yield* new CliError({
          what: path,
          reason: `an agent does not decide about its own guards, and this was started by one: ${found}`,
          remedy: `Run "hooktape ${path}" in a terminal of your own.`
        })
      })
