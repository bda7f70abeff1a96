/** What the inspector's API tells of chains, figures and imported sessions, of a log with both hooks and a transcript on it. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { beforeAll, describe, expect, it } from "vitest"
import { endpoints } from "../../../../src/features/inspector/contract/endpoints.ts"
import { makeAnswers } from "../../../../src/features/inspector/server/answers.ts"
import { makeBringUp } from "../../../../src/features/inspector/server/bringUp.ts"
import { askTimeline } from "../../../../src/features/timeline/catchUp.ts"
import { transcriptsAt } from "../../../../src/features/transcripts/findFiles.ts"
import { importFile } from "../../../../src/features/transcripts/importFile.ts"
import { EventLog } from "../../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../../src/log/sqlite/SqliteLog.ts"
import { draftOf } from "../../../support/log/drafts.ts"
import { transcriptFolder, writeTranscript } from "../../../support/observed.ts"
import { edited, factOf, ran } from "../../../support/toolCalls.ts"

const hooked = "11111111-aaaa-4000-8000-000000000001"
const past = "22222222-bbbb-4000-8000-000000000002"
const at = (second: number): string => new Date(Date.UTC(2026, 1, 3, 10, 0, second)).toISOString()

const red = "src/a.ts(3,5): error TS2339: Property 'id' does not exist on type 'User'."
const happenings = [
  ran("npx tsc --noEmit", 2, red, { id: "h-red" }),
  edited("/p/src/a.ts", "id: string", { id: "h-edit" }),
  ran("npx tsc --noEmit", 0, "", { id: "h-green" })
]

const row = (type: "user" | "assistant", second: number, content: unknown, more = {}) => ({
  type,
  uuid: `row-${second}`,
  timestamp: at(second),
  sessionId: past,
  cwd: "/other",
  version: "2.1.0",
  message: {
    role: type,
    content,
    ...(type === "assistant"
      ? { id: `m-${second}`, model: "a-model", usage: { input_tokens: 7, output_tokens: 5 } }
      : {})
  },
  ...more
})
const use = (id: string, command: string) => [{ type: "tool_use", id, name: "Bash", input: { command } }]
const result = (id: string, text: string, isError: boolean) => [
  { type: "tool_result", tool_use_id: id, content: text, is_error: isError }
]

const transcript = [
  row("user", 1, "Mend the types of the ledger"),
  row("assistant", 2, use("p-red", "npx tsc --noEmit")),
  row("user", 3, result("p-red", `Exit code 2\n${red}`, true), {
    toolUseResult: `Error: Exit code 2\n${red}`
  }),
  row("assistant", 4, use("p-look", "git status")),
  row("user", 5, result("p-look", "clean", false), { toolUseResult: { stdout: "clean", stderr: "" } })
]

let answers: ReturnType<typeof makeAnswers>

beforeAll(async () => {
  const state = mkdtempSync(join(homedir(), "insight-"))
  const file = join(state, "log.sqlite")
  const written = writeTranscript(join(transcriptFolder(), `${past}.jsonl`), transcript)
  await Effect.gen(function* () {
    const { append } = yield* EventLog
    let second = 0
    for (const told of happenings.flat()) {
      second += 1
      const stream = `invocation/i${second}`
      const data = factOf(told, hooked)
      yield* append(stream, "any", [
        draftOf(stream, {
          type: data.type,
          data,
          session: hooked,
          project: "/p",
          agent: "claude-code",
          at: Date.parse(at(20 + second))
        })
      ])
    }
    for (const one of transcriptsAt([written], undefined).files) yield* importFile(one, { now: Date.now() })
  }).pipe(Effect.provide(layerSqlite({ file, source: "here" })), Effect.runPromise)
  answers = makeAnswers({
    ask: (question) => askTimeline(file, (db) => question({ db, state, now: Date.now(), version: "1" })),
    hasNews: () => true,
    hasSpooled: () => false,
    takeIn: async () => {},
    bringUp: makeBringUp(file),
    actors: async () => undefined,
    host: async () => undefined,
    agents: async () => []
  })
})

/** As the page gets it: what the contract does not know would be lost on the way. */
const checked = <A>(name: keyof typeof endpoints, value: A): A => {
  Schema.decodeUnknownSync(Schema.typeSchema(endpoints[name].answer as Schema.Schema.AnyNoContext), {
    onExcessProperty: "error"
  })(value)
  return value
}

