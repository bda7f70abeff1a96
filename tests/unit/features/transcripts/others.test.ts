/** What is read from transcripts of Codex and Gemini CLI, and how long imported sessions stay: the traps, with a few rows each. */
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { observedStream } from "../../../../events/observedStream.ts"
import { transcriptsAt } from "../../../../src/features/transcripts/findFiles.ts"
import { EventLog } from "../../../../src/log/EventLog.ts"
import { layerMemory } from "../../../../src/log/MemoryLog.ts"
import { draftOf } from "../../../support/log/drafts.ts"
import {
  importing,
  observedOf,
  ofType,
  transcriptFolder,
  writeTranscript
} from "../../../support/observed.ts"

const child = "019f5500-ab35-7cb0-a61c-f45ef5610725"
const parent = "019f5500-0feb-79c0-a61c-f45ef5610725"
const at = "2026-07-12T06:25:35.000Z"
const row = (type: string, payload: object) => ({ timestamp: at, type, payload })
const asked = (call_id: string, name: string, args: object) =>
  row("response_item", { type: "function_call", call_id, name, arguments: JSON.stringify(args) })
const answered = (call_id: string, output: unknown) =>
  row("response_item", { type: "function_call_output", call_id, output })

it("Codex tells exit codes in a heading, in JSON, by an event, or in the call that polls", async () => {
  const facts = await observedOf([
    row("session_meta", { id: parent, cwd: "/gone", cli_version: "0.140.0" }),
    asked("c1", "shell", { command: ["bash", "-lc", "npm test"] }),
    answered("c1", '{"output":"boom","metadata":{"exit_code":2}}'),
    asked("c2", "exec_command", { cmd: "make" }),
    answered("c2", "Wall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\nfirst"),
    asked("c3", "write_stdin", { session_id: 7 }),
    answered("c3", "Wall time: 1.0 seconds\nProcess exited with code 1\nOutput:\nlast"),
    asked("c4", "exec_command", { cmd: "ls" }),
    row("event_msg", { type: "exec_command_end", call_id: "c4", exit_code: 0, aggregated_output: "a" }),
    answered("c4", "a")
  ])
  expect(
    ofType(facts, "TOOL_CALL_OBSERVED").map((one) => [one.call, one.name, one.told, one.exitCode])
  ).toEqual([
    ["c1", "Bash", "failed", 2],
    ["c2", "Bash", "failed", 1],
    ["c4", "Bash", "ok", 0]
  ])
})

it("a thread that Codex forked off begins where its own first turn does, whatever times its copy has", async () => {
  const facts = await observedOf([
    row("session_meta", { id: child, cwd: "/gone", forked_from_id: parent }),
    row("session_meta", { id: parent, cwd: "/gone" }),
    row("event_msg", { type: "task_started", turn_id: "019f5500-1c5a-7d92-8003-0144abefe502" }),
    asked("old", "exec_command", { cmd: "ls" }),
    answered("old", "Process exited with code 0\nOutput:\n"),
    row("event_msg", { type: "task_started", turn_id: "019f5500-ab49-7971-b130-d6ce8bd1deba" }),
    asked("own", "exec_command", { cmd: "ls" }),
    answered("own", "Process exited with code 0\nOutput:\n")
  ])
  expect(ofType(facts, "TOOL_CALL_OBSERVED").map(({ call }) => call)).toEqual(["own"])
})

it("Gemini CLI's messages count when they were seen first, however often they are written", async () => {
  const call = { id: "g1", name: "run_shell_command", args: { command: "make" }, status: "success" }
  const output = "Output: boom\nExit Code: 2"
  const message = {
    id: "m1",
    timestamp: at,
    type: "gemini",
    content: "",
    model: "flash",
    tokens: { input: 10, output: 1, cached: 4 },
    toolCalls: [{ ...call, result: [{ functionResponse: { response: { output } } }] }]
  }
  const facts = await observedOf([
    { sessionId: "g", projectHash: "x", startTime: at },
    { ...message, toolCalls: undefined },
    message,
    { $set: { messages: [{ ...message, tokens: undefined, timestamp: "2026-09-01T00:00:00.000Z" }] } }
  ])
  expect(ofType(facts, "TOOL_CALL_OBSERVED")).toMatchObject([
    { call: "g1", told: "failed", exitCode: 2, ended: Date.parse(at) }
  ])
  expect(ofType(facts, "USAGE_OBSERVED")).toMatchObject([{ input: 6, cacheRead: 4 }])
})

