/** What of a recorded call becomes a fixture. */
import * as Either from "effect/Either"
import { expect, it } from "vitest"
import type { Recorded } from "../../../events/Recorded.ts"
import { fixtureOf } from "../../../src/tools/fixture/fixtureOf.ts"

const payload = {
  session_id: "s",
  tool_name: "Bash",
  tool_input: { command: "git push ‹redacted:github-token›" }
}

const opened = {
  type: "INVOCATION_OPENED",
  invocation: "i",
  agent: "claude-code",
  agentEvent: "PreToolUse",
  cwd: "/p/sub",
  project: "/p"
}
const buffered = {
  type: "PAYLOAD_BUFFERED",
  payload: JSON.stringify(payload),
  tool: { name: "Bash", command: payload.tool_input.command }
}
const plannedBy = (source: string) => ({
  type: "HANDLERS_PLANNED",
  left: [],
  handlers: [{ handler: "context", source }]
})
const delivered = {
  type: "REPLY_DELIVERED",
  stdout: "{}\n",
  stderr: "",
  exitCode: 0,
  channels: [{ intent: "MODEL_CONTEXT", handler: "context", channel: "stdout" }]
}

const kept = (...facts: readonly object[]) =>
  fixtureOf(facts.map((data) => ({ known: true, data }) as Recorded))

it("is the call as it came and the reply that it got, with its place in the project and what the log does not have", () => {
  expect(Either.getOrThrow(kept(opened, buffered, plannedBy("/p/.hooktape/hooks/a.ts"), delivered))).toEqual({
    invocation: "i",
    name: "pretooluse-bash-git-push",
    project: "/p",
    fixture: { agent: "claude-code", event: "PreToolUse", payload, cwd: "sub" },
    reply: { exitCode: 0, stdout: "{}\n", stderr: "" },
    redacted: [{ at: "payload.tool_input.command", kinds: ["github-token"] }]
  })
})

it("asks the hooks that come along where one of them spoke, and not where one of the same name did", () => {
  const defaultsOf = (source: string) =>
    Either.getOrThrow(kept(opened, buffered, plannedBy(source), delivered)).fixture.defaults
  expect(defaultsOf("hooktape:context")).toBe(true)
  expect(defaultsOf("/p/.hooktape/hooks/context.ts")).toBeUndefined()
})

it("holds nothing that hooktape said of its own state at that moment, and all that it says of an event nobody knows", () => {
  const noticed = {
    type: "HANDLERS_PLANNED",
    left: [],
    handlers: [],
    notices: [{ type: "USER_HINT", text: "hooktape: the hooks changed and are being built" }]
  }
  const said = {
    type: "REPLY_DELIVERED",
    stdout: '{"systemMessage":"hooktape: the hooks changed and are being built"}\n',
    stderr: "",
    exitCode: 0,
    channels: [{ intent: "USER_HINT", handler: "hooktape", channel: "stdout" }]
  }
  const whole = { ...buffered, events: [], session: "s", drift: [] }
  const env = { env: {} }
  const replyOf = (agentEvent: string) =>
    Either.getOrThrow(kept({ ...opened, ...env, agentEvent }, whole, noticed, said)).reply
  expect(replyOf("PreToolUse")).toEqual({ exitCode: 0, stdout: "", stderr: "" })
  expect(replyOf("PreToolUsed")?.stdout).toBe(said.stdout)
})

it("keeps the very text where JSON written anew would be another", () => {
  const text = '{ "n": 1.0 }'
  const found = kept(opened, { ...buffered, payload: text }, delivered)
  expect(Either.getOrThrow(found).fixture.payload).toBe(text)
})

it.each([
  ["imported", [{ type: "TOOL_OBSERVED" }]],
  ["rejected", [opened, { type: "PAYLOAD_REJECTED" }, delivered]],
  ["lost", [opened, buffered]]
] as const)("there is none of a call that was %s, and that is said", (_, facts) => {
  expect(Either.flip(kept(...facts)).pipe(Either.getOrThrow)).toMatchObject({
    reason: expect.any(String),
    remedy: expect.any(String)
  })
})
