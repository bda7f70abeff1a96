/** What is said in place of a reply when nothing can be recorded: never in place of a block. */
import { mkdirSync, mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { BreakerFact } from "../../../events/facts.ts"
import { blockingFeedback, type Intent, userHint } from "../../../events/intents.ts"
import { breaker } from "../../../machines/breaker.ts"
import { frames } from "../../../machines/step.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { fold } from "../../../src/agents/reply.ts"
import { breakerDrafts } from "../../../src/log/spool/unreachableFacts.ts"
import { failLoud } from "../../../src/programs/entry/failLoud.ts"
import type { Delivery } from "../../../src/runtime/Edge.ts"
import { memoryEdge } from "../../support/world.ts"

const makeState = (): string => {
  const state = mkdtempSync(join(homedir(), "loud-"))
  mkdirSync(join(state, "run"), { mode: 0o700 })
  return state
}

const delivered = (
  agent: "claude-code" | "gemini-cli",
  event: string,
  said: Intent,
  { state = makeState(), threshold = 1 } = {}
): Delivery | undefined => {
  const out: Delivery[] = []
  failLoud({
    adapter: adapters[agent],
    agentEvent: event,
    edge: memoryEdge(out),
    state,
    who: "1700000000.1",
    isRecorded: () => false,
    env: { HOOKTAPE_FAIL_LOUD_THRESHOLD: String(threshold) }
  }).deliver(adapters[agent].encode(event, "command", fold([said])), "")
  return out[0]
}

const message = 'hooktape: worker unreachable for 1 consecutive hooks. Run "hooktape doctor".'
const documentOf = (one: Delivery | undefined) => JSON.parse(one?.stdout ?? "")

it("keeps a block, by exit code or as JSON", () => {
  const no = blockingFeedback("no")
  expect(documentOf(delivered("claude-code", "PreToolUse", no))).toMatchObject({
    systemMessage: message,
    hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "no" }
  })
  expect(delivered("claude-code", "PostToolUseFailure", no)).toMatchObject({
    stdout: "",
    stderr: "no\n",
    exitCode: 2
  })
  expect(documentOf(delivered("gemini-cli", "BeforeTool", no))).toEqual({
    reason: "no",
    decision: "deny",
    systemMessage: message
  })
  expect(documentOf(delivered("claude-code", "PostToolUse", no))).toEqual({ decision: "block", reason: "no" })
})

it("is exit code 2 at three events, and beside whatever was said a message to the human at the others", () => {
  const hint = userHint("hint")
  for (const event of ["Setup", "SessionStart", "PostToolUse"])
    expect(delivered("claude-code", event, hint)).toMatchObject({
      stdout: "",
      stderr: `${message}\n`,
      exitCode: 2
    })
  for (const event of Object.keys(adapters["claude-code"].events)) {
    if (["Setup", "SessionStart", "PostToolUse"].includes(event)) continue
    const said = delivered("claude-code", event, hint)
    expect(said, event).toMatchObject({ exitCode: 0, stderr: "" })
    if (said?.stdout !== "") expect(documentOf(said)).toEqual({ systemMessage: `hint\n\n${message}` })
  }
  // A block that the agent does not take is none.
  expect(delivered("gemini-cli", "SessionStart", blockingFeedback("no"))?.stderr).toContain(
    "worker unreachable"
  )
  // No field, no message: it stands on the log, and `doctor` says it.
  expect(delivered("claude-code", "SessionEnd", hint)).toMatchObject({ stdout: "", exitCode: 0 })
})

it("says what the breaker's machine decides over the calls in a row, each with the threshold that it had", () => {
  const state = makeState()
  const thresholds = [3, 3, 3, 5, 5]
  const spoken = thresholds.map((threshold) => {
    const one = delivered("claude-code", "PreToolUse", userHint("hint"), { state, threshold })
    return documentOf(one).systemMessage.includes("worker unreachable")
  })
  const facts = breakerDrafts(state, []).map(({ data }) => data as BreakerFact)
  expect(spoken).toEqual([false, false, true, false, true])
  expect(frames(breaker, facts).map(({ command }) => command?.type === "SPEAK_UP")).toEqual(spoken)
})
