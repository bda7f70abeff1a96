/** Which session of an agent is meant: its id, or the beginning or the end of one. */
import * as Effect from "effect/Effect"
import { newestSession, sessionsNamed } from "../../features/timeline/find.ts"
import { printable } from "../../state/terminalText.ts"
import { CliError } from "./CliError.ts"
import { Logbook } from "./logbook.ts"

const shown = 4

/** One that nobody knows stays as it is: nothing is of it. */
export const fullSession = Effect.fn("cli.fullSession")(function* (part: string | undefined) {
  if (part === undefined || part === "") return part
  const { timeline } = yield* Logbook
  if (part === "last") return (yield* timeline(newestSession)) ?? part
  const [first, ...others] = yield* timeline((db) => sessionsNamed(db, part))
  if (first === undefined || first === part || others.length === 0) return first ?? part
  const all = [first, ...others]
  const more = all.length > shown ? ` and ${all.length - shown} more` : ""
  return yield* new CliError({
    what: "--session",
    reason: `"${printable(part)}" could be ${all.slice(0, shown).map(printable).join(", ")}${more}`,
    remedy: "Write more of the one you mean."
  })
})