it("Gemini CLI's prompts are what was typed, without what hooks gave the model in front of it", async () => {
  const user = (id: string, content: string) => ({ id, timestamp: at, type: "user", content })
  const facts = await observedOf([
    { sessionId: "g", projectHash: "x", startTime: at },
    user("u1", "<hook_context>The last session</hook_context>"),
    user("u2", "<hook_context>The last\nsession</hook_context>\n\npush it"),
    user("u3", "what is <hook_context>?")
  ])
  expect(ofType(facts, "PROMPT_OBSERVED").map(({ text }) => text)).toEqual([
    "push it",
    "what is <hook_context>?"
  ])
})

it("Gemini CLI's older document is read whatever stands first in it", async () => {
  const message = {
    id: "m1",
    timestamp: at,
    type: "gemini",
    content: "",
    toolCalls: [{ id: "g1", name: "run_shell_command", args: { command: "make" }, status: "success" }]
  }
  const document = { kind: "main", sessionId: "g", projectHash: "x", startTime: at, messages: [message] }
  const facts = await observedOf([JSON.stringify(document, null, 2)], "s.json")
  expect(ofType(facts, "TOOL_CALL_OBSERVED").map(({ call }) => call)).toEqual(["g1"])
})

it("Codex's events and items of kinds that nobody knows are counted by their names", async () => {
  const file = writeTranscript(join(transcriptFolder(), "s.jsonl"), [
    row("session_meta", { id: parent, cwd: "/gone" }),
    row("event_msg", { type: "token_count" }),
    row("event_msg", { type: "agent_reasoning", text: "x" }),
    row("response_item", { type: "reasoning" }),
    row("event_msg", { type: "command_finished" }),
    row("response_item", { type: "shell_call_2" })
  ])
  const [imported] = (await importing({ paths: [file] })).imported
  expect([...(imported?.unknown ?? [])]).toEqual([
    ['event_msg of kind "command_finished"', 1],
    ['response_item of kind "shell_call_2"', 1]
  ])
})

it("links in a folder of transcripts are followed, each file once, and no circle of them", () => {
  const [folder, elsewhere] = [transcriptFolder(), transcriptFolder()]
  const rows = [row("session_meta", { id: parent, cwd: "/gone" })]
  const one = writeTranscript(join(elsewhere, "deep", "one.jsonl"), rows)
  const two = writeTranscript(join(elsewhere, "two.jsonl"), rows)
  symlinkSync(join(elsewhere, "deep"), join(folder, "deep"))
  symlinkSync(two, join(folder, "two.jsonl"))
  symlinkSync(two, join(folder, "twice.jsonl"))
  symlinkSync(folder, join(elsewhere, "deep", "back"))
  symlinkSync(join(folder, "nothing"), join(folder, "broken.jsonl"))
  expect(transcriptsAt([folder], undefined).files.map(({ path }) => path)).toEqual([
    join(folder, "deep", "one.jsonl"),
    join(folder, "twice.jsonl")
  ])
  expect(one).toContain("one.jsonl")
})

it("the log tells how much imported sessions take apart from all else", () =>
  Effect.gen(function* () {
    const log = yield* EventLog
    const stream = observedStream("codex", "s")
    yield* log.append("invocation/1", "any", [draftOf("invocation/1")])
    yield* log.append(stream, "any", [draftOf(stream, { at: 5 })])
    const { inside, outside } = yield* log.sizes("transcript/")
    expect(inside).toMatchObject([{ stream, newest: 5 }])
    expect(outside).toBe(inside[0]?.bytes)
    expect((yield* log.sizes("nobody/")).outside).toBe(0)
  }).pipe(Effect.provide(layerMemory()), Effect.runPromise))
