/** `hooktape log verify`: whether every fact is there and as it was recorded. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { mendingTimeline } from "../../../features/timeline/compareTimeline.ts"
import { count } from "../../../features/timeline/words.ts"
import { placed } from "../../../log/Damage.ts"
import type { Range } from "../../../log/lostPositions.ts"
import { fileIs, hasTable, isOfToday } from "../../../log/tablesOf.ts"
import { describeFinding, isSound, isUnseen, type Verdict } from "../../../log/verdict.ts"
import { setVerified } from "../../../log/verified.ts"
import { verifyingLog } from "../../../log/verify.ts"
import { printable } from "../../../state/terminalText.ts"
import { findPlaces } from "../places.ts"
import { Screen } from "../Screen.ts"

const maxShown = 20
/** Of one repair. */
const maxPlaces = 3

/** Step by step, so that a signal is heard between two. */
const stepped = <A>(begin: () => Generator<unknown, A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const steps = begin()
    const step: Effect.Effect<A> = Effect.suspend(() => {
      const { done, value } = steps.next()
      return done ? Effect.succeed(value) : Effect.zipRight(Effect.yieldNow(), step)
    })
    return step
  })

const parts = ({ foreign, sealed, taken, unsealed }: Verdict): string =>
  [
    `${count(sealed, "fact")} sealed`,
    ...(unsealed === 0 ? [] : [`${unsealed} unsealed`]),
    ...(foreign === 0 ? [] : [`${foreign} under a key that is gone`]),
    ...(taken === 0 ? [] : [`${taken} taken away`])
  ].join(", ")

/** How many facts no seal spoke of, as far as their places are named. */
const keptUnsealed = (ranges: readonly Range[]): string =>
  ranges.length === 0
    ? ""
    : `, ${ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)} without a seal kept${placesOf(ranges)}`

const placesOf = (ranges: readonly Range[]): string => {
  if (ranges.length === 0) return ""
  const named = ranges.slice(0, maxPlaces).map(([first, last]) => placed({ first, last }))
  const more = ranges.length > maxPlaces ? `, and ${ranges.length - maxPlaces} more ranges` : ""
  return ` (${named.join(", ")}${more})`
}

/** Of a longer log it takes minutes to make the timeline once more. */
const maxCompared = 300_000

/** Not the log's damage, and nothing that anybody has to see to: what others hold at the moment is looked at the next time. */
function* mending(file: string, { foreign, sealed, unsealed }: Verdict): Generator<void, boolean> {
  if (foreign + sealed + unsealed > maxCompared) return false
  if (!fileIs(file, (db) => isOfToday(db) && hasTable(db, "timeline_calls"))) return false
  try {
    return yield* mendingTimeline(file)
  } catch {
    return false
  }
}

export const verify = Effect.fn("cli.log.verify")(function* ({ json }: { readonly json: boolean }) {
  const { out, style } = yield* Screen
  const file = join(findPlaces().state, "log.sqlite")
  const verdict = yield* stepped(() => verifyingLog(file))
  const { findings, repairs } = verdict
  const ok = isSound(verdict)
  if (ok) yield* Effect.sync(() => setVerified(file, verdict.last))
  const renewed = ok && (yield* stepped(() => mending(file, verdict)))
  if (json) {
    yield* out(`${JSON.stringify({ ok, ...verdict, renewed }, null, 2)}\n`)
    return ok ? 0 : 1
  }
  const shown = findings.slice(0, maxShown).map((one) => {
    const sign = one.kind === "restart" ? style.warn("!") : style.bad("✖")
    return `${sign} ${printable(describeFinding(one))}\n`
  })
  const more =
    findings.length > maxShown ? [`  and ${findings.length - maxShown} more: --json has all\n`] : []
  const mended = repairs.map(
    ({ at, lost, ranges, unsealed }) =>
      `  repaired ${new Date(at).toISOString()}: ${count(lost, "fact")} lost${placesOf(ranges)}${keptUnsealed(unsealed)}\n`
  )
  const bad = `${style.bad("✖")} the log is damaged: ${parts(verdict)}. "hooktape log repair" keeps what can be kept.\n`
  const end = ok
    ? [`${style.good("✔")} the log is sound: ${parts(verdict)}\n`]
    : isUnseen(verdict)
      ? []
      : [bad]
  const anew = renewed
    ? [`${style.warn("!")} what "hooktape log" shows was not what the facts say, and is made anew of them\n`]
    : []
  yield* out([...shown, ...more, ...mended, ...anew, ...end].join(""))
  return ok ? 0 : 1
})
