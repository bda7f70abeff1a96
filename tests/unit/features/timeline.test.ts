/** How a call came out, told from its facts alone. */
import { describe, expect, it } from "vitest"
import type { InvocationFact } from "../../../events/facts.ts"
import { blockingFeedback, diagnostic, modelContext, userHint } from "../../../events/intents.ts"
import { type CallState, foldCall, hookRunsOf, verdictOf } from "../../../src/features/timeline/foldCall.ts"
import * as fact from "../../support/facts.ts"

const guard = fact.plannedHandler("guard", 0)
const other = fact.plannedHandler("other", 1)

const callOf = (facts: readonly InvocationFact[]): CallState => {
  const stream = "invocation/01890000-0000-7000-8000-00000000abcd"
  const recorded = facts.map((data, at) => ({ position: at + 1, at: 1000 + at, known: true, stream, data }))
  const call = foldCall(recorded)
  if (call === undefined) throw new Error("the facts have no beginning")
  return call
}

type Channels = Extract<InvocationFact, { type: "REPLY_DELIVERED" }>["channels"]

const reply = (channels: Channels, exitCode = 0): InvocationFact => ({
  type: "REPLY_DELIVERED",
  stdout: "",
  stderr: "",
  exitCode,
  channels
})

const exited: InvocationFact = {
  type: "EXITED",
  code: 0,
  ms: { buffering: 1.5, handling: 2, emitting: 0.25 }
}

const ran = (middle: readonly InvocationFact[], channels: Channels = []): CallState =>
  callOf([fact.opened(), fact.buffered(), fact.planned([guard, other]), ...middle, reply(channels), exited])

const carried = (intent: string, handler = "guard") => ({ intent, handler, channel: "stdout: decision" })
const refused = (intent: string, reason: string, handler = "guard") => ({
  intent,
  handler,
  channel: "undeliverable",
  reason
})

const asks = modelContext({ permission: "ask", reason: "sure?" })

