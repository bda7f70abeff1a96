/** What was imported has its own bound: the session that ended first goes first, and the log says how many went. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { EventLog, type EventLogShape } from "../../../src/log/EventLog.ts"
import { retainImported, sharesOf } from "../../../src/log/retainImported.ts"

const sessions = [
  { stream: "transcript/a", bytes: 100, newest: 3 },
  { stream: "transcript/b", bytes: 200, newest: 1 },
  { stream: "transcript/c", bytes: 100, newest: 2 }
]

/** A log whose file has a thousand bytes, half of them for what was imported. */
const logOf = (inside: readonly (typeof sessions)[0][] = sessions, outside = 400) => {
  const gone: string[] = []
  const said: unknown[] = []
  const log = {
    stats: Effect.succeed({ bytes: 1000 }),
    sizes: () => Effect.succeed({ inside, outside }),
    forget: (streams: readonly string[]) => Effect.sync(() => gone.push(...streams)),
    append: (stream: string, expected: string, drafts: readonly { data: object }[]) =>
      Effect.sync(() => said.push([stream, expected, ...drafts.map(({ data }) => data)]))
  } as unknown as EventLogShape
  return { gone, said, log }
}

const told = (reason: string) => [
  ["operator/here", "any", { type: "LOG_TRUNCATED", before: 0, invocations: 0, reason }]
]

describe("the file", () => {
  it.effect("is divided by how much there is of each", () =>
    Effect.gen(function* () {
      expect(yield* Effect.provideService(sharesOf, EventLog, logOf().log)).toEqual({
        recorded: 500,
        imported: 500,
        sessions: 3
      })
      expect(yield* Effect.provideService(sharesOf, EventLog, logOf([], 0).log)).toEqual({
        recorded: 1000,
        imported: 0,
        sessions: 0
      })
    })
  )
})

describe("what was imported", () => {
  const retained = (
    most: number | undefined,
    expected: number,
    streams: readonly string[],
    said: readonly unknown[]
  ) =>
    Effect.gen(function* () {
      const made = logOf()
      expect(yield* Effect.provideService(retainImported("here", most), EventLog, made.log)).toBe(expected)
      expect([made.gone, made.said]).toEqual([streams, said])
    })

  it.effect("stays where it is no more than it may be", () => retained(500, 0, [], []))
  it.effect("may be two gigabytes where nothing is said", () => retained(undefined, 0, [], []))
  it.effect("goes by the session that ended first", () =>
    retained(499, 1, ["transcript/b"], told("1 imported session: more than 499 bytes"))
  )
  it.effect("goes until it is no more than it may be", () =>
    retained(250, 1, ["transcript/b"], told("1 imported session: more than 250 bytes"))
  )
  it.effect("goes session by session", () =>
    retained(249, 2, ["transcript/b", "transcript/c"], told("2 imported sessions: more than 249 bytes"))
  )
})
