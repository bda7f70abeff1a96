/** Replies of earlier releases: a log that holds them is replayed to the same end, and today's are told apart from them. */
import { describe, expect, it } from "vitest"
import type { InvocationFact } from "../../../events/facts.ts"
import type { FactId } from "../../../events/ids.ts"
import { blockingFeedback, exitSignal, type Intent, modelContext, userHint } from "../../../events/intents.ts"
import { noMarks, type Recorded } from "../../../events/Recorded.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { redact } from "../../../src/redact/redact.ts"
import { type Edge, performed, performedOtherwise } from "../../../src/runtime/Edge.ts"
import { compareRuns } from "../../../src/tools/replay/compareRuns.ts"
import { formerly, formerSpeaker } from "../../../src/tools/replay/formerly.ts"
import { replayInvocation } from "../../../src/tools/replay/replayInvocation.ts"
import { saidBy } from "../../../src/tools/replay/replyAgain.ts"
import { handNoise, registered, tell } from "../../support/world.ts"

const recorded = (facts: readonly InvocationFact[]): readonly Recorded[] =>
  facts.map((data, index) => ({
    ...noMarks,
    id: `fact-${index}` as FactId,
    stream: "invocation/01890000-0000-7000-8000-000000000000",
    type: data.type,
    schemaVersion: 1,
    at: 0,
    cause: null,
    position: 1 + index,
    version: index + 1,
    source: "test",
    recordedAt: 0,
    known: true,
    data: redact(JSON.parse(JSON.stringify(data)) as InvocationFact)
  }))

const payload = {
  session_id: "s",
  hook_event_name: "BeforeTool",
  tool_name: "run_shell_command",
  tool_input: { command: "true" }
}
const before = formerly["gemini-cli"]?.at(-1) ?? adapters["gemini-cli"]
const now = adapters["gemini-cli"]

/** One call of Gemini CLI, answered as the adapter answers it. */
const call = async (adapter: typeof now, said: readonly Intent[], edge?: Edge) => {
  const { noise, make } = handNoise()
  const run = () => {
    make("stderr", "a library speaks")
    return [...said]
  }
  const world = { adapter, agentEvent: "BeforeTool", payload, noise, ...(edge ? { edge } : {}) }
  const { log } = await tell({ ...world, registry: registered({ guard: { on: "tool.before", run } }) })
  return log
}

const replayed = (log: readonly InvocationFact[], former = formerly) =>
  replayInvocation(recorded(log), adapters, former).differences

const block = [blockingFeedback("stop")]

describe("a block that Gemini CLI was told by exit code", () => {
  const replies: readonly (readonly [string, readonly Intent[]])[] = [
    ["alone", block],
    ["with what it could not carry then", [...block, userHint("look"), modelContext("read")]],
    ["with its exit code", [...block, exitSignal(2)]],
    ["whose reason is JSON, with a hint", [blockingFeedback('{"a":1}'), userHint("look")]]
  ]

  it.each(replies)("is the same in a replay: %s", async (_, said) => {
    const log = await call(before, said)
    expect(replayed(log)).toEqual([])
  })

  it("is another reply than today's, and only its own way explains it", async () => {
    const then = await call(before, block)
    expect(then.find(({ type }) => type === "REPLY_DELIVERED")).toMatchObject({
      stdout: "",
      stderr: "a library speaks\nstop\n",
      exitCode: 2
    })
    expect(replayed(then, {})).toMatchObject([{ check: "reply" }])
    const today = await call(now, block)
    expect(replayed(today, {})).toEqual([])
    expect([then, today].map((log) => formerSpeaker(recorded(log), "gemini-cli"))).toEqual([
      before,
      undefined
    ])
    const silent = await call(before, [])
    expect(formerSpeaker(recorded(silent), "gemini-cli")).toBeUndefined()
  })

  it("is no excuse for a reply that neither way explains", async () => {
    const log = await call(before, block)
    const other = log.map((fact) => (fact.type === "REPLY_DELIVERED" ? { ...fact, stderr: "go on\n" } : fact))
    expect(replayed(other)).toMatchObject([{ check: "reply" }])
  })

  it("is compared with what hooks of today say, said as it was then", async () => {
    const then = recorded(await call(before, block))
    const same = await call(now, block)
    const other = await call(now, [blockingFeedback("wait")])
    const compared = (log: readonly InvocationFact[]) => compareRuns("i", then, saidBy(before, log))
    expect(compared(same)).toEqual([])
    expect(compared(other)).toMatchObject([
      { check: "handler", recorded: "stop", now: "wait" },
      { check: "reply", at: "stderr", now: "a library speaks\nwait\n" }
    ])
  })
})

describe("a block that the edge could not say as JSON", () => {
  const gone: Edge = {
    deliver: (encoded, noise) => ({
      ...(performedOtherwise(encoded, noise) ?? performed(encoded, noise)),
      error: new Error("a handler closed the agent's stdout")
    })
  }

  it("is said the other way in a replay as well", async () => {
    const log = await call(now, block, gone)
    expect(log.find(({ type }) => type === "DELIVERY_FAILED")).toMatchObject({
      stdout: "",
      stderr: "a library speaks\nstop\n",
      exitCode: 2
    })
    expect(replayed(log, {})).toEqual([])
    const lost = await call(now, [userHint("look")], gone)
    expect(lost.find(({ type }) => type === "DELIVERY_FAILED")).toMatchObject({ exitCode: 0 })
    expect(replayed(lost, {})).toEqual([])
  })
})
