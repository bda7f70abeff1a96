/** What the session monitor's quick check finds, one kind after the other, and what it leaves alone. */
import { describe, expect, it } from "vitest"
import { staleNotes, unconfirmedNotes } from "../../../src/features/monitor/check/agingNotes.ts"
import { brokenBuilds } from "../../../src/features/monitor/check/brokenBuilds.ts"
import { contradictions } from "../../../src/features/monitor/check/contradictions.ts"
import { failingHandlers } from "../../../src/features/monitor/check/failingHandlers.ts"
import { growth } from "../../../src/features/monitor/check/growth.ts"
import { loopingHooks } from "../../../src/features/monitor/check/loopingHooks.ts"
import { lostInvocations } from "../../../src/features/monitor/check/lostInvocations.ts"
import { spoolErrors } from "../../../src/features/monitor/check/spoolErrors.ts"
import { check } from "../../../src/features/monitor/checks.ts"
import type { Evidence } from "../../../src/features/monitor/Evidence.ts"
import type { ReadFact } from "../../../src/log/reader.ts"
import type { Note } from "../../../src/runtime/services/Note.ts"

const now = Date.parse("2026-06-01T00:00:00.000Z")
const dayMs = 86_400_000

const note = (text: string, given: Partial<Note> & { readonly days?: number } = {}): Note => {
  const { days = 0, ...rest } = given
  return {
    note: `note-${text}`,
    at: new Date(now - days * dayMs).toISOString(),
    text,
    kind: "note",
    tags: [],
    importance: null,
    confidence: null,
    source: "operator",
    project: "/p",
    session: null,
    confirmed: 0,
    confirmedAt: null,
    from: null,
    evidence: [],
    retracted: null,
    ...rest
  }
}

let facts = 0
const fact = (type: string, data: object, given: Partial<ReadFact> = {}): ReadFact => ({
  id: `id-${++facts}` as ReadFact["id"],
  stream: `invocation/${facts}`,
  type: type as never,
  schemaVersion: 1,
  at: now,
  cause: null,
  agent: "codex",
  agentEvent: null,
  event: null,
  session: "s",
  project: "/p",
  toolUseId: null,
  data: { type, ...data } as never,
  position: facts,
  ...given
})

const evidence = (given: Partial<Evidence> = {}): Evidence => ({
  now,
  notes: [],
  facts: [],
  spoolErrors: [],
  logBytes: 0,
  spooled: 0,
  ...given
})

describe("contradicting notes", () => {
  it.each([
    ["Use tabs in src", "Do not use tabs in src"],
    ["Never push to the main branch", "Always push to the main branch"],
    ["The package manager is npm", "the package manager is pnpm."],
    ["port: 3000", "port: 8080"]
  ])("are %s, and %s", (one, other) => {
    const found = contradictions(
      evidence({ notes: [note(one), note("Something else entirely"), note(other)] })
    )
    expect(found).toMatchObject([{ severity: "critical", reference: `note-${other}` }])
    expect(found[0]?.description).toContain(one)
  })

  it.each([
    ["Use tabs in src", "Use tabs in src"],
    ["Use tabs in src", "Do not commit on Fridays"],
    ["The package manager is npm", "The linter is biome"],
    ["No", "Yes"]
  ])("are not %s, and %s", (one, other) => {
    expect(contradictions(evidence({ notes: [note(one), note(other)] }))).toEqual([])
  })

  it("are of one project, and nothing that hooks kept of a session", () => {
    const one = note("port: 1")
    expect(contradictions(evidence({ notes: [one, note("port: 2", { project: "/other" })] }))).toEqual([])
    expect(contradictions(evidence({ notes: [one, note("port: 2", { kind: "session" })] }))).toEqual([])
  })
})

describe("notes that age", () => {
  it("were never confirmed after 30 days, and are stale 90 days after the last word", () => {
    const notes = [
      note("new", { days: 29 }),
      note("open", { days: 30 }),
      note("old", { days: 90 }),
      note("kept", { days: 400, confirmed: 1, confirmedAt: new Date(now - dayMs).toISOString() }),
      note("summary", { days: 400, kind: "session" })
    ]
    expect(unconfirmedNotes(evidence({ notes })).map(({ reference }) => reference)).toEqual(["note-open"])
    expect(staleNotes(evidence({ notes })).map(({ reference }) => reference)).toEqual(["note-old"])
  })
})

const run = (handler: string, ok: boolean) =>
  ok
    ? fact("HANDLER_SUCCEEDED", { handler, event: "tool.before", intents: [] })
    : fact("HANDLER_FAILED", { handler, event: "tool.before", error: { name: "E", message: "boom" } })

