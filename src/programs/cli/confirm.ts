/** Asks a person on the terminal. Where nobody sits, the answer has to stand on the command line. */
import * as Effect from "effect/Effect"
import { asked } from "./asked.ts"

export const isTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Anything but `y` or `yes` is a no, and so is the end of the input. */
export const confirm = Effect.fn("cli.confirm")(function* (question: string) {
  const answer = yield* asked(`${question} [y/N] `)
  return /^y(?:es)?$/i.test(answer?.trim() ?? "")
})