describe("the inspector's API", () => {
  it("tells chains from the problem to the fix, with what showed that it is gone", async () => {
    const all = checked("chains", await answers.chains({}, ""))
    const [chain] = checked("chains", await answers.chains({ session: hooked }, "")).chains
    expect(all.states).toEqual(expect.objectContaining({ resolved: 1 }))
    expect(all.total).toBe(2)
    expect(chain).toMatchObject({
      state: "resolved",
      family: "tsc",
      seen: 1,
      sightings: [{ toolUse: "h-red" }],
      fix: [{ toolUse: "h-edit", kind: "edit" }],
      proof: { toolUse: "h-green", shown: "proved" }
    })
    const open = checked("chains", await answers.chains({ state: "open" }, ""))
    expect(open.chains.map(({ session }) => session)).toEqual([past])
    expect((await answers.chains({ chain: chain?.chain ?? "" }, "")).chains).toEqual([chain])
  })

  it("tells every figure with n, coverage and definition, and why one is unknown", async () => {
    const { bySession, coverage, metrics, projects } = checked("metrics", await answers.metrics({}, ""))
    expect(coverage).toEqual({ hooks: 3, transcript: 2, both: 0 })
    expect(projects).toEqual(["/other", "/p"])
    expect(
      metrics.every(
        ({ counts, definition, value, why }) =>
          counts !== "" && definition !== "" && (value !== null || why !== undefined)
      )
    ).toBe(true)
    expect(metrics.find(({ id }) => id === "tool-calls")).toMatchObject({ value: 5, n: 2 })
    expect(metrics.find(({ id }) => id === "errors-check")).toMatchObject({
      value: 2 / 5,
      n: 5,
      interval: expect.any(Array)
    })
    expect(bySession.map(({ session, values }) => [session, values["tool-calls"]])).toEqual([
      [past, 2],
      [hooked, 3]
    ])
    const none = checked("metrics", await answers.metrics({ project: "/nowhere" }, ""))
    expect(none).toMatchObject({ sessions: 0, from: null, bySession: [], projects })
  })

  it("gives a session that only a transcript tells of, marked as such, with checks, chains and tokens", async () => {
    const detail = checked("session", await answers.session({}, past))
    expect(detail.session).toMatchObject({
      source: "transcript",
      agent: "claude-code",
      calls: 0,
      turns: 1,
      tools: 2,
      title: "Mend the types of the ledger"
    })
    expect(detail.checks).toEqual({ green: 0, red: 1, unknown: 0 })
    expect(
      detail.tools.map(({ source, turn, use: id, verdict }) => [
        id,
        verdict,
        source,
        turn === detail.turns[0]?.turn
      ])
    ).toEqual([
      ["p-red", "red", "transcript", true],
      ["p-look", null, "transcript", true]
    ])
    expect(detail.tools[0]?.chains).toEqual([{ chain: detail.chains?.[0]?.chain, part: "problem" }])
    expect(detail.tokens).toMatchObject({ input: 14, output: 10, model: "a-model" })
  })

  it("finds imported calls where they are asked for, and by their words", async () => {
    const { calls, total } = checked("calls", await answers.calls({ show: "transcript" }, ""))
    expect(total).toBe(3)
    expect(calls.map(({ source, subject }) => [subject, source])).toEqual([
      ["git status", "transcript"],
      ["npx tsc --noEmit", "transcript"],
      ["Mend the types of the ledger", "transcript"]
    ])
    const found = checked("search", await answers.search({ text: "the ledger" }, ""))
    expect(found.calls.map(({ source }) => source)).toEqual(["transcript"])
    expect(found.sessions.map(({ session }) => session)).toEqual([past])
  })
})