describe("handlers", () => {
  it("that fail often are warned of, those that only fail are broken", () => {
    const of = (handler: string, runs: string) => [...runs].map((one) => run(handler, one === "+"))
    const found = failingHandlers(
      evidence({
        facts: [...of("fine", "+++++-"), ...of("shaky", "+-+-"), ...of("broken", "---"), ...of("rare", "--")]
      })
    )
    expect(found.map(({ category, reference, severity }) => [reference, category, severity])).toEqual([
      ["shaky", "failing handler", "warning"],
      ["broken", "broken hook", "critical"]
    ])
    expect(found[1]?.description).toBe("broken failed in 3 of its last 3 runs: boom")
  })

  it("that were repaired are fine: only the last runs count", () => {
    const facts = [
      ...Array.from({ length: 20 }, () => run("a", false)),
      ...Array.from({ length: 20 }, () => run("a", true))
    ]
    expect(failingHandlers(evidence({ facts }))).toEqual([])
  })

  it("that are late fail as well", () => {
    const facts = Array.from({ length: 3 }, () =>
      fact("HANDLER_TIMED_OUT", { handler: "slow", event: "turn.stop" })
    )
    expect(failingHandlers(evidence({ facts }))).toMatchObject([{ reference: "slow", severity: "critical" }])
  })
})

describe("looping hooks", () => {
  const stop = (handler: string, blocks: boolean, session = "s") =>
    fact(
      "HANDLER_SUCCEEDED",
      { handler, event: "turn.stop", intents: blocks ? [{ type: "BLOCKING_FEEDBACK", reason: "no" }] : [] },
      { session }
    )

  it("keep a turn from ending four times in a row", () => {
    const facts = [
      ...Array.from({ length: 4 }, () => stop("loop", true)),
      ...[true, true, false, true, true].map((blocks) => stop("ok", blocks))
    ]
    expect(loopingHooks(evidence({ facts }))).toMatchObject([
      { category: "looping hook", reference: "loop", severity: "critical" }
    ])
    const apart = ["a", "b", "c", "d"].map((session) => stop("loop", true, session))
    expect(loopingHooks(evidence({ facts: apart }))).toEqual([])
  })

  it("are also those whose jobs die one after the other", () => {
    const facts = ["1", "2", "3"].flatMap((job) => [
      fact("JOB_ENQUEUED", { job, kind: "hook", handler: "learn" }, { stream: `job/${job}` }),
      fact("JOB_DIED", { attempts: 5 }, { stream: `job/${job}` })
    ])
    expect(loopingHooks(evidence({ facts }))).toMatchObject([{ reference: "learn", severity: "warning" }])
    expect(loopingHooks(evidence({ facts: facts.slice(2) }))).toEqual([])
  })
})

describe("builds", () => {
  it("that failed last are broken hooks", () => {
    const failed = (project: string) => fact("BUILD_FAILED", { project, errors: ["a.ts:1: no"] })
    const built = (project: string) => fact("HOOKS_BUILT", { project })
    const found = brokenBuilds(evidence({ facts: [failed("/a"), failed("/b"), built("/b"), built("/c")] }))
    expect(found).toMatchObject([{ reference: "/a", severity: "critical", category: "broken hook" }])
  })
})

describe("lost invocations", () => {
  const of = (id: string, pid: number, ended: boolean) => [
    fact("INVOCATION_OPENED", { agentEvent: "Stop", pid }, { stream: `invocation/${id}` }),
    ...(ended ? [fact("EXITED", { code: 0 }, { stream: `invocation/${id}` })] : [])
  ]
  const alive = (pid: number) => pid === 1

  it("are those whose process is gone; ten of them are critical", () => {
    const facts = [...of("a", 2, true), ...of("b", 2, false), ...of("c", 1, false)]
    expect(lostInvocations(evidence({ facts }), alive)).toMatchObject([
      { severity: "warning", reference: "b", description: "1 invocation never ended, such as Stop b" }
    ])
    const many = Array.from({ length: 10 }, (_, at) => of(`${at}`, 2, false)).flat()
    expect(lostInvocations(evidence({ facts: many }), alive)).toMatchObject([{ severity: "critical" }])
  })

  it("are none whose beginning was not read", () => {
    expect(lostInvocations(evidence({ facts: [run("a", true)] }), alive)).toEqual([])
  })
})

describe("the store", () => {
  it("is reported where it grows past what upkeep leaves, and where nobody empties the spool", () => {
    const gigabyte = 2 ** 30
    expect(growth(evidence({ logBytes: gigabyte - 1, spooled: 999 }))).toEqual([])
    expect(growth(evidence({ logBytes: gigabyte }))).toMatchObject([{ severity: "warning" }])
    expect(growth(evidence({ logBytes: 4 * gigabyte, spooled: 1000 }))).toMatchObject([
      { severity: "critical" },
      { reference: "spool" }
    ])
  })

  it("tells what could not be taken in", () => {
    expect(
      spoolErrors(evidence({ spoolErrors: [{ file: "a.ndjson:3", reason: "not JSON" }] }))
    ).toMatchObject([
      {
        category: "spool error",
        severity: "warning",
        description: "a.ndjson:3 could not be taken into the log: not JSON"
      }
    ])
  })
})

describe("all of them together", () => {
  it("find nothing in what is healthy, and tell critical things first", async () => {
    expect(await check(evidence({ notes: [note("a note")], facts: [run("a", true)] }))).toEqual([])
    const found = await check(
      evidence({
        notes: [note("old", { days: 100 })],
        facts: Array.from({ length: 3 }, () => run("bad", false))
      })
    )
    expect(found.map(({ severity }) => severity)).toEqual(["critical", "warning"])
  })
})
