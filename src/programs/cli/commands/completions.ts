/** `hooktape completions`: what a shell needs to complete our commands and options. */
import * as Effect from "effect/Effect"
import { CliError } from "../CliError.ts"
import { Screen } from "../Screen.ts"
import { type Commands, defineCommand } from "../syntax/Command.ts"
import { completionsFor, type Shell, shells } from "../syntax/completions.ts"
import { argument } from "../syntax/parameters.ts"

const isShell = (word: string): word is Shell => (shells as readonly string[]).includes(word)

const completions = Effect.fn("cli.completions")(function* (
  { shell }: { readonly shell: string },
  commands: () => Promise<Commands>
) {
  const { out } = yield* Screen
  if (!isShell(shell))
    return yield* new CliError({
      what: "completions",
      reason: `there are none for a shell called "${shell}"`,
      remedy: `Known are ${shells.join(", ")}.`
    })
  yield* out(completionsFor(shell, yield* Effect.promise(commands)))
})

export const command = defineCommand({
  group: "Reference",
  summary: "Print what a shell needs to complete commands and options.",
  arguments: { shell: argument("<shell>", `${shells.join(", ")}.`) },
  examples: ["hooktape completions bash"],
  guards: "keeps",
  run: completions
})
