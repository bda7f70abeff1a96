/** `hooktape log repair`: a new log with what can be read of a damaged one, which is kept beside it. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { count } from "../../../features/timeline/words.ts"
import { placed } from "../../../log/Damage.ts"
import { deniedAt } from "../../../log/denied.ts"
import { hostLock, takeLock } from "../../../log/hostLock.ts"
import type { Range } from "../../../log/lostPositions.ts"
import { repairLog, requireOwn } from "../../../log/repair.ts"
import { isBusy } from "../../../log/sqlite/sqliteErrors.ts"
import { describeFinding } from "../../../log/verdict.ts"
import { verifyLog } from "../../../log/verify.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { CliError } from "../CliError.ts"
import { findPlaces } from "../places.ts"
import { Screen } from "../Screen.ts"
import { stopHost } from "../stopHost.ts"

const maxShown = 20

const failed = (remedy: string) => (cause: unknown) =>
  new CliError({ what: "log repair", reason: messageOf(cause), remedy, cause })

const refused = failed("Nothing was changed.")
const hindered = failed("Nothing was changed. Run it again when no other process has the log open.")

/** With the host stopped and its place taken: nobody is to go on writing what is moved away. */
const perform = (state: string, file: string) =>
  Effect.gen(function* () {
    const denied = deniedAt(file)
    if (denied !== undefined)
      return yield* new CliError({
        what: "log repair",
        reason: denied.reason,
        remedy: `Nothing was looked at or changed. ${denied.remedy}`
      })
    yield* Effect.try({
      try: () => requireOwn(file),
      catch: (cause) => (isBusy(cause) ? hindered(cause) : refused(cause))
    })
    yield* stopHost(state)
    yield* takeLock(hostLock(state), "5 seconds")
    const now = yield* Clock.currentTimeMillis
    return yield* Effect.try(() => {
      const { findings } = verifyLog(file)
      const held = findings.find(({ kind }) => kind === "held")
      if (held !== undefined) throw new Error(describeFinding(held))
      return findings.length === 0 ? undefined : repairLog(file, now)
    })
  }).pipe(
    Effect.scoped,
    Effect.mapError((error) => (error instanceof CliError ? error : hindered(error)))
  )

const placesOf = (what: string, ranges: readonly Range[]): readonly string[] => [
  ...ranges.slice(0, maxShown).map(([first, last]) => `  ${what}: ${placed({ first, last })}\n`),
  ...(ranges.length > maxShown ? [`  and ${ranges.length - maxShown} more ranges\n`] : [])
]

export const repair = Effect.fn("cli.log.repair")(function* ({ json }: { readonly json: boolean }) {
  const { out, style } = yield* Screen
  const { state } = findPlaces()
  const file = join(state, "log.sqlite")
  const repaired = existsSync(file) || existsSync(`${file}.seal`) ? yield* perform(state, file) : undefined
  if (json) return yield* out(`${JSON.stringify({ repaired: repaired ?? null })}\n`)
  if (repaired === undefined) return yield* out(`${style.good("✔")} nothing to repair\n`)
  const { aside, facts, kept, lost, unsealed } = repaired
  const places = [...placesOf("lost", lost), ...placesOf("kept, and no seal spoke of it", unsealed)]
  yield* out(
    `${style.good("✔")} ${count(kept, "fact")} kept, ${facts} lost\n${places.join("")}  the damaged log is ${aside}\n`
  )
})
