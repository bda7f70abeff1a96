/** Chains are a fold over the log: in whichever steps the tables are brought up to date, they are as if made anew. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type { Chain } from "../../../src/features/chains/Chain.ts"
import { askChains, openChains } from "../../../src/features/chains/catchUp.ts"
import { type ChainFilter, candidateChains, listChains } from "../../../src/features/chains/find.ts"
import { follow } from "../../../src/features/chains/follow.ts"
import { memoryStore } from "../../../src/features/chains/memoryStore.ts"
import { relatedAll } from "../../../src/features/chains/relations.ts"
import { scoreOf, soughtBy } from "../../../src/features/chains/similar.ts"
import { fallbackProblem } from "../../../src/features/checks/fallback.ts"
import { signatureOfProblem } from "../../../src/features/checks/signature.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { holds, seed } from "../../support/arbitrary.ts"
import { call, outputs, shell, single } from "../../support/arbitraryCalls.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"
import { allOf, factOf, type Happening, prompted, together } from "../../support/toolCalls.ts"

const one = FastCheck.constantFrom

type Step =
  | {
      readonly type: "call"
      readonly call: Happening
      readonly session: string | null
      readonly project: string
      readonly afterMs: number
    }
  | { readonly type: "look"; readonly most: number }
  | { readonly type: "forget"; readonly nth: number }

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  {
    weight: 10,
    arbitrary: FastCheck.record({
      type: one("call" as const),
      call,
      session: one("s1", "s2", null),
      project: one("/p", "/q"),
      afterMs: FastCheck.oneof(
        { weight: 20, arbitrary: FastCheck.nat({ max: 60_000 }) },
        // Days go by, and clocks are set back.
        { weight: 1, arbitrary: one(2 * 86_400_000, -3_600_000) }
      )
    })
  },
  {
    weight: 3,
    arbitrary: FastCheck.record({ type: one("look" as const), most: FastCheck.integer({ min: 1, max: 5 }) })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({ type: one("forget" as const), nth: FastCheck.nat({ max: 10 }) })
  }
)

const claude = { agent: "claude-code" } as const

const fresh = () => join(mkdtempSync(join(homedir(), "chains-")), "log.sqlite")

const write = (file: string, steps: readonly Step[]) =>
  Effect.gen(function* () {
    const log = yield* EventLog
    let at = 1_763_000_000_000
    for (const [nth, now] of steps.entries()) {
      if (now.type === "look") {
        const steps = openChains(file, { most: now.most })
        steps.step()
        steps.close()
      } else if (now.type === "forget") {
        yield* log.forget([`invocation/i${now.nth}-0`, `invocation/i${now.nth}-1`])
        const truncated = { type: "LOG_TRUNCATED", before: 1, invocations: 1, reason: "old" }
        yield* log.append("operator/x", "any", [
          draftOf("operator/x", { type: "LOG_TRUNCATED", data: truncated })
        ])
      } else {
        const { project, session } = now
        at += now.afterMs
        for (const [part, told] of now.call.entries()) {
          const stream = `invocation/i${nth}-${part}`
          const { agent } = claude
          for (const data of allOf(told, session))
            yield* log.append(stream, "any", [
              draftOf(stream, { type: data.type, data, project, session, at, agent })
            ])
        }
      }
    }
  }).pipe(Effect.provide(layerSqlite({ file, source: "here" })), Effect.runPromise)

const chainsIn = (file: string): readonly Chain[] =>
  askChains(file, (db) => listChains(db, {}, -1)).toReversed()

/** Those that are not found by their own session and project, or are by others. */
const misplaced = (file: string): readonly Chain[] =>
  askChains(file, (db) =>
    listChains(db, {}, -1).filter(({ id, project, session }) => {
      const isFound = (of: ChainFilter): boolean => listChains(db, { id, ...of }, -1).length > 0
      return (
        !isFound({ project: project ?? undefined, session: session ?? undefined }) ||
        isFound({ session: "other" }) ||
        isFound({ project: "/other" })
      )
    })
  )

const dump = (file: string) => {
  chainsIn(file)
  const db = openPlainly(file)
  try {
    db.prepare("INSERT INTO chains_text (chains_text, rank) VALUES ('integrity-check', 1)").run()
    return ["chains", "chain_sightings", "chain_calls", "chain_steps"].map((table) =>
      db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()
    )
  } finally {
    db.close()
  }
}

const spoil = (file: string, statement: string): void => {
  const db = openPlainly(file)
  db.exec(statement)
  db.close()
}

