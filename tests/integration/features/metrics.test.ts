/** The shipped hook `metrics`: at a checkpoint it keeps how the session stands, after what learns from it, and never at its cost. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type { MemoryFact } from "../../../events/facts.ts"
import { takeChanged } from "../../../src/features/checkpoints/takeChanged.ts"
import { learnFromCheckpoint } from "../../../src/features/learning/hooks/learnFromCheckpoint.ts"
import { openMetrics } from "../../../src/features/metrics/catchUp.ts"
import { metrics } from "../../../src/features/metrics/metrics.ts"
import { openReader } from "../../../src/log/reader.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { type Station, station } from "../../support/entrypoint.ts"

type Metrics = Extract<MemoryFact, { type: "METRICS_RECORDED" }>

const equipped = async (hooks: Readonly<Record<string, string>> = {}): Promise<Station> => {
  const at = await station()
  for (const [name, text] of Object.entries(hooks)) at.putUser(`hooks/${name}.ts`, text)
  at.putUser("config.json", JSON.stringify({ hooks: { metrics: { background: false } } }))
  await Effect.runPromise(buildHooks({ state: at.state, userFolder: at.userFolder, defaults: true }))
  return at
}

const raw = (at: Station, event: string, payload: object) =>
  at.fire({ agent: "raw", event, input: JSON.stringify(payload) })

const command = (at: Station, session: string, text: string, exitCode: number) =>
  raw(at, "tool.after", {
    session,
    tool: {
      name: "sh",
      kind: "shell",
      command: text,
      exitCode,
      response: exitCode === 0 ? "" : "Tests  1 failed"
    }
  })

const checkpoint = (at: Station, session: string) => {
  const reader = openReader(at.state)
  return takeChanged(reader, {
    state: at.state,
    project: at.project,
    cwd: at.project,
    trigger: "turn.stop",
    session
  }).finally(() => reader.close())
}

const recorded = async (at: Station): Promise<readonly Metrics[]> =>
  (await at.facts()).flatMap(({ data, known, type }) =>
    known && type === "METRICS_RECORDED" ? [data as Metrics] : []
  )

const figureOf = (of: Metrics | undefined, id: string) => of?.figures.find(({ metric }) => metric === id)

describe("the hook metrics", () => {
  it("comes after what learns from a checkpoint, and waits for no agent", () => {
    expect(metrics).toMatchObject({
      name: "metrics",
      on: "checkpoint.after",
      priority: 300,
      background: true
    })
    expect(metrics.priority ?? 0).toBeGreaterThan(learnFromCheckpoint.priority ?? 0)
  })

  it("keeps the figures of the session and its project with the checkpoint, from the session's start on", async () => {
    const at = await equipped()
    await raw(at, "session.start", { session: "s-1", source: "startup" })
    await command(at, "s-1", "npm test", 1)
    await command(at, "s-1", "npm test", 0)
    await command(at, "s-2", "ls", 0)
    await checkpoint(at, "s-1")
    const [first] = await recorded(at)
    const facts = await at.facts()
    const start = facts.find(({ event, type }) => type === "PAYLOAD_BUFFERED" && event === "session.start")
    const taken = facts.find(({ type }) => type === "CHECKPOINT_RECORDED")
    expect(first).toMatchObject({ session: "s-1", project: at.project, since: start?.at })
    expect(taken?.data).toMatchObject({ checkpoint: first?.checkpoint })
    expect(figureOf(first, "tool-calls")).toMatchObject({ value: 2 })
    expect(figureOf(first, "errors-check")).toMatchObject({ value: 0.5, n: 2 })
    expect(figureOf(first, "time-to-green")?.n).toBe(1)
    expect(figureOf(first, "tokens")).toBeUndefined()
  })

  it("counts a session without a start from its checkpoint before, and the first one from now", async () => {
    const at = await equipped()
    await command(at, "s-1", "npm test", 0)
    await checkpoint(at, "s-1")
    const before = (await at.facts()).find(({ type }) => type === "CHECKPOINT_RECORDED")
    await command(at, "s-1", "npm run build", 0)
    await checkpoint(at, "s-1")
    const [first, second] = await recorded(at)
    expect(first?.since).toBeGreaterThanOrEqual(before?.at ?? Number.POSITIVE_INFINITY)
    expect(figureOf(first, "tool-calls")).toMatchObject({ value: 0 })
    expect(second?.since).toBe(before?.at)
    expect(figureOf(second, "tool-calls")).toMatchObject({ value: 1 })
  })

  it("may fail: that is recorded, and the checkpoint stands as it is", async () => {
    const at = await equipped({
      breaks: `import { defineHook } from "hooktape"
        export default defineHook({ name: "breaks", on: "checkpoint.after", priority: 1,
          run: () => { Date.prototype.getHours = () => { throw new Error("no hours") } } })\n`
    })
    const hours = Date.prototype.getHours
    await raw(at, "session.start", { session: "s-1", source: "startup" })
    await command(at, "s-1", "npm test", 0)
    try {
      expect(await checkpoint(at, "s-1")).toEqual({ quality: 100 })
    } finally {
      Date.prototype.getHours = hours
    }
    const facts = await at.facts()
    expect(facts.filter(({ type }) => type === "CHECKPOINT_RECORDED")).toHaveLength(1)
    expect(facts.flatMap(({ data, type }) => (type === "HANDLER_FAILED" ? [data] : []))).toMatchObject([
      { handler: "metrics", policy: "allow", error: { message: "no hours" } }
    ])
    expect(await recorded(at)).toEqual([])
  })
})

describe("the tables of metrics", () => {
  it("are made once, when they are first asked for, and then only go on", async () => {
    const at = await equipped()
    await command(at, "s-1", "npm test", 0)
    await at.facts()
    const open = () => openMetrics(join(at.state, "log.sqlite"))
    const first = open()
    expect(first.isMade()).toBe(false)
    while (first.step());
    expect(first.isMade()).toBe(true)
    first.close()
    const again = open()
    expect(again.isMade()).toBe(true)
    expect(again.step()).toBe(false)
    again.close()
  })
})
