/** Runs an Effect that a handler returned. In a bundle only where a hook brings Effect with it: others do not pay for it. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { RunEffect } from "../../runtime/runHandler.ts"

/** Rejects with the handler's own error, not with a wrapper around it. */
export const runEffect: RunEffect = (effect, signal) =>
  Effect.runPromiseExit(effect as Effect.Effect<unknown, unknown>, { signal }).then((exit) => {
    if (exit._tag === "Success") return exit.value
    throw Cause.squash(exit.cause)
  })
