/** One law for every store of states: they are what the fold itself makes of the facts, in whichever steps those came. */
import * as FastCheck from "effect/FastCheck"
import { expect } from "vitest"
import type { InvocationFact } from "../../events/facts.ts"
import { chainStates } from "../../src/features/chains/chainStates.ts"
import type { ChainStore } from "../../src/features/chains/follow.ts"
import { memoryStore } from "../../src/features/chains/memoryStore.ts"
import { findIn } from "../../src/features/findings/findIn.ts"
import { momentStates } from "../../src/features/metrics/momentStates.ts"
import type { Buffered } from "../../src/features/metrics/momentsOf.ts"
import { blockSums } from "../../src/features/sums/blockSum.ts"
import { hookSums } from "../../src/features/sums/hookSum.ts"
import { sessionSums } from "../../src/features/sums/sessionSum.ts"
import type { KeyedFold, PlacedFact } from "../../src/log/KeyedFold.ts"
import { hiding } from "../../src/tools/shipping/hiding.ts"
import { seed } from "./arbitrary.ts"
import { call } from "./arbitraryCalls.ts"
import {
  buffered,
  delivered,
  exited,
  failed,
  opened,
  plannedHandler,
  skipped,
  succeeded,
  timedOut
} from "./facts.ts"
import { edited, factOf, type Happening, ran } from "./toolCalls.ts"

export interface Happened {
  readonly data: InvocationFact
  readonly session: string | null
  /** A round of the store's begins before it. */
  readonly look: boolean
}

const handler = FastCheck.constantFrom("format", "guard").map((name) => plannedHandler(name, 0))
const ms = FastCheck.integer({ min: 0, max: 50_000 }).map((thousandths) => thousandths / 1000)

const blocking = { type: "BLOCKING_FEEDBACK" as const, reason: "no" }

const blockedReply: InvocationFact = {
  ...delivered(2),
  type: "REPLY_DELIVERED",
  stdout: "",
  stderr: "no",
  exitCode: 2,
  channels: [{ intent: "BLOCKING_FEEDBACK", handler: "guard", channel: "stderr" }]
}

const data: FastCheck.Arbitrary<InvocationFact> = FastCheck.oneof(
  FastCheck.constantFrom(opened(), buffered(), delivered(), blockedReply, exited()),
  ms.map((handling): InvocationFact => ({ type: "EXITED", code: 0, ms: { handling, waiting: 0.25 } })),
  handler.map((one) => failed(one)),
  handler.map((one) => timedOut(one)),
  handler.map((one) => skipped(one)),
  handler.map((one) => succeeded(one, [blocking])),
  FastCheck.tuple(handler, FastCheck.constantFrom("policy team 1.0.0", "policy team 1.1.0")).map(
    ([one, from]) => ({ ...succeeded(one, [blocking]), from }) as InvocationFact
  ),
  FastCheck.tuple(handler, ms).map(([one, took]) => ({ ...succeeded(one), ms: took }) as InvocationFact)
)

type Part = Pick<Happened, "session" | "look"> &
  ({ readonly data: InvocationFact } | { readonly call: Happening })

const hide = hiding(Buffer.alloc(32, 7))

/** With what each payload told, of calls that go on where those of its session before them ended. */
const withFindings = (parts: readonly Part[]): readonly Happened[] => {
  const sessions = new Map<string | null, ChainStore>()
  let nth = 0
  return parts.flatMap((part): readonly Happened[] => {
    if ("data" in part) return [part]
    const { call, look, session } = part
    return call.map((told, at) => {
      const fact = factOf(told, session) as Buffered
      nth++
      const place = { position: nth, stream: `invocation/i${nth}`, at: nth, agent: "claude-code" }
      const store = sessions.get(session) ?? memoryStore().store
      sessions.set(session, store)
      const findings = findIn(store, fact, { ...place, project: "/p", session }, hide)
      return { data: { ...fact, findings }, session, look: look && at === 0 }
    })
  })
}

/** A problem that was mended, in as many rounds as there are calls. */
const mended = withFindings(
  [
    ran("npx tsc", 2, "a.ts(3,5): error TS2304: Cannot find name 'x'."),
    edited("/p/a.ts", "const x = 1"),
    ran("npx tsc", 0)
  ].map((one) => ({ call: one, session: "s1", look: true }))
)

const where = { session: FastCheck.constantFrom("s1", "s2", null), look: FastCheck.boolean() }

export const happenings: FastCheck.Arbitrary<readonly Happened[]> = FastCheck.array(
  FastCheck.oneof(
    { weight: 3, arbitrary: FastCheck.record({ data, ...where }) },
    { weight: 1, arbitrary: FastCheck.record({ call, ...where }) }
  ) as FastCheck.Arbitrary<Part>,
  { minLength: 1, maxLength: 40 }
).map(withFindings)

export const folds: readonly KeyedFold<unknown>[] = [
  sessionSums,
  hookSums,
  blockSums,
  chainStates,
  momentStates
]

/** What the fold makes of them, with no store at all. */
export const statesBy = <S>(fold: KeyedFold<S>, facts: readonly PlacedFact[]): ReadonlyMap<string, S> => {
  const states = new Map<string, S>()
  for (const fact of facts) {
    for (const key of fold.types.includes(fact.type) ? fold.keysOf(fact) : []) {
      const state = fold.step(states.get(key), fact, key)
      if (state !== undefined) states.set(key, state)
    }
  }
  return states
}

export interface StateStore {
  /** What it was given, as its folds see it, and by the name of each fold the states it has. */
  readonly after: (facts: readonly Happened[]) => Promise<{
    readonly taken: readonly PlacedFact[]
    readonly states: Readonly<Record<string, ReadonlyMap<string, unknown>>>
  }>
}

export const keepsWhatFoldsMake = async ({ after }: StateStore, numRuns: number): Promise<void> => {
  let blocked = 0
  const chains = new Set<string>()
  await FastCheck.assert(
    FastCheck.asyncProperty(happenings, async (facts) => {
      const { states, taken } = await after(facts)
      expect(taken).toHaveLength(facts.length)
      for (const fold of folds) expect(states[fold.name]).toEqual(statesBy<unknown>(fold, taken))
      for (const { state } of statesBy(chainStates, taken).values()) chains.add(state)
      blocked += [...statesBy(sessionSums, taken).values()].filter((state) => state.blocked > 0).length
    }),
    // However few there are, one has a reply that stopped the agent, and one a problem that was mended.
    { numRuns, seed, examples: [[[{ data: blockedReply, session: "s1", look: false }]], [mended]] }
  )
  expect(blocked).toBeGreaterThan(0)
  expect([...chains]).toContain("resolved")
}
