/** What the page and the host agree on says of a call what the timeline says. */
import * as Schema from "effect/Schema"
import { expect, it } from "vitest"
import { Call } from "../../../../src/features/inspector/contract/call.ts"
import { endpoints } from "../../../../src/features/inspector/contract/endpoints.ts"
import { Refusal } from "../../../../src/features/inspector/contract/shared.ts"
import { StreamEvents, StreamQuery } from "../../../../src/features/inspector/contract/stream.ts"
import type { Call as TimelineCall } from "../../../../src/features/timeline/Call.ts"

const call: TimelineCall = {
  invocation: "0198c0de-0000-7000-8000-000000000001",
  position: 1,
  at: 1_764_000_000_000,
  agent: "claude-code",
  agentEvent: "PreToolUse",
  event: "tool.before",
  project: "/project",
  session: "session-1",
  subagent: null,
  turn: null,
  tool: { name: "Bash", kind: "shell", use: null },
  subject: "git push -f",
  outcome: "blocked",
  decision: "block",
  by: "guard-destructive",
  reason: "it rewrites what others have",
  waitMs: 3.5,
  own: false,
  answeredBy: null,
  hooks: [],
  jobs: []
}

it("a call of the timeline is a call of the contract, field by field", () => {
  const told: Call = call
  expect(Object.keys(Schema.decodeUnknownSync(Call)(told)).sort()).toEqual(Object.keys(call).sort())
})

it("each endpoint is asked in a way of its own", () => {
  const ways = Object.values(endpoints).map(({ method, path }) => `${method} ${path}`)
  expect(new Set(ways).size).toBe(ways.length)
})

it("a refusal and the events of the stream are told apart by their names", () => {
  const refusal = { error: { code: "no-token", message: "no token", remedy: "hooktape inspect" } }
  expect(Schema.decodeUnknownSync(Refusal)(refusal)).toEqual(refusal)
  expect(Schema.decodeUnknownSync(StreamQuery)({ after: "3" })).toEqual({ after: 3 })
  expect(Object.keys(StreamEvents)).toEqual(["hello", "calls", "facts", "actors", "status", "bye"])
})
