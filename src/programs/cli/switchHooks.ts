/** Makes the file of what was switched from the facts that say so. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Draft, Recorded } from "../../../events/Recorded.ts"
import { schemaVersion } from "../../../events/schemaVersion.ts"
import { foldSwitches, type Switch, switchesFile, switchesText, switchFacts } from "../../history/switches.ts"
import { everything, pendingFacts } from "../../log/spool/pendingFacts.ts"
import { decodeFact } from "../../log/validity.ts"
import { writeWhole } from "../../state/files.ts"
import { messageOf } from "../../state/messageOf.ts"
import { refuseNewer } from "../../state/newerFile.ts"
import { CliError } from "./CliError.ts"
import { Logbook } from "./logbook.ts"

const write = (state: string, switches: readonly Switch[]): Effect.Effect<void, CliError> =>
  Effect.try({
    try: () => {
      refuseNewer(switchesFile(state))
      writeWhole(switchesFile(state), switchesText(switches))
    },
    catch: (cause) =>
      new CliError({
        what: "what is switched on and off",
        reason: messageOf(cause),
        remedy: 'Run "hooktape doctor".',
        cause
      })
  })

/** What is read from the spool is in today's shape. */
const isKnown = (fact: Recorded | Draft): boolean =>
  "known" in fact
    ? fact.known
    : fact.schemaVersion <= schemaVersion && decodeFact(fact.type, schemaVersion, fact.data).known

/** Of two that do this at the same time the one that wrote last may have read first: it looks again. */
export const syncSwitches = Effect.fn("cli.syncSwitches")(function* (state: string) {
  const { read } = yield* Logbook
  const now = yield* Clock.currentTimeMillis
  const said = Effect.gen(function* () {
    // Before the log: what is taken in meanwhile is then seen twice, and never missed.
    const pending = pendingFacts(state, switchFacts, everything).facts
    const logged = [...(yield* Stream.runCollect(read(switchFacts)))]
    const there = new Set(logged.map(({ id }) => id))
    // What somebody said just now counts also where the log cannot take it in yet.
    const waiting = pending.filter(({ id }) => !there.has(id))
    return foldSwitches([...logged, ...waiting].filter(isKnown), now)
  })
  for (let switches = yield* said; ; ) {
    yield* write(state, switches)
    const again = yield* said
    if (switchesText(again) === switchesText(switches)) return switches
    switches = again
  }
})