describe("the verdict on a call", () => {
  it("is silent where no hook had anything to say", () => {
    const call = ran([fact.started(guard), fact.succeeded(guard, [])])
    expect(verdictOf(call)).toEqual({ outcome: "silent", decision: null, by: null, reason: null })
    expect(call.waitMs).toBe(3.75)
  })

  it("hears nothing of what is only for whoever looks for a fault", () => {
    const said = (level: "debug" | "info") =>
      verdictOf(ran([fact.started(guard), fact.succeeded(guard, [diagnostic(level, "not formatted")])]))
        .outcome
    expect(said("debug")).toBe("silent")
    expect(said("info")).toBe("spoke")
  })

  it("names the first hook of the strictest decision, and its reason", () => {
    const call = ran(
      [
        fact.started(guard),
        fact.succeeded(guard, [asks]),
        fact.started(other),
        fact.succeeded(other, [blockingFeedback("no")])
      ],
      [refused("MODEL_CONTEXT.permission", "the action is blocked"), carried("BLOCKING_FEEDBACK", "other")]
    )
    expect(verdictOf(call)).toEqual({ outcome: "blocked", decision: "block", by: "other", reason: "no" })
    expect(hookRunsOf(call).map(({ decision, hook }) => [hook, decision])).toEqual([
      ["guard", "ask"],
      ["other", "block"]
    ])
  })

  it("is a block where the agent could not ask, and a question where it could", () => {
    const asked = [fact.started(guard), fact.succeeded(guard, [asks])]
    const permission = "MODEL_CONTEXT.permission"
    expect(verdictOf(ran(asked, [carried(permission)]))).toMatchObject({ outcome: "asked", by: "guard" })
    expect(
      verdictOf(ran(asked, [refused(permission, "the agent cannot ask: the action is blocked")]))
    ).toMatchObject({ outcome: "blocked", decision: "block", by: "guard", reason: "sure?" })
    const refusal = refused(permission, "in other words")
    expect(verdictOf(ran(asked, [{ ...refusal, instead: "block" }]))).toMatchObject({ outcome: "blocked" })
    expect(verdictOf(ran(asked, [refused(permission, "the agent cannot ask")]))).toMatchObject({
      outcome: "unheard",
      decision: null,
      by: "guard"
    })
  })

  it("is the failure of a hook, or the block that its policy makes of it", () => {
    const strict = fact.plannedHandler("guard", 0, { onFailure: "block" })
    expect(verdictOf(ran([fact.started(guard), fact.failed(guard, "boom")]))).toMatchObject({
      outcome: "failed",
      decision: null,
      by: "guard",
      reason: "Error: boom"
    })
    const blocked = verdictOf(
      ran([fact.started(strict), fact.failed(strict, "boom")], [carried("BLOCKING_FEEDBACK")])
    )
    expect(blocked).toMatchObject({ outcome: "blocked", by: "guard" })
    expect(blocked.reason).toContain("failed: boom")
  })

  it("counts attempts of one hook as one run", () => {
    const call = ran([
      fact.started(guard),
      fact.failed(guard, "boom"),
      fact.started(guard, 2),
      { ...fact.succeeded(guard, [userHint("at last")]), attempt: 2 } as InvocationFact
    ])
    expect(verdictOf(call)).toMatchObject({ outcome: "spoke", by: "guard" })
    expect(hookRunsOf(call)).toMatchObject([{ hook: "guard", attempts: 2, outcome: "succeeded", at: 1003 }])
  })

  it("hears hooktape only where it says something to the agent or its user", () => {
    const noticed = (notice: ReturnType<typeof userHint> | ReturnType<typeof diagnostic>) =>
      verdictOf(callOf([fact.opened(), fact.buffered(), fact.planned([], [notice]), reply([]), exited]))
    expect(noticed(userHint("not trusted"))).toMatchObject({ outcome: "spoke", by: "hooktape" })
    expect(noticed(diagnostic("warn", "no such folder"))).toMatchObject({ outcome: "silent" })
  })

  it("is open until it ended, and remembers which hook ran", () => {
    const call = callOf([fact.opened(), fact.buffered(), fact.planned([guard]), fact.started(guard)])
    expect(verdictOf(call).outcome).toBe("open")
    expect(hookRunsOf(call)).toMatchObject([{ hook: "guard", outcome: "running", ms: null }])
  })

  it("is that nothing of a payload came", () => {
    const call = callOf([fact.opened(), fact.rejected("empty"), reply([]), exited])
    expect(verdictOf(call)).toMatchObject({ outcome: "rejected", reason: "empty: standard input was empty" })
  })
})

describe("what a call was about", () => {
  const about = (
    agent: string,
    payload: object,
    more: Partial<Extract<InvocationFact, { type: "PAYLOAD_BUFFERED" }>>
  ): CallState =>
    callOf([fact.opened({ agent }), fact.buffered({ payload: JSON.stringify(payload), ...more })])

  it("is the command, the file, or what the payload says of another tool", () => {
    const shell = { kind: "shell", name: "Bash", command: "git push -f", input: null } as const
    const fetched = { kind: "web", name: "WebFetch", input: null } as const
    expect(about("claude-code", {}, { tool: shell }).subject).toBe("git push -f")
    expect(
      about("claude-code", { tool_input: { url: "https://example.org" } }, { tool: fetched }).subject
    ).toBe("https://example.org")
  })

  it("is the prompt, and its turn and subagent are those that the agent names", () => {
    const events = [{ event: "prompt.submit", data: { prompt: "mend it" } }] as const
    const call = about("claude-code", { prompt_id: "p1", agent_id: "a1" }, { events: [...events] })
    expect(call).toMatchObject({ subject: "mend it", turn: "p1", subagent: "a1" })
    expect(about("codex", { turn_id: "t1" }, {})).toMatchObject({ turn: "t1", subagent: null })
    expect(about("gemini-cli", { prompt_id: "no such field" }, {}).turn).toBeNull()
  })
})
