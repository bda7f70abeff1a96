/** How long a call may take: as its settings say, and never longer than its agent waits. */
import { expect, it } from "vitest"
import { deadlineOf, marginOf, patienceOf } from "../../../src/agents/deadline.ts"
import { dialects, timeoutOf } from "../../../src/tools/install/dialects.ts"

it("is what the settings say, except where the agent's own time-out is shorter", () => {
  expect(deadlineOf({ agent: "claude-code", agentEvent: "Stop" }, {})).toBe(5000)
  expect(deadlineOf({ agent: "claude-code", agentEvent: "Stop" }, { deadlineMs: 60_000 })).toBe(60_000)
  expect(deadlineOf({ agent: "claude-code", agentEvent: "SessionEnd" }, { deadlineMs: 60_000 })).toBe(1000)
  expect(deadlineOf({ agent: "cline", agentEvent: "Stop" }, { deadlineMs: 60_000 })).toBe(2000)
  expect(deadlineOf({ agent: "cline", agentEvent: "Interrupt" }, {})).toBe(1000)
  expect(deadlineOf({ agentEvent: "checkpoint.before" }, { deadlineMs: 300 })).toBe(300)
  // A name of the language's own is no agent.
  expect(deadlineOf({ agent: "constructor", agentEvent: "toString" }, {})).toBe(5000)
})

it("counts from the start of the client where the agent gives up early, and leaves time to say no", () => {
  const cline = { agent: "cline", agentEvent: "PreToolUse" }
  expect(deadlineOf(cline, {}, 699.6)).toBe(1300)
  expect(deadlineOf(cline, {}, 9_000)).toBe(200)
  expect(deadlineOf(cline, { deadlineMs: 100 }, 9_000)).toBe(100)
  expect(deadlineOf({ agent: "codex", agentEvent: "Stop" }, {}, 700)).toBe(5000)
})

it("of a rebuild that a call waits for leaves room for the call", () => {
  expect(patienceOf({ agent: "codex", agentEvent: "Stop" })).toBe(3000)
  expect(patienceOf({ agent: "cline", agentEvent: "PreToolUse" })).toBe(1200)
})

it("of an entry stays below what Cline waits for, whatever the settings say", () => {
  for (const deadlineMs of [undefined, 60_000])
    expect(timeoutOf("cline", "PreToolUse", deadlineMs)).toBe(2500)
})

it("has whoever outlives a call wait no longer than the agent, which waits since the client began", () => {
  const bash = { agent: "claude-code", agentEvent: "PreToolUse" }
  expect(marginOf(bash)).toBe(4000)
  expect(marginOf(bash, 1500)).toBe(2500)
  // What is held for a handler is not waited for longer.
  expect(marginOf(bash, 60_000)).toBe(750)
})

it.each(["claude-code", "codex", "cline"] as const)("gives up before %s does", (agent) => {
  for (const agentEvent of ["PreToolUse", "SessionEnd", "Interrupt"]) {
    const call = { agent, agentEvent }
    const { longest = Infinity, timeouts } = dialects[agent]
    const timeout = Math.min(longest, timeouts[agentEvent]?.least ?? 10_000)
    // What is given to Cline is less than what it waits.
    expect(deadlineOf(call, {}) + marginOf(call)).toBeLessThan(agent === "cline" ? 3000 : timeout)
  }
})
