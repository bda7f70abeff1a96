/** What a handler wants remembered becomes a job: one for each call, the same whenever the same fact is looked at. */
import { describe, expect, it } from "vitest"
import type { ServiceCalled } from "../../../events/facts.ts"
import { type FactId, type InvocationId, isUuid } from "../../../events/ids.ts"
import { type Draft, noMarks } from "../../../events/Recorded.ts"
import { jobsOf, noteJob } from "../../../src/runtime/enqueue.ts"

const id = "01890000-0000-7000-8000-000000000001"
const invocation = "01890000-0000-7000-8000-000000000000" as InvocationId
const marks = { ...noMarks, agent: "codex", event: "turn.stop", session: "s", project: "/p" }
const called = (more: Partial<ServiceCalled> = {}): ServiceCalled => ({
  type: "SERVICE_CALLED",
  handler: "learn",
  event: "tool.after",
  index: 0,
  attempt: 1,
  call: 1,
  service: "notes.add",
  input: { text: "remember", tags: ["a"] },
  result: null,
  ms: 1,
  ...more
})
const jobs = (more: Partial<ServiceCalled> = {}) => noteJob(called(more), { id, at: 5, marks, invocation })

describe("a note that a handler stores", () => {
  it("is a job of its call, caused by what was recorded of it", () => {
    const [job, ...others] = jobs()
    expect(others).toEqual([])
    expect(job).toMatchObject({
      ...marks,
      event: "tool.after",
      type: "JOB_ENQUEUED",
      schemaVersion: 1,
      at: 5,
      cause: id,
      stream: `job/${job?.data.job}`
    })
    expect(job?.data).toEqual({
      type: "JOB_ENQUEUED",
      job: job?.data.job,
      kind: "note",
      maxAttempts: 5,
      deadlineMs: 60_000,
      input: { text: "remember", tags: ["a"], source: "hook learn" },
      invocation,
      handler: "learn",
      event: "tool.after"
    })
    expect(jobs()).toEqual([job])
  })

  it("has ids of its own for each call, each attempt and each handler", () => {
    const all = [0, 1, 2].flatMap((index) =>
      [1, 2, 3].flatMap((attempt) => [1, 2, 9999, 10_000].flatMap((call) => jobs({ index, attempt, call })))
    )
    const ids = all.flatMap((one) => [one.id, one.data.job])
    expect(new Set(ids).size).toBe(2 * 36)
    expect(ids.every(isUuid)).toBe(true)
  })

  it("is none where it was not stored, or something else was asked", () => {
    expect(jobs({ error: { name: "E", message: "m" } })).toEqual([])
    expect(jobs({ service: "notes.search" })).toEqual([])
  })

  it("follows from the fact as it was recorded", () => {
    const draft = {
      ...marks,
      id: id as FactId,
      stream: `invocation/${invocation}`,
      type: "SERVICE_CALLED",
      schemaVersion: 1,
      at: 5,
      cause: null,
      data: called()
    } as Draft<ServiceCalled>
    expect(jobsOf(draft)).toEqual(jobs())
    expect(jobsOf({ ...draft, type: "EXITED" } as never)).toEqual([])
  })
})
