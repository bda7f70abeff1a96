/** What a handler's failure or question adds to the reply. */
import { describe, it } from "vitest"
import type { InvocationFact } from "../../../events/facts.ts"
import { blockingFeedback, diagnostic, modelContext, userHint } from "../../../events/intents.ts"
import { invocation } from "../../../machines/invocation.ts"
import * as fact from "../../support/facts.ts"
import { given } from "../../support/given.ts"

const strict = fact.plannedHandler("strict", 0, { onFailure: "block" })
const received = [fact.opened(), fact.buffered()] as const
const deliver = (intents: readonly { handler: string; intent: object }[]) =>
  ({ type: "DELIVER", intents, noise: "" }) as never

describe("a reply", () => {
  it.each([
    ["failed: no such file", "one", "failed: no such file"],
    [`failed: ${"x".repeat(192)}`, "one", `failed: ${"x".repeat(192)}`],
    [`failed: ${"x".repeat(193)}`, "one", `failed: ${"x".repeat(192)}…`],
    ["failed: first line:\n  second line", "one", "failed: first line"],
    ["failed: it ended.", "one", "failed: it ended"]
  ])("hints to the human at what went wrong, on one line: %j", (what, name, said) => {
    const planned = fact.plannedHandler(name, 0)
    const error = { name: "Error", message: what.slice("failed: ".length) }
    given(invocation, ...received, fact.planned([planned]), fact.started(planned))
      .when({ ...fact.failed(planned), error, hinted: true } as InvocationFact)
      .gives(
        "emitting",
        deliver([
          { handler: name, intent: diagnostic("error", `hook ${name} ${what}`) },
          {
            handler: "hooktape",
            intent: userHint(`hooktape: hook ${name} ${said}. "hooktape log --failed" shows it.`)
          }
        ])
      )
  })

  it("lets a question without a word for it mean what its hook says where it cannot be asked", () => {
    const lenient = fact.plannedHandler("one", 0, { ifCannotAsk: "allow" })
    const asked = (ifCannotAsk?: "block") =>
      modelContext({ permission: "ask", ...(ifCannotAsk === undefined ? {} : { ifCannotAsk }) })
    given(invocation, ...received, fact.planned([lenient]), fact.started(lenient))
      .when(fact.succeeded(lenient, [asked(), asked("block"), modelContext("text")]))
      .gives(
        "emitting",
        deliver([
          { handler: "one", intent: modelContext({ permission: "ask", ifCannotAsk: "allow" }) },
          { handler: "one", intent: asked("block") },
          { handler: "one", intent: modelContext("text") }
        ])
      )
  })

  it("says of a guard that was skipped what its policy says", () =>
    given(invocation, ...received, fact.planned([strict]))
      .when({ ...fact.skipped(strict), policy: "block", reason: "late" } as InvocationFact)
      .gives(
        "emitting",
        deliver([
          { handler: "strict", intent: diagnostic("error", "hook strict was skipped: late") },
          {
            handler: "strict",
            intent: blockingFeedback("The hook strict was skipped: late. Its policy is to block.")
          }
        ])
      ))
})
