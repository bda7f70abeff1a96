/** A hook's own word on its failure, and the sum at the end of an invocation. */
import { describe, expect, it } from "vitest"
import { userHint } from "../../../events/intents.ts"
import type { HookDefinition } from "../../../src/hooks/defineHook.ts"
import { registered, tell } from "../../support/world.ts"

const failing = (onError: NonNullable<HookDefinition["onError"]>) =>
  registered({
    a: {
      onFailure: "block",
      run: () => {
        throw new Error("no luck")
      },
      onError
    },
    b: () => userHint("b went on")
  })

describe("onError", () => {
  it("is called with the failure, and says its intents besides what the policy decides", async () => {
    const seen: string[] = []
    const { find, delivered } = await tell({
      registry: failing((error) => {
        seen.push(error.message)
        return userHint("ask Ada")
      })
    })
    expect(seen).toEqual(["no luck"])
    const intents = [{ type: "USER_HINT", text: "ask Ada" }]
    expect(find("HANDLER_FAILED")[0]).toMatchObject({ policy: "block", intents })
    const said = find("REPLY_DELIVERED")[0]?.channels.map(({ handler, intent }) => `${handler} ${intent}`)
    expect(said).toEqual(["a DIAGNOSTIC", "a BLOCKING_FEEDBACK", "a USER_HINT", "b USER_HINT"])
    expect(delivered[0]?.exitCode).toBe(2)
  })

  it("that fails itself is recorded, told to the operator, and changes nothing else", async () => {
    const { find } = await tell({
      registry: failing(() => {
        throw new Error("nor here")
      })
    })
    expect(find("HANDLER_FAILED")[0]).toMatchObject({
      error: { message: "no luck" },
      onError: { message: "nor here" }
    })
    const said = find("REPLY_DELIVERED")[0]?.channels.map(({ handler, intent }) => `${handler} ${intent}`)
    expect(said).toEqual(["a DIAGNOSTIC", "a BLOCKING_FEEDBACK", "a DIAGNOSTIC", "b USER_HINT"])
    expect(find("HANDLER_SUCCEEDED").map(({ handler }) => handler)).toEqual(["b"])
  })

  it("may be asynchronous", async () => {
    const { find } = await tell({ registry: failing(() => Promise.resolve(userHint("later"))) })
    expect(find("HANDLER_FAILED")[0]?.intents).toEqual([userHint("later")])
  })
})

describe("the closing summary", () => {
  it("counts what was planned, what started and what succeeded", async () => {
    const { find } = await tell({ registry: failing(() => undefined) })
    expect(find("EXITED")[0]?.summary).toEqual({ planned: 2, started: 2, succeeded: 1 })
  })
})
