/** What `collect run` does until it is interrupted: workers that fold, and one that sees to the days. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import { chainStates } from "../../../features/chains/chainStates.ts"
import { momentStates } from "../../../features/metrics/momentStates.ts"
import { blockSums } from "../../../features/sums/blockSum.ts"
import { hookSums } from "../../../features/sums/hookSum.ts"
import { sessionSums } from "../../../features/sums/sessionSum.ts"
import type { KeyedFold } from "../../../log/KeyedFold.ts"
import { markOf } from "../../../log/projectionMark.ts"
import { isLocked, reasonOf } from "../database/connect.ts"
import type { Claim } from "./Claim.ts"
import { beginMarks, round } from "./round.ts"

/** Every fold that a collector keeps states of. */
export const folds: readonly KeyedFold<unknown>[] = [
  sessionSums,
  hookSums,
  blockSums,
  chainStates,
  momentStates
]

export interface OwnOptions {
  readonly claim: Claim
  /** Default: every one. */
  readonly folds?: readonly KeyedFold<unknown>[]
  readonly note: (line: string) => Effect.Effect<void>
  /** Days older than this, in days, are detached once every fold has them. Undefined: none. */
  readonly keepDays?: number
  /** How long an owner rests that found nothing. */
  readonly restMs?: number
}

const hourMs = 3_600_000
const partitionsAhead = 7
/** Each try holds up what comes in for as long as it waits for its lock, a second. */
const lockedRestMs = 300_000
const firstPauseMs = 500
const longestPauseMs = 30_000

/** Goes on whatever happens: one that ended would leave its work undone, and nobody would be told. */
const attended = <R>(
  what: string,
  work: Effect.Effect<number, unknown, R>,
  note: OwnOptions["note"]
): Effect.Effect<never, never, R> => {
  let failures = 0
  const turn = Effect.matchCauseEffect(work, {
    onSuccess: (restMs) => {
      failures = 0
      return Effect.sleep(restMs)
    },
    onFailure: (cause) => {
      if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
      failures++
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1))
      return note(`${what}: ${reasonOf(Cause.squash(cause))}`).pipe(
        Effect.zipRight(Random.nextRange(0.5, 1)),
        Effect.flatMap((share) => Effect.sleep(share * pauseMs))
      )
    }
  })
  return Effect.forever(turn)
}

/** So that one reckons while the database works for the other. */
export const workers = 2

/** Until nothing waits for this fold, whatever others come to. */
const alone = (fold: KeyedFold<unknown>, claim: Claim) =>
  Effect.repeat(
    Effect.catchTag(round([fold], claim), "Fenced", () => Effect.succeed({ installations: 1 })),
    { while: ({ installations }) => installations > 0 }
  )

class Stuck extends Schema.TaggedError<Stuck>()("Stuck", { detail: Schema.String }) {
  override get message(): string {
    return this.detail
  }
}

/** Each by itself, so that one which cannot go on keeps no other from it; fails with those that could not. */
const oneByOne = Effect.fn("collector.oneByOne")(function* (
  all: readonly KeyedFold<unknown>[],
  claim: Claim
) {
  const stuck: string[] = []
  for (const fold of all) {
    const exit = yield* Effect.exit(alone(fold, claim))
    if (Exit.isFailure(exit)) stuck.push(`${fold.name}: ${reasonOf(Cause.squash(exit.cause))}`)
  }
  return stuck.length === 0 ? 0 : yield* new Stuck({ detail: stuck.join("; ") })
})

const folding = ({ claim, folds: all = folds, note, restMs = 300 }: OwnOptions) => {
  const together = Effect.gen(function* () {
    const { installations } = yield* round(all, claim)
    if (installations > 0) return 0
    yield* beginMarks(all)
    return restMs
  }).pipe(
    // The other one has done it.
    Effect.catchTag("Fenced", () => Effect.succeed(0))
  )
  const turn = Effect.catchAllCause(
    together,
    (cause): ReturnType<typeof oneByOne> =>
      Cause.isInterrupted(cause) ? Effect.interrupt : oneByOne(all, claim)
  )
  return attended("states", turn, note)
}

/** A day in each transaction, until none is left. */
const detachDays = Effect.fn("collector.detachDays")(function* (keepDays: number, note: OwnOptions["note"]) {
  const sql = yield* SqlClient.SqlClient
  const marks = JSON.stringify(folds.map(markOf))
  const detachOne = sql<{ part: string }>`SELECT hooktape.detach_partitions(${keepDays},
    ARRAY(SELECT jsonb_array_elements_text(${marks}::jsonb))) AS part`
  for (let [gone] = yield* detachOne; gone !== undefined; [gone] = yield* detachOne)
    yield* note(`hooktape.${gone.part} was detached: export it, or drop it`)
  return hourMs
})

const days = ({ keepDays, note }: OwnOptions) =>
  attended(
    "days",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`SELECT hooktape.make_partitions(${partitionsAhead})`
      if (keepDays === undefined) return hourMs
      return yield* Effect.catchIf(detachDays(keepDays, note), isLocked, () =>
        Effect.as(note("a day that is over is read by somebody: it is detached later"), lockedRestMs)
      )
    }),
    note
  )

export const own = (options: OwnOptions) =>
  Effect.all([...Array.from({ length: workers }, () => folding(options)), days(options)], {
    concurrency: "unbounded",
    discard: true
  })
