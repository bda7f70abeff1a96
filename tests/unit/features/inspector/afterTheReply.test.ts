/** Work after the reply that failed for good is told of wherever its call is: by its page, in lists, and in its session. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, expect, it } from "vitest"
import type { InvocationFact, JobFact } from "../../../../events/facts.ts"
import type { SessionId } from "../../../../events/ids.ts"
import { EventLog } from "../../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../../src/log/sqlite/SqliteLog.ts"
import * as fact from "../../../support/facts.ts"
import { answersOf } from "../../../support/inspector/answersOf.ts"
import * as job from "../../../support/jobs/facts.ts"
import { draftOf } from "../../../support/log/drafts.ts"

const bad = {
  name: "Error",
  message: "job is bad",
  stack: "Error: job is bad\n    at run (/p/hooks/later.ts:7:11)"
}
const session = "s-1" as SessionId

let state: string
let answers: ReturnType<typeof answersOf>
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "after-"))
  answers = answersOf(state)
})
afterEach(() => rmSync(state, { recursive: true }))

let at = 1_760_000_000_000

const recorded = (stream: string, data: InvocationFact | JobFact, event: string) =>
  draftOf(stream, { type: data.type, data, at: at++, agent: "claude-code", event, session })

const put = (stream: string, facts: readonly (InvocationFact | JobFact)[], event: string) =>
  Effect.gen(function* () {
    const { append } = yield* EventLog
    const [first, ...rest] = facts.map((one) => recorded(stream, one, event))
    if (first !== undefined) yield* append(stream, "any", [first, ...rest])
  }).pipe(Effect.provide(layerSqlite({ file: join(state, "log.sqlite"), source: "here" })), Effect.runPromise)

const idOf = (nth: number): string => `01890000-0000-7000-8000-00000000000${nth}`

/** Nobody had anything to say in it, and a job goes on. */
const call = async (nth: number, event: "tool.after" | "prompt.submit") => {
  const invocation = idOf(nth) as ReturnType<typeof fact.opened>["invocation"]
  const planned = { ...fact.plannedHandler("later", 0, { event }), job: idOf(nth + 4) }
  const use = event === "tool.after" ? "t-1" : null
  await put(
    `invocation/${invocation}`,
    [
      fact.opened({ invocation, agent: "claude-code", agentEvent: event }),
      fact.buffered({
        session,
        toolUseId: use,
        events: [{ event, data: event === "prompt.submit" ? { prompt: "go" } : {} }],
        ...(use === null ? {} : { tool: { name: "Bash", kind: "shell", input: null } })
      }),
      { type: "HANDLERS_PLANNED", handlers: [], left: [], background: [planned] },
      { type: "REPLY_DELIVERED", stdout: "", stderr: "", exitCode: 0, channels: [] },
      { type: "EXITED", code: 0, ms: { buffering: 1, handling: 1, emitting: 1 } }
    ],
    event
  )
  return { invocation, job: planned.job }
}

const dies = async ({ invocation, job: id }: Awaited<ReturnType<typeof call>>, more: object = {}) =>
  put(
    `job/${id}`,
    [
      job.enqueued({ job: id, invocation, handler: "later", event: "tool.after", maxAttempts: 1, ...more }),
      job.started(1),
      { type: "JOB_FAILED", attempt: 1, error: bad, ms: 1 },
      { type: "JOB_DIED", attempts: 1, error: bad }
    ],
    "tool.after"
  )

it("is told by the page of its call, with what was thrown and where", async () => {
  const one = await call(0, "tool.after")
  expect((await answers.call({}, one.invocation)).sentence).toMatchObject({ kind: "quiet", reason: null })
  await dies(one)
  const { jobs, sentence } = await answers.call({}, one.invocation)
  expect(sentence.kind).toBe("warn")
  expect(sentence.text).toContain("1 job went on after the reply, and later failed")
  expect(sentence.reason).toBe("Error: job is bad")
  expect(jobs).toMatchObject([
    {
      hook: "later",
      state: "dead",
      failure: {
        name: "Error",
        message: "job is bad",
        stack: [{ text: "run (/p/hooks/later.ts:7:11)" }]
      }
    }
  ])
})

it("is told of what a handler asked for as it ran, too", async () => {
  const one = await call(0, "tool.after")
  await dies({ ...one, job: idOf(9) }, { kind: "note", handler: "keeper" })
  const { jobs, sentence } = await answers.call({}, one.invocation)
  expect(sentence.text).toContain("2 jobs went on after the reply, and keeper failed")
  expect(jobs.map(({ hook, state: is }) => [hook, is])).toEqual([
    ["keeper", "dead"],
    ["later", "queued"]
  ])
})

it("leads to its call from among the actors and from its facts", async () => {
  const one = await call(0, "tool.after")
  await dies(one)
  const { kinds } = await answers.actors({ at }, "")
  expect(kinds.find(({ machine }) => machine === "job")?.actors).toMatchObject([
    { stream: `job/${one.job}`, invocation: one.invocation }
  ])
  const { facts } = await answers.facts({ stream: `job/${one.job}` }, "")
  expect(facts.find(({ type }) => type === "JOB_ENQUEUED")).toMatchObject({ invocation: one.invocation })
})

it("stands at the tool of its session, at the turn where it is about none, and at the session", async () => {
  const [asked, used] = [await call(1, "prompt.submit"), await call(0, "tool.after")]
  await dies(asked)
  await dies(used)
  const given = { by: "later", reason: "job is bad" }
  const { session: row, tools, turns } = await answers.session({}, session)
  expect(tools.flatMap(({ after, before }) => [...before, ...after])).toMatchObject([{ givenUp: given }])
  expect(turns).toMatchObject([{ givenUp: { ...given, invocation: asked.invocation } }])
  expect(row).toMatchObject({ failed: 2, givenUp: given })
})

it("is an effect of its call, which is else one of the silent ones", async () => {
  await call(0, "tool.after")
  const second = await call(1, "tool.after")
  await dies(second)
  const { calls, folds } = await answers.calls({ show: "effect" }, "")
  expect(calls.map(({ invocation }) => invocation)).toEqual([second.invocation])
  expect(folds).toMatchObject([{ calls: 1 }])
})

it("is of the attempt that failed, also while another runs", async () => {
  const one = await call(0, "tool.after")
  await put(
    `job/${one.job}`,
    [
      job.enqueued({ ...one, handler: "later", event: "tool.after", maxAttempts: 3 }),
      job.started(1),
      { type: "JOB_FAILED", attempt: 1, error: bad, ms: 1 },
      job.started(2)
    ],
    "tool.after"
  )
  const { jobs } = await answers.call({}, one.invocation)
  expect(jobs).toMatchObject([
    { state: "running", attempts: 2, failure: { attempt: 1, message: "job is bad" } }
  ])
})
