/** A session that hooks recorded and a transcript shows: imported before it, after it or amid it, chains and metrics are the same. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type { CallEnd, CallObserved } from "../../../events/observedFacts.ts"
import { askChains, openChains } from "../../../src/features/chains/catchUp.ts"
import { listChains } from "../../../src/features/chains/find.ts"
import { relatedAll } from "../../../src/features/chains/relations.ts"
import { openMetrics } from "../../../src/features/metrics/catchUp.ts"
import { measuresOf } from "../../../src/features/metrics/compute.ts"
import { findSessions } from "../../../src/features/metrics/find.ts"
import { traceOf } from "../../../src/features/metrics/trace.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import type { RedactedDraft } from "../../../src/redact/redact.ts"
import { seed } from "../../support/arbitrary.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"
import { edited, factOf, type Happening, ran } from "../../support/toolCalls.ts"

const one = FastCheck.constantFrom
const start = 1_763_000_000_000

/** How a transcript has a call: as a hook was told it, without an end, or not at all; and whether hooks saw it. */
type Shown = "whole" | "cut" | "absent"

interface Call {
  readonly happening: Happening
  readonly told: CallEnd
  readonly exitCode?: number
  readonly output: string
  readonly shown: Shown
  readonly hooked: boolean
}

const shell = FastCheck.tuple(
  one("npm test", "npx tsc", "npm test -- a", "ls"),
  one(0, 1),
  one(
    " Tests  1 passed (1)",
    "a.ts(1,2): error TS2304: Cannot find name 'x'.",
    "TypeError: x is not a function\n    at f (/p/a.ts:1:2)"
  )
).map(([command, exitCode, output]) => ({
  happening: ran(command, exitCode, output),
  told: (exitCode === 0 ? "ok" : "failed") as CallEnd,
  exitCode,
  output
}))
const edit = one("/p/a.ts", "/p/b.ts").map((path) => ({
  happening: edited(path, "x"),
  told: "ok" as CallEnd,
  output: ""
}))

const call: FastCheck.Arbitrary<Call> = FastCheck.tuple(
  FastCheck.oneof({ weight: 3, arbitrary: shell }, { weight: 2, arbitrary: edit }),
  one<Shown>("whole", "whole", "whole", "cut", "absent"),
  FastCheck.oneof({ weight: 4, arbitrary: one(true) }, { weight: 1, arbitrary: one(false) })
).map(([what, shown, hooked]) => ({ ...what, shown, hooked }))

const marks = { session: "s", project: "/p", agent: "claude-code" } as const

const hookDrafts = (calls: readonly Call[]): readonly RedactedDraft[] =>
  calls.flatMap(({ happening, hooked }, nth) =>
    hooked
      ? happening.map((told, part) => {
          const data = factOf(told, "s")
          return draftOf(`invocation/i${nth}-${part}`, {
            type: data.type,
            data: data as never,
            ...marks,
            at: start + nth * 60_000 + part * 1000
          })
        })
      : []
  )

const transcriptDrafts = (calls: readonly Call[]): readonly RedactedDraft[] =>
  calls.flatMap(({ exitCode, happening, output, shown, told }, nth) => {
    const asked = happening[0]?.payload as {
      readonly tool_use_id: string
      readonly tool_name: string
      readonly tool_input: CallObserved["input"]
    }
    const at = start + nth * 60_000
    const end =
      shown === "cut"
        ? { told: "untold" as const }
        : {
            told,
            ended: at + 1000,
            response:
              told === "failed"
                ? `Exit code ${exitCode}\n${output}`
                : { stdout: output, stderr: "", interrupted: false },
            ...(exitCode === undefined ? {} : { exitCode })
          }
    const data: CallObserved = {
      type: "TOOL_CALL_OBSERVED",
      source: "transcript",
      call: asked.tool_use_id,
      name: asked.tool_name,
      input: asked.tool_input,
      ...end
    }
    return shown === "absent"
      ? []
      : [draftOf("transcript/claude-code/s", { type: data.type, data: data as never, ...marks, at })]
  })

const look = (file: string): void => {
  for (const open of [openChains, openMetrics]) {
    const steps = open(file, { most: 3 })
    steps.step()
    steps.close()
  }
}

/** `looks`: brought up to date, a piece of it, after each fact. */
const toldBy = async (drafts: readonly RedactedDraft[], looks: boolean) => {
  const file = join(mkdtempSync(join(homedir(), "order-")), "log.sqlite")
  await Effect.gen(function* () {
    const log = yield* EventLog
    for (const draft of drafts) {
      yield* log.append(draft.stream, "any", [draft])
      if (looks) look(file)
    }
  }).pipe(Effect.provide(layerSqlite({ file, source: "here" })), Effect.runPromise)
  const chains = relatedAll(askChains(file, (db) => listChains(db, {}, -1)).toReversed()).map(
    ({ attempts, ending, problem, relation, sightings, state }) =>
      JSON.stringify({ attempts, ending, problem, relation, sightings, state })
  )
  const steps = openMetrics(file)
  while (steps.step());
  steps.close()
  const db = openPlainly(file)
  try {
    const sessions = findSessions({ prepare: (sql) => db.prepare(sql) }, {})
    const figures = measuresOf(
      { traces: sessions.map(traceOf), hooks: { calls: [], runs: [] }, checkpoints: [] },
      { hourOf: (when) => new Date(when).getUTCHours() }
    ).map(({ id, n, value }) => ({ id, n, value }))
    return { chains: chains.sort(), figures }
  } finally {
    db.close()
  }
}

describe("a transcript", () => {
  it("that is imported before, after or amid its session gives the same chains and metrics", async () => {
    let withChains = 0
    await FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.array(call, { minLength: 3, maxLength: 9 }).chain((calls) => {
          const hooks = hookDrafts(calls)
          const observed = transcriptDrafts(calls)
          const all = [...hooks, ...observed]
          return FastCheck.tuple(
            FastCheck.constant([hooks, observed] as const),
            FastCheck.shuffledSubarray(all, { minLength: all.length })
          )
        }),
        async ([[hooks, observed], shuffled]) => {
          const after = await toldBy([...hooks, ...observed], false)
          if (after.chains.length > 0) withChains++
          expect(await toldBy([...observed, ...hooks], true)).toEqual(after)
          expect(await toldBy(shuffled, true)).toEqual(after)
        }
      ),
      { numRuns: 12, seed }
    )
    expect(withChains).toBeGreaterThan(4)
  })

  it("that tells no more than hooks did, or has lost how calls ended, changes nothing", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.array(call, { minLength: 3, maxLength: 9 }).map((calls) =>
          calls.map((one): Call => ({ ...one, hooked: true }))
        ),
        async (calls) => {
          const hooks = hookDrafts(calls)
          const alone = await toldBy(hooks, false)
          expect((await toldBy([...hooks, ...transcriptDrafts(calls)], true)).chains).toEqual(alone.chains)
        }
      ),
      { numRuns: 12, seed }
    )
  })
})