describe("chains", () => {
  it("are the same in whichever steps they were made, with sessions and projects in between each other", async () => {
    const states = new Map<string, number>()
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.array(step, { minLength: 10, maxLength: 50 }), async (steps) => {
        const file = fresh()
        await write(file, steps)
        const incremental = dump(file)
        spoil(file, "DELETE FROM checkpoints WHERE name GLOB 'projection/chains/*'")
        expect(incremental).toEqual(dump(file))
        expect(misplaced(file)).toEqual([])
        for (const { state } of chainsIn(file)) states.set(state, (states.get(state) ?? 0) + 1)
      }),
      { numRuns: 60, seed }
    )
    for (const state of ["open", "attempted", "resolved", "suppressed", "abandoned"])
      expect(states.get(state) ?? 0, state).toBeGreaterThan(3)
  })

  it("of tables of another shape are made anew, and by the version before once more", async () => {
    const file = fresh()
    const failed = FastCheck.sample(shell, { numRuns: 60, seed }).map(
      (call): Step => ({ type: "call", call, session: "s", project: "/p", afterMs: 1 })
    )
    await write(file, failed)
    const before = dump(file)
    expect(before[0]?.length).toBeGreaterThan(1)
    // As another version leaves them: tables of its own under the names of ours, and its own mark.
    spoil(
      file,
      `DROP TABLE chains_text; DROP TABLE chains; CREATE TABLE chains (other TEXT);
       DELETE FROM checkpoints WHERE name GLOB 'projection/chains/*';
       INSERT INTO checkpoints VALUES ('projection/chains/999', 4)`
    )
    expect(dump(file)).toEqual(before)
    const db = openPlainly(file)
    const marks = "SELECT name FROM checkpoints WHERE name GLOB 'projection/chains/*' ORDER BY name"
    expect(db.prepare(marks).all()).toEqual([
      { name: "projection/chains/10" },
      { name: "projection/chains/10/shortened" }
    ])
    db.close()
  })

  it("are asked for by any text, which is data; a score is from 0 to 1, of the same text from 0.8", () => {
    const file = fresh()
    const text = FastCheck.oneof(
      outputs,
      FastCheck.fullUnicodeString({ maxLength: 40 }),
      one('"', "NEAR(", "*", "'; --")
    )
    return write(file, [{ type: "call", call: prompted, session: "s", project: "/p", afterMs: 1 }]).then(
      () => {
        chainsIn(file)
        const db = openPlainly(file, { readonly: true })
        try {
          holds(
            FastCheck.tuple(text, text),
            ([left, right]) => {
              candidateChains(db, soughtBy(left), { project: right })
              const sought = soughtBy(left)
              const problem = fallbackProblem(right)
              const score = scoreOf(sought, { problem, signature: signatureOfProblem(problem) })
              expect(score).toBeGreaterThanOrEqual(0)
              expect(score).toBeLessThanOrEqual(1)
              const own = fallbackProblem(left)
              expect(
                scoreOf(sought, { problem: own, signature: signatureOfProblem(own) })
              ).toBeGreaterThanOrEqual(0.8)
            },
            300
          )
        } finally {
          db.close()
        }
      }
    )
  })

  /** What is kept of them, without where it was told: the invocations of calls that ended in another order have other names. */
  const essence = (happenings: readonly { readonly happening: Happening; readonly session: string }[]) => {
    const { all, store } = memoryStore()
    let position = 0
    for (const { happening, session } of happenings)
      for (const told of happening) {
        position++
        const place = {
          stream: `invocation/i${position}`,
          position,
          at: 1,
          project: "/p",
          session,
          ...claude
        }
        follow(store, factOf(told, session), place)
      }
    return relatedAll(all())
      .map(({ attempts, ending, problem, relation, sightings, state }) =>
        JSON.stringify({ attempts, ending, problem, relation, sightings, state })
      )
      .sort()
  }

  const crowd = FastCheck.array(single, { minLength: 2, maxLength: 4 })

  it("are the same in whichever order calls end that began together", () => {
    let changed = 0
    holds(
      FastCheck.tuple(
        FastCheck.array(single, { maxLength: 6 }),
        FastCheck.array(FastCheck.tuple(crowd, FastCheck.infiniteStream(FastCheck.nat())), {
          minLength: 1,
          maxLength: 4
        }),
        FastCheck.array(single, { maxLength: 6 })
      ),
      ([before, crowds, after]) => {
        const orders = crowds.map(([calls, random]) =>
          calls
            .map((_, nth) => ({ nth, by: random.next().value as number }))
            .sort((a, b) => a.by - b.by)
            .map(({ nth }) => nth)
        )
        const told = (order: (at: number) => readonly number[] | undefined) =>
          [...before, ...crowds.map(([calls], at) => together(calls, order(at))), ...after].map(
            (happening) => ({
              happening,
              session: "s"
            })
          )
        const straight = essence(told(() => undefined))
        if (straight.length > 0) changed++
        expect(essence(told((at) => orders[at]))).toEqual(straight)
      },
      150
    )
    expect(changed).toBeGreaterThan(50)
  })

  it("are not crossed by a forked copy: what it repeats is neither a problem nor a proof, nor does it change the original", () => {
    let withChains = 0
    holds(
      FastCheck.tuple(
        FastCheck.array(single, { minLength: 2, maxLength: 12 }),
        FastCheck.array(single, { maxLength: 4 })
      ),
      ([history, more]) => {
        const of = (session: string, happenings: readonly Happening[]) =>
          happenings.map((happening) => ({ happening, session }))
        const original = essence(of("s", history))
        if (original.length > 0) withChains++
        expect(essence([...of("s", history), ...of("fork", history)])).toEqual(original)
        const alone = essence([...of("s", history), ...of("s", more)])
        const beside = essence([...of("s", history), ...of("fork", history), ...of("s", more)])
        expect(beside).toEqual(alone)
      },
      150
    )
    expect(withChains).toBeGreaterThan(50)
  })
})
