/** What is said in place of a reply when nothing can be recorded: never in place of a block. */
import { mkdirSync, mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { blockingFeedback, type Intent, userHint } from "../../events/intents.ts"
import { adapters } from "../../src/adapters/adapters.ts"
import type { Delivery } from "../../src/engine/Edge.ts"
import { fold } from "../../src/engine/reply.ts"
import { failLoud } from "../../src/entry/failLoud.ts"
import { memoryEdge } from "../support/world.ts"

const delivered = (
  agent: "claude-code" | "gemini-cli",
  event: string,
  said: Intent
): Delivery | undefined => {
  const state = mkdtempSync(join(homedir(), "loud-"))
  mkdirSync(join(state, "run"), { mode: 0o700 })
  const out: Delivery[] = []
  failLoud({
    edge: memoryEdge(out),
    state,
    who: "1700000000.1",
    isRecorded: () => false,
    env: { HOOKTAPE_FAIL_LOUD_THRESHOLD: "1" }
  }).deliver(adapters[agent].encode(event, "command", fold([said])), "")
  return out[0]
}

it("keeps the reason of a block, by exit code or as JSON", () => {
  const no = blockingFeedback("no")
  expect(delivered("claude-code", "PreToolUse", no)).toMatchObject({ stderr: "no\n", exitCode: 2 })
  expect(delivered("gemini-cli", "BeforeTool", no)).toMatchObject({
    stdout: '{"reason":"no","decision":"deny"}\n',
    exitCode: 0
  })
  // A block that the agent does not take is none.
  expect(delivered("gemini-cli", "SessionStart", no)?.stderr).toContain("worker unreachable")
  expect(delivered("gemini-cli", "BeforeTool", userHint("hint"))?.stderr).toContain("worker unreachable")
})
