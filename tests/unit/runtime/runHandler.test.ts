/** What a handler can do to itself, and that it can do no more than that. */
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { userHint } from "../../../events/intents.ts"
import { failure, later, misbehaving, past, thenable } from "../../support/misbehaving.ts"
import { among, registered, tell, unharmed } from "../../support/world.ts"

describe("a handler that fails", () => {
  it.each(misbehaving)("fails alone: %s", async (_, run, expected) => {
    const { ended, stdout, told } = await among(run)
    expect(ended).toMatchObject({ ...expected, policy: "allow" })
    expect(stdout).toBe(unharmed)
    expect(told.types.at(-1)).toBe("EXITED")
    expect(told.delivered[0]?.exitCode).toBe(0)
  })

  it("has a stack that begins with the error, not with the line of the bundle that threw it", async () => {
    const { ended } = await among(() => {
      throw new Error("boom")
    })
    expect(ended?.type === "HANDLER_FAILED" && ended.error.stack).toMatch(/^Error: boom\n {4}at /)
  })

  it("keeps its stack, as far as a log wants it", async () => {
    const { ended } = await among(() => {
      throw Object.assign(new Error("boom"), { stack: "x".repeat(100_000) })
    })
    expect(ended?.type === "HANDLER_FAILED" && ended.error.stack?.length).toBe(4000)
  })

  it.each([
    ["allow", { exitCode: 0, stderr: "hook subject failed: boom\n" }],
    ["block", { exitCode: 2, stdout: "" }]
  ] as const)("means what its policy says: %s", async (onFailure, delivered) => {
    const run = () => {
      throw new Error("boom")
    }
    const told = await tell({ registry: registered({ subject: { run, onFailure } }) })
    expect(told.find("HANDLER_FAILED")[0]).toMatchObject({ policy: onFailure })
    expect(told.delivered[0]).toMatchObject(delivered)
    if (onFailure === "block") expect(told.delivered[0]?.stderr).toContain("The hook subject failed: boom")
  })

  it("asks the human where its policy is to ask", async () => {
    const run = () => Promise.reject(new Error("boom"))
    const told = await tell({ registry: registered({ subject: { run, onFailure: "ask" } }) })
    expect(JSON.parse(told.delivered[0]?.stdout ?? "")).toEqual({ permission: "ask" })
  })
})

describe("a failure that comes late", () => {
  it("is noise under the name of the handler that left it, while another runs", async () => {
    let struck = false
    const told = await tell({
      registry: registered({
        culprit: () => {
          setTimeout(() => {
            struck = true
            throw new Error("too late")
          }, 1)
        },
        bystander: async () => {
          await past(() => struck)
          await later()
          return userHint("unharmed")
        }
      })
    })
    expect(told.find("HANDLER_SUCCEEDED").map(({ handler }) => handler)).toEqual(["culprit", "bystander"])
    expect(told.find("NOISE_CAPTURED")).toMatchObject([
      { handler: "culprit", stream: "stderr", text: expect.stringContaining("too late") as string }
    ])
    expect(told.delivered[0]?.stdout).toBe(`${JSON.stringify({ hint: "unharmed" })}\n`)
  })

  it("is attributed by rejection as well", async () => {
    let due = false
    const told = await tell({
      registry: registered({
        culprit: () => {
          void past(() => due).then(() => {
            throw new Error("rejected late")
          })
        },
        bystander: async () => {
          due = true
          for (let turn = 0; turn < 5; turn++) await later()
        }
      })
    })
    expect(told.find("HANDLER_SUCCEEDED")).toHaveLength(2)
    expect(told.find("NOISE_CAPTURED")).toMatchObject([
      { handler: "culprit", text: expect.stringContaining("rejected late") as string }
    ])
  })

  it("does not undo a success: the only handler's rejection after its return is noise", async () => {
    const told = await tell({
      registry: registered({
        only: () => {
          void Promise.reject(new Error("nobody waited"))
          return userHint("done")
        },
        other: { run: later, enabled: true }
      })
    })
    expect(told.find("HANDLER_SUCCEEDED")[0]).toMatchObject({ handler: "only", intents: [userHint("done")] })
    expect(told.find("NOISE_CAPTURED")).toMatchObject([{ handler: "only" }])
  })

  it("a second settlement changes nothing", async () => {
    const { own, stdout } = await among(() =>
      thenable({
        value: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
          resolve(undefined)
          reject(new Error("after all"))
          resolve(userHint("again"))
        }
      })
    )
    expect(own.map(({ type }) => type)).toEqual(["HANDLER_STARTED", "HANDLER_SUCCEEDED"])
    expect(stdout).toBe(unharmed)
  })
})

describe("a handler that returns an Effect", () => {
  const hint = Effect.succeed(userHint("from an Effect"))

  it("needs a build that can run it, and is told so", async () => {
    const { ended, stdout } = await among(() => hint)
    expect(ended).toMatchObject(failure("brings no Effect runtime"))
    expect(stdout).toBe(unharmed)
  })

  const runEffect = (effect: unknown, signal: AbortSignal) =>
    Effect.runPromise(effect as Effect.Effect<unknown>, { signal })

  it("is run", async () => {
    const { ended } = await among(() => hint, { runEffect })
    expect(ended).toMatchObject({ type: "HANDLER_SUCCEEDED", intents: [userHint("from an Effect")] })
  })

  it("fails with it", async () => {
    const { ended, stdout } = await among(() => Effect.fail("typed"), { runEffect })
    expect(ended).toMatchObject({
      type: "HANDLER_FAILED",
      error: { message: expect.stringContaining("typed") as string }
    })
    expect(stdout).toBe(unharmed)
  })

  it("is interrupted at the deadline, finalizers included", async () => {
    let finalised = false
    const never = Effect.never.pipe(
      Effect.ensuring(
        Effect.sync(() => {
          finalised = true
        })
      )
    )
    const told = await tell({
      runEffect,
      registry: registered({
        // It has to be begun by then, on a machine that does other things.
        subject: { deadline: 500, run: () => never as never },
        after: () => past(() => finalised)
      })
    })
    expect(told.find("HANDLER_TIMED_OUT")).toHaveLength(1)
    expect(finalised).toBe(true)
  })
})
