/** Asks a person for one line; undefined where nobody sits at a terminal. */
import { createInterface } from "node:readline"
import * as Effect from "effect/Effect"
import { Screen } from "./Screen.ts"

export const asked = Effect.fn("cli.asked")(function* (question: string) {
  const { note } = yield* Screen
  if (process.stdin.isTTY !== true) return undefined
  yield* note(question)
  return yield* Effect.async<string>((resume) => {
    const lines = createInterface({ input: process.stdin })
    lines.once("line", (line) => {
      resume(Effect.succeed(line))
      lines.close()
    })
    // The end of the input is no yes.
    lines.once("close", () => resume(Effect.succeed("")))
    return Effect.sync(() => lines.close())
  })
})
