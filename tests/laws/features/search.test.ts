/** What can be found is a fold over the log: in whichever steps it is brought up to date, it is as if made anew. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { catchUp, openSearchIndex } from "../../../src/features/search/catchUp.ts"
import { find } from "../../../src/features/search/find.ts"
import { allOf, anyOf, shared, termsOf } from "../../../src/features/search/terms.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { holds, seed } from "../../support/arbitrary.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"

type Step =
  | {
      readonly type: "fact"
      readonly data: { readonly type: string }
      readonly session: string | null
      readonly project: string
      readonly stream: number
    }
  | { readonly type: "look"; readonly most: number }
  | { readonly type: "forget"; readonly stream: number }

const one = FastCheck.constantFrom
const words = one("timeout", "redis", "Connection refused", "größe", "npm test failed", "")

const event = FastCheck.oneof(
  FastCheck.record({ event: one("prompt.submit"), data: FastCheck.record({ prompt: words }) }),
  FastCheck.record({
    event: one("error.observed"),
    data: FastCheck.record({ signature: words, message: words })
  }),
  FastCheck.record({
    event: one("file.edited"),
    data: FastCheck.record({ path: one("/p/a.ts", "/p/b.ts") })
  }),
  FastCheck.record({
    event: one("command.ran"),
    data: FastCheck.record({
      command: one("npm test", "npm  test", "make", ""),
      exitCode: one(0, 1),
      output: words
    })
  }),
  FastCheck.record({ event: one("session.end"), data: FastCheck.constant({}) })
)

const data = FastCheck.oneof(
  {
    weight: 4,
    arbitrary: FastCheck.array(event, { maxLength: 3 }).map((events) => ({
      type: "PAYLOAD_BUFFERED",
      bytes: 2,
      payload: "{}",
      session: null,
      toolUseId: null,
      events
    }))
  },
  FastCheck.record({
    type: one("NOTE_RECORDED"),
    note: one("n1", "n2"),
    text: words,
    kind: one("note", "summary")
  }),
  FastCheck.record({ type: one("NOTE_RETRACTED"), note: one("n1", "n2"), by: one("operator") }),
  FastCheck.record({ type: one("HOST_REACHED") }),
  FastCheck.record({ type: one("NOTE_RECORDED"), text: FastCheck.integer() })
)

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  {
    weight: 6,
    arbitrary: FastCheck.record({
      type: one("fact" as const),
      data,
      session: one("s1", "s2", null),
      project: one("/p", "/q"),
      stream: FastCheck.nat({ max: 3 })
    })
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({ type: one("look" as const), most: FastCheck.integer({ min: 1, max: 4 }) })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({ type: one("forget" as const), stream: FastCheck.nat({ max: 3 }) })
  }
)

let count = 0
const fresh = () => join(mkdtempSync(join(homedir(), "search-")), `log-${count++}.sqlite`)

const dump = (file: string) => {
  const db = openPlainly(file)
  try {
    db.prepare("INSERT INTO search_text (search_text, rank) VALUES ('integrity-check', 1)").run()
    return {
      documents: db.prepare("SELECT * FROM search_documents ORDER BY id").all(),
      failures: db.prepare("SELECT * FROM search_failures ORDER BY id").all()
    }
  } finally {
    db.close()
  }
}

const anew = (file: string) => {
  const db = openPlainly(file)
  db.prepare("DELETE FROM checkpoints WHERE name LIKE 'projection/search%'").run()
  db.close()
  catchUp(file)
  return dump(file)
}

describe("what can be found", () => {
  it("is the same in whichever steps it was made, also when the log was shortened in between", async () => {
    let documents = 0
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const file = fresh()
        const act = Effect.gen(function* () {
          const log = yield* EventLog
          for (const now of steps) {
            if (now.type === "look") {
              const index = openSearchIndex(file, { most: now.most })
              index.step()
              index.close()
            } else if (now.type === "forget") {
              yield* log.forget([`invocation/${now.stream}`])
              const truncated = { type: "LOG_TRUNCATED", before: 1, invocations: 1, reason: "old" }
              yield* log.append("operator/x", "any", [
                draftOf("operator/x", { type: "LOG_TRUNCATED", data: truncated })
              ])
            } else {
              const { data, project, session } = now
              const stream = `invocation/${now.stream}`
              yield* log.append(stream, "any", [draftOf(stream, { type: data.type, data, project, session })])
            }
          }
        })
        await Effect.runPromise(Effect.provide(act, layerSqlite({ file, source: "here" })))
        catchUp(file)
        const incremental = dump(file)
        documents += incremental.documents.length
        expect(incremental).toEqual(anew(file))
      }),
      { numRuns: 25, seed }
    )
    expect(documents).toBeGreaterThan(60)
  })
})

describe("a question", () => {
  it("is data: no text of it is a mistake to the index, and every word of a text finds the text", async () => {
    const file = fresh()
    const text = "The Redis-Verbindung in `src/größe.ts` was refused: ECONNREFUSED 127.0.0.1:6379"
    const note = { type: "NOTE_RECORDED", note: "n", text }
    await Effect.runPromise(
      Effect.provide(
        Effect.flatMap(EventLog, (log) =>
          log.append("note/n", "any", [draftOf("note/n", { type: "NOTE_RECORDED", data: note })])
        ),
        layerSqlite({ file, source: "here" })
      )
    )
    catchUp(file)
    const db = openPlainly(file, { readonly: true })
    try {
      const odd = FastCheck.stringOf(
        FastCheck.oneof(
          one(
            '"',
            "'",
            "*",
            "(",
            ")",
            ":",
            "^",
            "-",
            "+",
            " AND ",
            " OR ",
            " NEAR(",
            "{",
            "}",
            "\0",
            "\\",
            ";",
            "ä",
            "日本"
          ),
          FastCheck.fullUnicode()
        ),
        { maxLength: 30 }
      )
      holds(
        odd,
        (query) => {
          find(db, { query })
          find(db, { query, match: "any", project: query, kinds: ["note"] })
        },
        500
      )
      for (const word of [
        "redis",
        "verbindung",
        "GRÖßE",
        "größe",
        "refuse",
        "econnrefused",
        "6379",
        '"src/größe.ts"',
        "redis verb"
      ])
        expect(find(db, { query: word }), word).toHaveLength(1)
      for (const nothing of ["", "   ", '""', "*", "postgres"])
        expect(find(db, { query: nothing }), nothing).toEqual([])
      expect(allOf('"refused redis"')).toBe('"refused redis"')
    } finally {
      db.close()
    }
  })

  it("is made of its words", () => {
    expect(allOf('redis "connection refused" time')).toBe('"redis" AND "connection refused" AND "time"*')
    expect(allOf("done. ")).toBe('"done"')
    expect(allOf(" * ")).toBeUndefined()
    expect(anyOf("Why does the Redis test time out?")).toBe('"redis" OR "test" OR "time"')
    expect(anyOf("to be or not to be")).toBe('"to" OR "be" OR "or" OR "not" OR "to" OR "be"')
    expect(termsOf("word ".repeat(100))).toEqual(["word"])
  })

  it("shares words with a text in whichever form they are in", () => {
    expect(shared(["tests", "failing", "policies", "redis"], "The test failed by policy")).toBe(3)
    expect(shared([], "x")).toBe(0)
  })
})
