/** Asks a person on the terminal. Where nobody sits, the answer has to stand on the command line. */
import { createInterface } from "node:readline"
import * as Effect from "effect/Effect"
import { Screen } from "./Screen.ts"

export const isTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Anything but `y` or `yes` is a no, and so is the end of the input. */
export const confirm = Effect.fn("cli.confirm")(function* (question: string) {
  const { note } = yield* Screen
  yield* note(`${question} [y/N] `)
  const answer = yield* Effect.async<string>((resume) => {
    const lines = createInterface({ input: process.stdin })
    lines.once("line", (line) => {
      resume(Effect.succeed(line))
      lines.close()
    })
    lines.once("close", () => resume(Effect.succeed("")))
    return Effect.sync(() => lines.close())
  })
  return /^y(?:es)?$/i.test(answer.trim())
})
