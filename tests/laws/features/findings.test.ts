/** What is found in payloads tells whoever has none the same as the payloads told, but for their texts. */
import Sqlite from "better-sqlite3"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { chainStates } from "../../../src/features/chains/chainStates.ts"
import { follow } from "../../../src/features/chains/follow.ts"
import { memoryStore } from "../../../src/features/chains/memoryStore.ts"
import { scopeKey } from "../../../src/features/chains/scopeKey.ts"
import { findIn } from "../../../src/features/findings/findIn.ts"
import { createFollowed, followedTables } from "../../../src/features/findings/followedTables.ts"
import { measuresOf } from "../../../src/features/metrics/compute.ts"
import type { SessionMoments } from "../../../src/features/metrics/Moment.ts"
import { momentStates } from "../../../src/features/metrics/momentStates.ts"
import { type Buffered, momentsOf } from "../../../src/features/metrics/momentsOf.ts"
import { traceOf } from "../../../src/features/metrics/trace.ts"
import type { PlacedFact } from "../../../src/log/KeyedFold.ts"
import { hiding } from "../../../src/tools/shipping/hiding.ts"
import { shapeOf } from "../../../src/tools/shipping/shape.ts"
import { seed } from "../../support/arbitrary.ts"
import { call } from "../../support/arbitraryCalls.ts"
import { statesBy } from "../../support/sums.ts"
import { factOf, type Happening } from "../../support/toolCalls.ts"
import { unsaid } from "../../support/unsaid.ts"

const hide = hiding(Buffer.alloc(32, 7))

interface Told {
  readonly whole: readonly { readonly data: Buffered; readonly place: PlacedFact["place"] }[]
  readonly shipped: readonly PlacedFact[]
}

const db = new Sqlite(":memory:")
for (const statement of createFollowed) db.exec(statement)
const tables = followedTables(db)

/** A session as its machine has it, and as it is on the wire. */
const told = (calls: readonly Happening[]): Told => {
  tables.forget(scopeKey({ session: "s", project: "/p" }))
  const whole = calls.flat().map((one, nth) => ({
    data: factOf(one, "s") as Buffered,
    place: {
      position: nth + 1,
      stream: `invocation/i${nth}`,
      at: 1_763_000_000_000 + nth * 7000,
      agent: "claude-code",
      project: "/p",
      session: "s"
    }
  }))
  const shipped = whole.map(({ data, place }): PlacedFact => {
    const findings = findIn(tables.of(place), data, place, hide)
    const sent = shapeOf(data.type, { ...data, findings })
    return { type: data.type, data: JSON.parse(JSON.stringify(sent)), place }
  })
  return { whole, shipped }
}

const sessions = FastCheck.array(call, { minLength: 3, maxLength: 40 })

const plain = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A

describe("findings", () => {
  it("make the chains that the payloads make, but for their texts", () => {
    const states = new Map<string, number>()
    FastCheck.assert(
      FastCheck.property(sessions, (calls) => {
        const { shipped, whole } = told(calls)
        const { all, store } = memoryStore()
        for (const { data, place } of whole) follow(store, data as never, place)
        const chains = [...statesBy(chainStates, shipped).values()]
        expect(chains.map((chain) => plain(unsaid(chain)))).toEqual(
          all().map((chain) => plain(unsaid(chain)))
        )
        for (const { state } of chains) states.set(state, (states.get(state) ?? 0) + 1)
      }),
      { numRuns: 150, seed }
    )
    for (const state of ["open", "attempted", "resolved", "suppressed", "abandoned", "cleared"])
      expect(states.get(state) ?? 0, state).toBeGreaterThan(0)
  })

  it("make the figures that the payloads make, but for those of lines", () => {
    const known = new Set<string>()
    FastCheck.assert(
      FastCheck.property(sessions, (calls) => {
        const { shipped, whole } = told(calls)
        const direct: SessionMoments = {
          agent: "claude-code",
          session: "s",
          project: "/p",
          moments: whole.flatMap(({ data, place }) => {
            const found = momentsOf(data, place.agent, place.stream.slice("invocation/".length))
            return (found?.moments ?? []).map((moment) => ({
              moment,
              at: place.at,
              source: "hooks" as const,
              subagent: found?.subagent ?? null
            }))
          })
        }
        const [state] = statesBy(momentStates, shipped).values()
        const figures = (session: SessionMoments) =>
          measuresOf(
            { traces: [traceOf(session)], hooks: { calls: [], runs: [] }, checkpoints: [] },
            { hourOf: (at) => new Date(at).getUTCHours() }
          ).filter(({ id }) => id !== "churn")
        const own = figures(state as SessionMoments)
        expect(own).toEqual(figures(direct))
        for (const { id, value } of own) if (value !== null) known.add(id)
      }),
      { numRuns: 150, seed }
    )
    for (const id of ["first-pass", "time-to-green", "errors-misuse", "errors-check", "tool-calls", "rework"])
      expect([...known]).toContain(id)
  })
})
