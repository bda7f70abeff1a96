/** A call that a transcript tells of becomes a fixture without a reply. */
import * as Either from "effect/Either"
import { expect, it } from "vitest"
import type { Recorded } from "../../../events/Recorded.ts"
import { observedFixture } from "../../../src/tools/fixture/observedFixture.ts"

const recorded = (data: object): Recorded =>
  ({ id: "f1", agent: "claude-code", session: "s", project: "/p", data }) as unknown as Recorded

it("is what a hook would have been given before the call", () => {
  const call = recorded({
    type: "TOOL_CALL_OBSERVED",
    source: "transcript",
    call: "toolu_1",
    name: "Bash",
    input: { command: "npm test" },
    cwd: "/p/web",
    told: "ok"
  })
  expect(Either.getOrThrow(observedFixture(call))).toEqual({
    invocation: "f1",
    name: "pretooluse-bash-npm-test",
    project: "/p",
    fixture: {
      agent: "claude-code",
      event: "PreToolUse",
      cwd: "web",
      payload: {
        session_id: "s",
        cwd: "/p/web",
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command: "npm test" },
        tool_use_id: "toolu_1"
      }
    },
    redacted: []
  })
})

it("is none of what is no call", () => {
  const prompt = recorded({ type: "PROMPT_OBSERVED", source: "transcript", text: "go on" })
  expect(Either.isLeft(observedFixture(prompt))).toBe(true)
})
