/** Deadlines: each handler's own, and what is left of the invocation's. */
import { describe, expect, it } from "vitest"
import { blockingFeedback, userHint } from "../../../events/intents.ts"
import { later } from "../../support/misbehaving.ts"
import { among, registered, tell } from "../../support/world.ts"

it("whatever becomes of a handler says which version of a policy brought it", async () => {
  const hang = () => new Promise<void>(() => undefined)
  const throws = () => {
    throw new Error("no")
  }
  const told = await tell({
    registry: registered({
      succeeds: () => undefined,
      fails: throws,
      late: { deadline: 20, run: hang }
    }).map((one) => ({ ...one, source: `policy team 1.2.0: ${one.source}` }))
  })
  const from = "policy team 1.2.0"
  expect(told.find("HANDLER_SUCCEEDED")).toMatchObject([{ handler: "succeeds", from }])
  expect(told.find("HANDLER_FAILED")).toMatchObject([{ handler: "fails", from }])
  expect(told.find("HANDLER_TIMED_OUT")).toMatchObject([{ handler: "late", from }])
  const own = await tell({ registry: registered({ own: () => undefined }) })
  expect(own.find("HANDLER_SUCCEEDED")[0]).not.toHaveProperty("from")
})

describe("a handler that takes too long", () => {
  const hanging = { deadline: 20 } as const
  /** For what a handler has to get to before its deadline, on a machine that does other things. */
  const patient = { deadline: 500 } as const

  it("is left when it hangs, and its signal is aborted", async () => {
    let reason: unknown
    const told = await tell({
      registry: registered({
        subject: {
          ...patient,
          run: ({ signal }) =>
            new Promise<void>(() => {
              signal.addEventListener("abort", () => {
                reason = signal.reason
              })
            })
        },
        after: () => userHint("after")
      })
    })
    expect(told.find("HANDLER_TIMED_OUT")).toMatchObject([
      { handler: "subject", deadlineMs: 500, policy: "allow" }
    ])
    expect(String(reason)).toContain("deadline of 500 ms has passed")
    expect(told.delivered[0]?.stdout).toBe(`${JSON.stringify({ hint: "after" })}\n`)
  })

  it("is told by its signal when it failed by an error that nobody caught", async () => {
    let reason: unknown
    const told = await tell({
      registry: registered({
        subject: {
          deadline: 60_000,
          run: ({ signal }) =>
            new Promise<void>(() => {
              signal.addEventListener("abort", () => {
                reason = signal.reason
              })
              setTimeout(() => {
                throw new Error("nobody caught me")
              }, 1)
            })
        }
      })
    })
    expect(told.find("HANDLER_FAILED")).toMatchObject([{ error: { message: "nobody caught me" } }])
    expect(String(reason)).toContain("nobody caught me")
  })

  it("is interrupted when it spins", async () => {
    const run = () => {
      for (;;);
    }
    const told = await tell({
      registry: registered({ subject: { ...hanging, run }, after: () => userHint("after") })
    })
    expect(told.find("HANDLER_TIMED_OUT")).toMatchObject([{ handler: "subject" }])
    expect(told.find("HANDLER_SUCCEEDED")).toMatchObject([{ handler: "after" }])
  })

  it("is interrupted even where it catches everything", async () => {
    const run = () => {
      for (;;) {
        try {
          for (;;);
        } catch {}
      }
    }
    const told = await tell({ registry: registered({ subject: { ...hanging, run } }) })
    expect(told.types.slice(-4)).toEqual([
      "HANDLER_STARTED",
      "HANDLER_TIMED_OUT",
      "REPLY_DELIVERED",
      "EXITED"
    ])
  })

  it("cannot be interrupted when it spins after an await; what it returns then counts", async () => {
    const run = async () => {
      await Promise.resolve()
      const end = Date.now() + 600
      while (Date.now() < end);
      return userHint("late, but here")
    }
    const told = await tell({ registry: registered({ subject: { ...patient, run } }) })
    const [ended] = told.find("HANDLER_SUCCEEDED")
    expect(ended?.ms).toBeGreaterThan(550)
    expect(told.delivered[0]?.stdout).toContain("late, but here")
  })

  it("has no later say: what it returns after its deadline is dropped", async () => {
    let release = (_: unknown) => {}
    const told = await tell({
      registry: registered({
        subject: {
          ...hanging,
          run: () =>
            new Promise((resolve) => {
              release = resolve
            }) as never
        },
        after: async () => {
          release(blockingFeedback("too late"))
          await later()
        }
      })
    })
    expect(told.delivered[0]).toMatchObject({ exitCode: 0 })
    expect(told.find("HANDLER_SUCCEEDED").map(({ handler }) => handler)).toEqual(["after"])
  })

  it("does not deafen the next when it settles after its deadline", async () => {
    let release = () => {}
    const told = await tell({
      registry: registered({
        subject: {
          ...hanging,
          run: () =>
            new Promise<void>((resolve) => {
              release = resolve
            })
        },
        after: async () => {
          release()
          await later()
          void Promise.reject(new Error("of the second"))
          await new Promise(() => {})
        }
      })
    })
    expect(told.find("HANDLER_FAILED")).toMatchObject([
      { handler: "after", error: { message: "of the second" } }
    ])
  })

  it("blocks where its policy is to block", async () => {
    const run = () => new Promise<void>(() => {})
    const told = await tell({ registry: registered({ subject: { ...hanging, run, onFailure: "block" } }) })
    expect(told.delivered[0]).toMatchObject({ exitCode: 2, stdout: "" })
    expect(told.delivered[0]?.stderr).toContain("did not finish within 20 ms")
  })

  it("leaves no timer behind when it was in time", async () => {
    const before = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length
    await among(async () => userHint("quick"))
    // Of those that others left some may have ended.
    const after = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length
    expect(after).toBeLessThanOrEqual(before)
  })

  it("is not started once the invocation's deadline has passed, nor are those after it", async () => {
    let now = 0
    const told = await tell({
      deadlineMs: 10_000,
      elapsed: () => now,
      registry: registered({
        slow: () => {
          now = 10_000
        },
        second: () => userHint("never"),
        third: () => userHint("never")
      })
    })
    expect(told.find("HANDLER_SKIPPED")).toMatchObject([
      { handler: "second", reason: "the invocation's deadline has passed" },
      { handler: "third" }
    ])
    expect(told.delivered[0]).toMatchObject({ stdout: "", exitCode: 0 })
  })

  it("gets no more than what is left of the invocation's deadline", async () => {
    let now = 0
    const told = await tell({
      deadlineMs: 10_000,
      elapsed: () => now,
      registry: registered({
        slow: () => {
          now = 9990
        },
        hanging: { deadline: 5000, run: () => new Promise<void>(() => {}) }
      })
    })
    expect(told.find("HANDLER_TIMED_OUT")).toMatchObject([{ handler: "hanging", deadlineMs: 10 }])
  })

  it("leaves time to those after it, where it has no deadline of its own and never returns", async () => {
    const told = await tell({
      deadlineMs: 400,
      elapsed: () => 0,
      registry: registered({
        forever: { deadline: 400, run: () => new Promise<void>(() => {}) },
        guard: { deadline: 400, run: () => blockingFeedback("no") }
      })
    })
    expect(told.find("HANDLER_TIMED_OUT")).toMatchObject([{ handler: "forever", deadlineMs: 200 }])
    expect(told.find("HANDLER_SUCCEEDED")).toMatchObject([{ handler: "guard" }])
    expect(told.delivered[0]).toMatchObject({ exitCode: 2 })
  })
})
