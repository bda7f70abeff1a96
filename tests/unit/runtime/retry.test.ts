/** A hook that is tried again while it fails: how often, until when, and what is said of it. */
import { describe, expect, it } from "vitest"
import { blockingFeedback, userHint } from "../../../events/intents.ts"
import { replayInvocation } from "../../../src/tools/replay/replayInvocation.ts"
import { plainAdapter, registered, tell, type World } from "../../support/world.ts"

/** Fails so often, then answers. */
const failing = (times: number) => {
  let left = times
  return () => {
    if (left-- > 0) throw new Error(`failure ${times - left}`)
    return userHint("done")
  }
}

type Options = Parameters<typeof registered>[0][string]

const trying = (options: Options, world: World = {}) =>
  tell({ registry: registered({ a: options }), ...world })

const ends = [
  "HANDLER_STARTED",
  "HANDLER_FAILED",
  "HANDLER_SUCCEEDED",
  "HANDLER_TIMED_OUT",
  "HANDLER_SKIPPED"
]

const course = ({ log }: Awaited<ReturnType<typeof tell>>) =>
  log.flatMap((fact) =>
    ends.includes(fact.type) && "attempt" in fact ? [`${fact.type} ${fact.attempt}`] : []
  )

const retry = { attempts: 3, delay: 1 } as const

describe("a hook with retry", () => {
  it("runs once where it succeeds", async () => {
    const told = await trying({ retry, run: failing(0) })
    expect(course(told)).toEqual(["HANDLER_STARTED 1", "HANDLER_SUCCEEDED 1"])
  })

  it("is tried again, and what counts is how it ends", async () => {
    const told = await trying({ retry, onFailure: "block", run: failing(2) })
    expect(course(told)).toEqual([
      "HANDLER_STARTED 1",
      "HANDLER_FAILED 1",
      "HANDLER_STARTED 2",
      "HANDLER_FAILED 2",
      "HANDLER_STARTED 3",
      "HANDLER_SUCCEEDED 3"
    ])
    expect(told.delivered[0]).toMatchObject({
      exitCode: 0,
      stdout: `${JSON.stringify({ hint: "done" })}\n`,
      stderr: "hook a failed: failure 1; it is tried again\nhook a failed: failure 2; it is tried again\n"
    })
    expect(told.find("EXITED")[0]?.summary).toEqual({ planned: 1, started: 1, succeeded: 1 })
  })

  it("has its policy applied once its attempts are used up", async () => {
    const told = await trying({ retry, onFailure: "block", run: failing(9) })
    expect(told.find("HANDLER_FAILED")).toHaveLength(3)
    expect(told.delivered[0]).toMatchObject({ exitCode: 2 })
    expect(told.delivered[0]?.stderr.match(/Its policy is to block/g)).toHaveLength(1)
  })

  it("calls onError after each attempt, and says what the last one wanted", async () => {
    const errors: string[] = []
    const told = await trying({
      retry: { attempts: 2, delay: 1 },
      run: failing(9),
      onError: ({ message }) => {
        errors.push(message)
        return blockingFeedback(message)
      }
    })
    expect(errors).toEqual(["failure 1", "failure 2"])
    expect(told.delivered[0]?.stderr).not.toMatch(/^failure 1$/m)
    expect(told.delivered[0]?.stderr).toMatch(/^failure 2$/m)
  })

  it("does not begin an attempt for which its own deadline leaves no time", async () => {
    const told = await trying({ retry: { attempts: 3, delay: 30_000 }, deadline: 20_000, run: failing(9) })
    expect(course(told)).toEqual(["HANDLER_STARTED 1", "HANDLER_FAILED 1"])
  })

  it("does not wait for an attempt that the invocation has no time for, and then its failure counts", async () => {
    let now = 0
    const told = await tell({
      deadlineMs: 1000,
      elapsed: () => now,
      registry: registered({
        slow: () => {
          now = 900
        },
        a: { retry: { attempts: 3, delay: 300 }, onFailure: "block", run: failing(9) }
      })
    })
    expect(told.find("HANDLER_SKIPPED")[0]).toMatchObject({
      attempt: 2,
      reason: "the invocation's time would be over before the next attempt"
    })
    expect(told.delivered[0]?.exitCode).toBe(2)
    expect(told.delivered[0]?.stderr).toContain("The hook a failed: failure 1. Its policy is to block.")
  })

  it("is not tried again after it was late", async () => {
    const told = await trying({ retry, deadline: 20, run: () => new Promise(() => undefined) })
    expect(course(told)).toEqual(["HANDLER_STARTED 1", "HANDLER_TIMED_OUT 1"])
  })

  it("lets the others run as if nothing had happened, and replays", async () => {
    const told = await tell({
      registry: registered({
        before: () => ({ metadata: { seen: 1 } }),
        a: { retry, run: failing(1) },
        after: ({ metadata }) => userHint(JSON.stringify(metadata))
      })
    })
    expect(told.delivered[0]?.stdout).toBe(`${JSON.stringify({ hint: 'done\n\n{"seen":1}' })}\n`)
    const recorded = told.log.map((data, position) => ({
      position,
      type: data.type,
      known: true,
      data,
      stream: "invocation/x"
    }))
    expect(replayInvocation(recorded as never, { raw: plainAdapter })).toMatchObject({
      lost: false,
      differences: []
    })
  })
})
