/** Makes the file of what was switched from the facts that say so. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { writeWhole } from "../hooks/files.ts"
import { messageOf } from "../log/messageOf.ts"
import { foldSwitches, type Switch, switchesFile, switchesText, switchTypes } from "../log/switches.ts"
import { CliError } from "./CliError.ts"
import { Logbook } from "./logbook.ts"

const write = (state: string, switches: readonly Switch[]): Effect.Effect<void, CliError> =>
  Effect.try({
    try: () => writeWhole(switchesFile(state), switchesText(switches)),
    catch: (cause) =>
      new CliError({
        what: "what is switched on and off",
        reason: messageOf(cause),
        remedy: 'Run "hooktape doctor".',
        cause
      })
  })

/** Of two that do this at the same time the one that wrote last may have read first: it looks again. */
export const syncSwitches = Effect.fn("cli.syncSwitches")(function* (state: string) {
  const { read } = yield* Logbook
  const now = yield* Clock.currentTimeMillis
  const said = Effect.map(Stream.runCollect(read({ types: switchTypes })), (facts) =>
    foldSwitches(
      [...facts].filter(({ known }) => known),
      now
    )
  )
  for (let switches = yield* said; ; ) {
    yield* write(state, switches)
    const again = yield* said
    if (switchesText(again) === switchesText(switches)) return switches
    switches = again
  }
})
