/** What is taken from the transcript of a session that has hooks: what they did not tell, once, and whom nobody asked. */
import { appendFileSync, mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type { Agent } from "../../../../events/agentEvents.ts"
import type { ObservedFact } from "../../../../events/observedFacts.ts"
import { adapters } from "../../../../src/agents/adapters.ts"
import { reconcileSession } from "../../../../src/features/transcripts/reconcileSession.ts"
import { EventLog } from "../../../../src/log/EventLog.ts"
import { openReader } from "../../../../src/log/reader.ts"
import { ingest } from "../../../../src/log/spool/ingest.ts"
import { layerSqlite } from "../../../../src/log/sqlite/SqliteLog.ts"
import { repeated } from "../../../../src/runtime/clip.ts"
import { digestKey } from "../../../../src/state/state.ts"
import { draftOf } from "../../../support/log/drafts.ts"
import { importing, type Rows, writeTranscript } from "../../../support/observed.ts"

const at = Date.UTC(2026, 0, 5, 10)
const time = (second: number): string => new Date(at + second * 1000).toISOString()

interface Hook {
  readonly event: string
  readonly second: number
  readonly payload: object
  /** The reply blocked it. */
  readonly blocks?: true
}

/** A state directory whose log has these calls of hooks. */
const recorded = async (agent: Agent, hooks: readonly Hook[]): Promise<string> => {
  const state = mkdtempSync(join(homedir(), "reconcile-"))
  digestKey(state)
  await Effect.gen(function* () {
    const log = yield* EventLog
    for (const [nth, { blocks, event, payload, second }] of hooks.entries()) {
      const stream = `invocation/i${nth}`
      const whole = { session_id: "s1", hook_event_name: event, ...payload }
      const text = JSON.stringify(whole)
      const data = {
        type: "PAYLOAD_BUFFERED",
        bytes: text.length,
        payload: text,
        ...repeated(adapters[agent].decode(event, whole)),
        session: "s1"
      }
      const marks = { session: "s1", project: "/gone", agent, at: at + second * 1000 }
      const delivered = {
        type: "REPLY_DELIVERED",
        stdout: "",
        stderr: "",
        exitCode: 0,
        channels: [{ intent: "BLOCKING_FEEDBACK", handler: "guard", channel: "permissionDecision" }]
      }
      yield* log.append(stream, "any", [
        draftOf(stream, { type: "PAYLOAD_BUFFERED", data, ...marks }),
        ...(blocks === undefined
          ? []
          : [draftOf(stream, { type: "REPLY_DELIVERED", data: delivered, ...marks })])
      ])
    }
  }).pipe(Effect.provide(layerSqlite({ file: join(state, "log.sqlite"), source: "here" })), Effect.runPromise)
  return state
}

interface Look {
  readonly isOver?: boolean
  readonly mostBytes?: number
}

const look = async (
  state: string,
  agent: Agent,
  transcript: string,
  { isOver = false, mostBytes = 1e6 }: Look = {}
) => {
  const reader = openReader(state, { from: import.meta.filename })
  try {
    return await reconcileSession(reader, { state, agent, session: "s1", transcript, mostBytes, isOver })
  } finally {
    reader.close()
  }
}

const told = (state: string): readonly ObservedFact[] => {
  const reader = openReader(state, { from: import.meta.filename })
  try {
    return reader
      .facts({ streamPrefix: "transcript/", limit: 1000 })
      .facts.map(({ data }) => data as unknown as ObservedFact)
      .filter(({ type }) => type !== "TRANSCRIPT_RECONCILED")
  } finally {
    reader.close()
  }
}

const file = (rows: Rows, name = "s1.jsonl"): string =>
  writeTranscript(join(mkdtempSync(join(homedir(), "transcript-")), name), rows, true)

let uuid = 0
const row = (second: number, type: string, message: object, more: object = {}) => ({
  type,
  sessionId: "s1",
  cwd: "/gone",
  isSidechain: false,
  uuid: `u${uuid++}`,
  timestamp: time(second),
  message,
  ...more
})
const usage = { input_tokens: 1, output_tokens: 2 }
const claudeCall = (second: number, id: string, command: string) =>
  row(second, "assistant", {
    id: `m-${id}`,
    model: "opus",
    usage,
    content: [{ type: "tool_use", id, name: "Bash", input: { command } }]
  })
const claudeResult = (second: number, id: string, text: string, more: object = {}) =>
  row(second, "user", { content: [{ type: "tool_result", tool_use_id: id, content: text, ...more }] })
const claudePrompt = (second: number, text: string) => row(second, "user", { content: text })

const bash = (command: string, id: string) => ({
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: id
})
const asking = (second: number, command: string, id: string): Hook => ({
  event: "PreToolUse",
  second,
  payload: bash(command, id)
})
const ending = (second: number, command: string, id: string): Hook => ({
  event: "PostToolUse",
  second,
  payload: { ...bash(command, id), tool_response: { stdout: "fine", stderr: "", interrupted: false } }
})

describe("Claude Code", () => {
  const hooks = [
    { event: "SessionStart", second: 0, payload: { source: "startup" } },
    { event: "UserPromptSubmit", second: 1, payload: { prompt: "go" } },
    asking(2, "ls", "t1"),
    ending(3, "ls", "t1"),
    { ...asking(4, "rm -rf /", "t2"), blocks: true as const }
  ]
  const rows = [
    claudePrompt(1, "go"),
    claudeCall(2, "t1", "ls"),
    claudeResult(3, "t1", "fine"),
    claudeCall(4, "t2", "rm -rf /"),
    claudeResult(5, "t2", "gone"),
    claudeCall(6, "t3", "make"),
    claudeResult(7, "t3", "Exit code 2\nno rule", { is_error: true })
  ]

  it("has what hooks told left out, and what no hook saw or the agent passed over told as that", async () => {
    const state = await recorded("claude-code", hooks)
    const transcript = file(rows)
    expect(await look(state, "claude-code", transcript)).toEqual({ facts: 4, missed: 2, ignored: 1 })
    const facts = told(state)
    expect(facts.filter(({ type }) => type === "TOOL_CALL_OBSERVED")).toMatchObject([
      { call: "t2", told: "ok" },
      { call: "t3", told: "failed", exitCode: 2 }
    ])
    expect(facts.filter(({ type }) => type === "HOOK_CALL_MISSED")).toMatchObject([
      { call: "t2", expected: "tool.after" },
      { call: "t3", expected: "tool.before" }
    ])
    expect(facts.filter(({ type }) => type === "DENIAL_IGNORED")).toMatchObject([
      { call: "t2", name: "Bash", invocation: "i4" }
    ])
  })

  it("is read on from where it was left: each thing once, the last message's tokens when it is over", async () => {
    const state = await recorded("claude-code", hooks)
    const transcript = file(rows)
    await look(state, "claude-code", transcript)
    expect(await look(state, "claude-code", transcript)).toEqual({ facts: 0, missed: 0, ignored: 0 })
    appendFileSync(
      transcript,
      [claudePrompt(20, "and more"), row(21, "user", { content: "[Request interrupted by user]" })]
        .map((one) => `${JSON.stringify(one)}\n`)
        .join("")
    )
    expect(await look(state, "claude-code", transcript)).toEqual({ facts: 1, missed: 0, ignored: 0 })
    expect(await look(state, "claude-code", transcript, { isOver: true })).toEqual({
      facts: 1,
      missed: 0,
      ignored: 0
    })
    const tokens = told(state).filter(({ type }) => type === "USAGE_OBSERVED")
    expect(tokens).toHaveLength(3)
  })

  it("is read in parts where a turn is longer than what is read at once, and the end of what was never read", async () => {
    const state = await recorded("claude-code", hooks)
    const transcript = file(rows)
    let facts = 0
    for (let part = 0; part < 30; part++)
      facts += (await look(state, "claude-code", transcript, { isOver: true, mostBytes: 700 })).facts
    expect(facts).toBeGreaterThan(0)
    expect(told(state).filter(({ type }) => type === "TOOL_CALL_OBSERVED")).toMatchObject([{ call: "t3" }])
  })

  it("shows no call as missed that the agent refused, nor one from before the first hook", async () => {
    const state = await recorded("claude-code", hooks)
    const transcript = file([
      claudeCall(-100, "t0", "before"),
      claudeResult(-99, "t0", "fine"),
      claudeCall(8, "t8", "x"),
      claudeResult(9, "t8", "<tool_use_error>InputValidationError: no</tool_use_error>", { is_error: true })
    ])
    const { facts, missed } = await look(state, "claude-code", transcript)
    expect({ facts, missed }).toEqual({ facts: 1, missed: 0 })
  })

  it("has the calls of its subagents, from files of their own", async () => {
    const state = await recorded("claude-code", hooks)
    const transcript = file(rows.slice(0, 1))
    const side = (one: object) => ({ ...one, isSidechain: true, agentId: "a1" })
    writeTranscript(join(dirname(transcript), "s1", "subagents", "agent-a1.jsonl"), [
      side(claudeCall(10, "t10", "ls")),
      side(claudeResult(11, "t10", "fine"))
    ])
    expect(await look(state, "claude-code", transcript, { isOver: true })).toMatchObject({ missed: 2 })
    expect(told(state).filter(({ type }) => type === "TOOL_CALL_OBSERVED")).toMatchObject([
      { call: "t10", subagent: "a1" }
    ])
    expect(await look(state, "claude-code", transcript)).toMatchObject({ facts: 0, missed: 0 })
  })
})

describe("Codex", () => {
  const line = (second: number, type: string, payload: object) => ({ timestamp: time(second), type, payload })
  const rows = [
    line(0, "session_meta", { id: "s1", cwd: "/gone", cli_version: "0.169.0" }),
    line(1, "turn_context", { turn_id: "u1", cwd: "/gone", model: "m" }),
    line(2, "response_item", {
      type: "function_call",
      name: "exec_command",
      call_id: "c1",
      arguments: JSON.stringify({ cmd: "false" })
    }),
    line(3, "response_item", {
      type: "function_call_output",
      call_id: "c1",
      output: "Wall time: 1\nProcess exited with code 1\nOutput:\n"
    })
  ]
  const payload = { ...bash("false", "c1"), turn_id: "u1" }
  const hooks = [
    { event: "PreToolUse", second: 2, payload },
    { event: "PostToolUse", second: 3, payload: { ...payload, tool_response: "" } }
  ]

  it("tells the exit code that its hooks were not told", async () => {
    const state = await recorded("codex", hooks)
    expect(await look(state, "codex", file(rows, "rollout-s1.jsonl"))).toEqual({
      facts: 1,
      missed: 0,
      ignored: 0
    })
    expect(told(state)).toMatchObject([
      { type: "TOOL_CALL_OBSERVED", call: "c1", told: "failed", exitCode: 1 }
    ])
  })
})

describe("Gemini CLI", () => {
  const message = (second: number, id: string, command: string) => ({
    id: `g${id}`,
    type: "gemini",
    timestamp: time(second),
    content: "",
    model: "m",
    toolCalls: [
      {
        id,
        name: "run_shell_command",
        args: { command },
        status: "success",
        timestamp: time(second + 1),
        result: [{ functionResponse: { response: { output: "Output: fine" } } }]
      }
    ]
  })
  const payload = { tool_name: "run_shell_command", tool_input: { command: "ls" } }

  it("has its calls told from one another by what was asked, in order: its hooks are given no name of a call", async () => {
    const state = await recorded("gemini-cli", [
      { event: "BeforeTool", second: 2, payload },
      {
        event: "AfterTool",
        second: 3,
        payload: { ...payload, tool_response: { llmContent: "Output: fine" } }
      }
    ])
    const transcript = file(
      [
        { sessionId: "s1", projectHash: "p", startTime: time(0) },
        message(2, "a", "ls"),
        message(5, "b", "ls"),
        message(8, "c", "pwd")
      ],
      "chats/session-1.jsonl"
    )
    const { missed } = await look(state, "gemini-cli", transcript)
    expect(missed).toBe(4)
    expect(
      told(state).flatMap((one) => (one.type === "HOOK_CALL_MISSED" ? [`${one.call} ${one.expected}`] : []))
    ).toEqual(["b tool.before", "b tool.after", "c tool.before", "c tool.after"])
  })
})

describe("what was reconciled", () => {
  it("is what an import finds: the same facts, so that an import adds the rest and nothing twice", async () => {
    const state = await recorded("claude-code", [{ event: "SessionStart", second: 0, payload: {} }])
    const transcript = file([claudePrompt(1, "go"), claudeCall(2, "t1", "ls"), claudeResult(3, "t1", "fine")])
    await look(state, "claude-code", transcript, { isOver: true })
    const { facts } = await importing({ paths: [transcript] })
    const reader = openReader(state, { from: import.meta.filename })
    const found = reader.facts({ streamPrefix: "transcript/", limit: 100 }).facts
    reader.close()
    const call = ({ type }: { readonly type: string }) => type === "TOOL_CALL_OBSERVED"
    expect(found.find(call)?.id).toBe(facts.find(call)?.id)
    expect(found.find(call)?.data).toEqual(facts.find(call)?.data)
    const ingested = await ingest(state, "here").pipe(
      Effect.provide(layerSqlite({ file: join(state, "log.sqlite"), source: "here" })),
      Effect.runPromise
    )
    expect(ingested.rejected).toEqual([])
  })

  it("is nothing where the agent names no transcript, another's, or one that is a link", async () => {
    const state = await recorded("codex", [])
    for (const [path, why] of [
      ["t.jsonl", "no transcript"],
      ["/gone/t.jsonl", "no transcript at this place"],
      [file([claudePrompt(1, "go")]), "no transcript of codex"]
    ] as const)
      expect((await look(state, "codex", path)).skipped).toContain(why)
  })
})
