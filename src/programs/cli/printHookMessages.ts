/** What hooks wanted to say while a command fired one of hooktape's own events: it is said to whoever ran the command. */
import * as Effect from "effect/Effect"
import type { Attributed } from "../../../machines/replyIntents.ts"
import { printable } from "../../state/terminalText.ts"
import { Screen } from "./Screen.ts"

const lineOf = ({ intent }: Attributed): string => {
  if (intent.type === "USER_HINT") return printable(intent.text)
  return intent.type === "DIAGNOSTIC" && (intent.level === "warn" || intent.level === "error")
    ? printable(`${intent.level}: ${intent.message}`)
    : ""
}

export const printHookMessages = Effect.fn("cli.printHookMessages")(function* (
  intents: readonly Attributed[]
) {
  const { note } = yield* Screen
  for (const line of intents.map(lineOf)) if (line !== "") yield* note(`${line}\n`)
})
