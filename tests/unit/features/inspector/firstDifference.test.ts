/** Where a call that was done again parts from the recorded one, both values are told: the lines of both facts may read the same. */
import { expect, it } from "vitest"
import type { InvocationFact } from "../../../../events/facts.ts"
import type { FactId } from "../../../../events/ids.ts"
import { blockingFeedback } from "../../../../events/intents.ts"
import { noMarks, type Recorded } from "../../../../events/Recorded.ts"
import { comparedWith } from "../../../../src/features/inspector/acts/compared.ts"
import type { Call } from "../../../../src/features/timeline/Call.ts"
import { compareRuns } from "../../../../src/tools/replay/compareRuns.ts"
import { recomputed } from "../../../../src/tools/replay/recomputed.ts"
import * as fact from "../../../support/facts.ts"

const guard = fact.plannedHandler("guard", 0)

const runWith = (reason: string): readonly InvocationFact[] => [
  fact.opened(),
  fact.buffered(),
  fact.planned([guard]),
  fact.started(guard),
  fact.succeeded(guard, [blockingFeedback(reason)]),
  fact.delivered(2)
]

const recordedAs = (facts: readonly InvocationFact[]): readonly Recorded[] =>
  facts.map((data, at) => ({
    ...noMarks,
    id: `fact-${at}` as FactId,
    stream: "invocation/01890000-0000-7000-8000-000000000000",
    type: data.type,
    schemaVersion: 1,
    at,
    cause: null,
    position: at + 1,
    version: at + 1,
    source: "test",
    recordedAt: at,
    known: true,
    data
  }))

it("at the reason of a block", () => {
  const recorded = recordedAs(runWith("not so"))
  const facts = runWith("never so")
  const [first] = compareRuns("01890000-0000-7000-8000-000000000000", recorded, facts)
  const compared = comparedWith({} as Call, recorded, { facts, first })
  expect(compared.first).toEqual({ fact: 4, path: "intents[0].reason", old: "not so", new: "never so" })
})

it("and a recorded run is there once more without a hook, with its reply said anew", () => {
  const recorded = recordedAs(runWith("not so"))
  const again = recomputed(recorded)
  expect(again?.map(({ type }) => type)).toEqual(recorded.map(({ type }) => type))
  expect(again?.at(-1)).toMatchObject({ channels: [{ intent: "BLOCKING_FEEDBACK", handler: "guard" }] })
  expect(recomputed(recorded.slice(1))).toBe(undefined)
})
