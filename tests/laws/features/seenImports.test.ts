/** What transcripts tell can be looked at beside what hooks recorded, each call once, whichever came onto the log first. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { ObservedFact } from "../../../events/observedFacts.ts"
import { searchProjection } from "../../../src/features/search/tables.ts"
import { askTimeline } from "../../../src/features/timeline/catchUp.ts"
import { findCalls, sessionsNamed } from "../../../src/features/timeline/find.ts"
import { findObserved } from "../../../src/features/timeline/findObserved.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { projectInMemory } from "../../../src/log/projection.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import * as facts from "../../support/facts.ts"
import { draftOf } from "../../support/log/drafts.ts"

const base = 1_760_000_000_000
const place = { source: "transcript", cwd: "/p", turn: "p1" } as const

const bash = (call: string, command: string, more: object = {}): ObservedFact => ({
  type: "TOOL_CALL_OBSERVED",
  ...place,
  call,
  name: "Bash",
  input: { command },
  response: { stdout: "", stderr: "", interrupted: false },
  told: "ok",
  ...more
})

const observed = (at: number, fact: ObservedFact) =>
  draftOf("transcript/claude-code/s1", {
    type: fact.type,
    at: base + at,
    agent: "claude-code",
    session: "s1",
    project: "/p",
    data: fact
  })

const prompt = { type: "PROMPT_OBSERVED", ...place, text: "mend the build" } as const

const transcript = [
  observed(0, prompt),
  observed(5, { ...prompt, text: "a notification", automatic: true }),
  observed(1000, bash("t1", "make all")),
  observed(
    2000,
    bash("t2", "make check", { told: "failed", response: "Exit code 2\nno rule to make", exitCode: 2 })
  ),
  observed(3000, bash("t3", "sleep 9", { told: "running" })),
  observed(4000, bash("t4", "make check"))
]

/** The prompt and the first call, as hooks recorded them. */
const live = (["prompt.submit", "tool.before"] as const).map((event, nth) => {
  const id = `01890000-0000-7000-8000-00000000000${nth}`
  const marks = { agent: "claude-code", session: "s1", project: "/p", at: base + nth * 1000 + 20 }
  const tool = { kind: "shell", name: "Bash", command: "make all", input: null } as const
  return [
    facts.opened({ invocation: id as never, agent: "claude-code", project: "/p" }),
    facts.buffered({
      session: "s1" as never,
      toolUseId: event === "tool.before" ? "t1" : null,
      payload: JSON.stringify({ prompt_id: "p1" }),
      events: [{ event, data: { prompt: "mend the build" } }],
      ...(event === "tool.before" ? { tool } : {})
    })
  ].map((data) => draftOf(`invocation/${id}`, { ...marks, type: data.type, data }))
})

type Drafts = readonly ReturnType<typeof observed>[]

const shownOf = (rounds: readonly Drafts[]) => {
  const file = join(mkdtempSync(join(homedir(), "seen-")), "log.sqlite")
  return Effect.gen(function* () {
    const log = yield* EventLog
    for (const drafts of rounds) {
      for (const draft of drafts) yield* log.append(draft.stream, "any", [draft])
      askTimeline(file, () => undefined)
    }
    const { calls, named, seen } = askTimeline(file, (db) => ({
      calls: findCalls(db, {}, base),
      seen: findObserved(db, {}),
      named: sessionsNamed(db, "s1")
    }))
    const search = projectInMemory(file, searchProjection)
    const documents = search
      .prepare<unknown[], { kind: string; text: string }>(
        "SELECT kind, text FROM search_documents ORDER BY kind, text"
      )
      .all()
    search.close()
    return {
      named,
      calls: calls.map(({ event, subject }) => `${event} ${subject}`),
      seen: seen.map(({ event, exitCode, subject, told }) => `${event} ${subject} ${told} ${exitCode}`),
      documents: documents.map(({ kind, text }) => `${kind} ${text.split("\n")[0]}`)
    }
  }).pipe(Effect.provide(layerSqlite({ file, source: "test" })), Effect.runPromise)
}

describe("what a transcript tells", () => {
  it("is there to be looked at: prompts that somebody typed and calls, with how they ended", async () => {
    const shown = await shownOf([transcript])
    expect(shown.calls).toEqual([])
    expect(shown.seen).toEqual([
      "prompt.submit mend the build undefined undefined",
      "tool.before make all ok undefined",
      "tool.before make check failed 2",
      "tool.before sleep 9 running undefined",
      "tool.before make check ok undefined"
    ])
    expect(shown.named).toEqual(["s1"])
    expect(shown.documents).toContain("prompt mend the build")
    expect(shown.documents).toContain("fix `make check` failed, and succeeded later.")
    expect(shown.documents.join()).not.toContain("a notification")
  })

  it("is one with what a hook saw, whichever came first", async () => {
    const hooks = live.flat()
    const before = await shownOf([transcript, hooks])
    const after = await shownOf([hooks, transcript])
    const between = await shownOf([transcript.slice(0, 3), hooks, transcript.slice(3)])
    expect(before.calls).toHaveLength(2)
    expect(before.seen.map((one) => one.split(" ").slice(1, 3).join(" "))).toEqual([
      "make check",
      "sleep 9",
      "make check"
    ])
    expect(before.documents.filter((one) => one.startsWith("prompt"))).toEqual(["prompt mend the build"])
    expect(after).toEqual(before)
    expect(between).toEqual(before)
  })

  it("is no call in which a hook had a word", async () => {
    const file = join(mkdtempSync(join(homedir(), "seen-")), "log.sqlite")
    await Effect.gen(function* () {
      const log = yield* EventLog
      for (const draft of transcript) yield* log.append(draft.stream, "any", [draft])
    }).pipe(Effect.provide(layerSqlite({ file, source: "test" })), Effect.runPromise)
    askTimeline(file, (db) => {
      for (const query of [{ blocked: true }, { failed: true }, { hook: "guard" }, { open: true }])
        expect(findObserved(db, query)).toEqual([])
      expect(findObserved(db, { text: "CHECK", limit: 1 })).toMatchObject([
        { subject: "make check", told: "ok" }
      ])
      expect(findObserved(db, { session: "s2" })).toEqual([])
    })
  })
})
