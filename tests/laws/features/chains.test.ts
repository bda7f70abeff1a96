/** Chains are a fold over the log: in whichever steps the tables are brought up to date, they are as if made anew. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type { Chain } from "../../../src/features/chains/Chain.ts"
import { askChains, openChains } from "../../../src/features/chains/catchUp.ts"
import { candidateChains, listChains } from "../../../src/features/chains/find.ts"
import { scoreOf, soughtBy } from "../../../src/features/chains/similar.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { holds, seed } from "../../support/arbitrary.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"

const one = FastCheck.constantFrom
const commands = one(
  "npm test",
  "npm test -- a",
  "cd sub && npm test",
  "grep x a",
  "node a.js",
  "pip install x",
  "ls",
  "npm test | tail"
)
const outputs = one(
  "Error: connect ECONNREFUSED 127.0.0.1:1",
  "TypeError: x is not a function",
  "1 passed",
  ""
)
const paths = one("/p/a.ts", "/p/b.ts")

const shell = FastCheck.record({ command: commands, output: outputs, exitCode: one(0, 1, undefined) }).map(
  ({ command, exitCode, output }) => {
    const code = exitCode === undefined ? {} : { exitCode }
    const error = { signature: soughtBy(output).signature, message: output, tool: "Bash" }
    return {
      tool: { kind: "shell", name: "Bash", input: null, command, ...code },
      events: [
        { event: "tool.after", data: {} },
        { event: "command.ran", data: { command, output, ...code } },
        ...(exitCode === 1 ? [{ event: "error.observed", data: error }] : [])
      ]
    }
  }
)

const edit = FastCheck.record({ path: paths, ok: FastCheck.boolean() }).map(({ ok, path }) => ({
  tool: { kind: "edit", name: "Edit", input: null, path, ok },
  events: [
    { event: "tool.after", data: {} },
    ok
      ? { event: "file.edited", data: { path } }
      : { event: "error.observed", data: { signature: "not found", message: "not found", tool: "Edit" } }
  ]
}))

const call = FastCheck.oneof(
  { weight: 8, arbitrary: shell },
  { weight: 4, arbitrary: edit },
  { weight: 1, arbitrary: FastCheck.constant({ events: [{ event: "session.end", data: {} }] }) }
)

type Step =
  | {
      readonly type: "call"
      readonly call: object
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
        yield* log.forget([`invocation/i${now.nth}`])
        const truncated = { type: "LOG_TRUNCATED", before: 1, invocations: 1, reason: "old" }
        yield* log.append("operator/x", "any", [
          draftOf("operator/x", { type: "LOG_TRUNCATED", data: truncated })
        ])
      } else {
        const { project, session } = now
        at += now.afterMs
        const stream = `invocation/i${nth}`
        const data = {
          type: "PAYLOAD_BUFFERED",
          bytes: 2,
          payload: "{}",
          session,
          toolUseId: null,
          ...now.call
        }
        yield* log.append(stream, "any", [draftOf(stream, { type: data.type, data, project, session, at })])
      }
    }
  }).pipe(Effect.provide(layerSqlite({ file, source: "here" })), Effect.runPromise)

const chainsIn = (file: string): readonly Chain[] =>
  askChains(file, (db) => listChains(db, {}, -1)).toReversed()

const dump = (file: string) => {
  chainsIn(file)
  const db = openPlainly(file)
  try {
    db.prepare("INSERT INTO chains_text (chains_text, rank) VALUES ('integrity-check', 1)").run()
    return db.prepare("SELECT * FROM chains ORDER BY row").all()
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
        for (const { state } of chainsIn(file)) states.set(state, (states.get(state) ?? 0) + 1)
      }),
      { numRuns: 60, seed }
    )
    for (const state of ["open", "attempted", "resolved", "abandoned"])
      expect(states.get(state) ?? 0, state).toBeGreaterThan(5)
  })

  it("of tables of another shape are made anew, and by the version before once more", async () => {
    const file = fresh()
    const failed = FastCheck.sample(shell, { numRuns: 30, seed }).map(
      (call): Step => ({ type: "call", call, session: "s", project: "/p", afterMs: 1 })
    )
    await write(file, failed)
    const before = dump(file)
    expect(before.length).toBeGreaterThan(1)
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
      { name: "projection/chains/3" },
      { name: "projection/chains/3/shortened" }
    ])
    db.close()
  })

  it("are asked for by any text, which is data; a score is from 0 to 1, the same both ways, 1 of itself", () => {
    const file = fresh()
    const text = FastCheck.oneof(
      outputs,
      FastCheck.fullUnicodeString({ maxLength: 40 }),
      one('"', "NEAR(", "*", "'; --")
    )
    return write(file, [
      { type: "call", call: { events: [] }, session: "s", project: "/p", afterMs: 1 }
    ]).then(() => {
      chainsIn(file)
      const db = openPlainly(file, { readonly: true })
      try {
        holds(
          FastCheck.tuple(text, text),
          ([left, right]) => {
            candidateChains(db, soughtBy(left), { project: right })
            const score = scoreOf(soughtBy(left), soughtBy(right))
            expect(score).toBeGreaterThanOrEqual(0)
            expect(score).toBeLessThanOrEqual(1)
            expect(scoreOf(soughtBy(right), soughtBy(left))).toBe(score)
            expect(scoreOf(soughtBy(left), soughtBy(left))).toBeGreaterThanOrEqual(0.8)
          },
          300
        )
      } finally {
        db.close()
      }
    })
  })
})
