/** What is read from transcripts of Claude Code: each trap of the format, with a few rows after its shape. */
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import {
  growTranscript,
  importing,
  observedOf,
  ofType,
  transcriptFolder,
  writeTranscript
} from "../../../support/observed.ts"

let minute = 0
const time = (): string => new Date(Date.UTC(2026, 0, 5, 10, minute++)).toISOString()

const base = (over: object = {}) => ({
  sessionId: "s1",
  cwd: "/gone/project",
  version: "2.1.219",
  isSidechain: false,
  timestamp: time(),
  uuid: `u${minute}`,
  ...over
})
const usage = {
  input_tokens: 10,
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 5,
  output_tokens: 7
}
const said = (block: object, over: object = {}, message: object = {}) => ({
  ...base(over),
  type: "assistant",
  message: { id: `m${minute}`, role: "assistant", model: "opus", content: [block], usage, ...message }
})
const call = (id: string, name = "Bash", input: object = { command: "npm test" }, over = {}, message = {}) =>
  said({ type: "tool_use", id, name, input }, over, message)
const result = (id: string, content: unknown, rest: object = {}, over: object = {}) => ({
  ...base(over),
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, ...rest }] }
})
const ran = (id: string, stdout = "fine") =>
  result(id, stdout, { is_error: false }, { toolUseResult: { stdout, stderr: "", interrupted: false } })
const prompt = (content: string, over: object = {}) => ({
  ...base(over),
  type: "user",
  message: { role: "user", content }
})

describe("a call", () => {
  it("is joined with its result: a failing one with its exit code, one behind a pipe as the agent has it", async () => {
    const facts = await observedOf([
      prompt("go", { promptId: "p1", permissionMode: "acceptEdits" }),
      call("t1"),
      result("t1", "Exit code 2\nboom", { is_error: true }, { toolUseResult: "Error: Exit code 2\nboom" }),
      call("t2", "Bash", { command: "false | tail -1" }),
      ran("t2")
    ])
    expect(ofType(facts, "TOOL_CALL_OBSERVED")).toMatchObject([
      {
        call: "t1",
        name: "Bash",
        told: "failed",
        exitCode: 2,
        turn: "p1",
        permissionMode: "acceptEdits",
        cwd: "/gone/project",
        response: "Exit code 2\nboom"
      },
      { call: "t2", told: "ok", exitCode: 0 }
    ])
  })

  it("may have its result before it, or other rows of its message between", async () => {
    const facts = await observedOf([ran("t1"), call("t1"), call("t2"), call("t3"), ran("t3"), ran("t2")])
    expect(ofType(facts, "TOOL_CALL_OBSERVED").map((one) => [one.call, one.told])).toEqual([
      ["t1", "ok"],
      ["t3", "ok"],
      ["t2", "ok"]
    ])
  })

  it("that a hook, a rule or the agent did not let run has not failed, nor has one that somebody stopped", async () => {
    const denied = { permissionDecision: { decision: "deny", source: "hook", reasonCode: "hook:PreToolUse" } }
    const facts = await observedOf([
      call("t1"),
      result("t1", "use pnpm", { is_error: true }, denied),
      call("t2", "Edit", { file_path: "/a" }),
      result("t2", "<tool_use_error>String to replace not found</tool_use_error>", { is_error: true }),
      call("t3"),
      result("t3", "The user doesn't want to proceed with this tool use.", { is_error: true }),
      call("t4", "Bash"),
      result("t4", "Only the bare reason of a hook", { is_error: true }),
      call("t5", "Read", { file_path: "/b" }),
      result("t5", "<tool_use_error>File does not exist.</tool_use_error>", { is_error: true })
    ])
    expect(ofType(facts, "TOOL_CALL_OBSERVED").map((one) => [one.call, one.told, one.deniedBy])).toEqual([
      ["t1", "denied", "hook:PreToolUse"],
      ["t2", "rejected", undefined],
      ["t3", "stopped", undefined],
      ["t4", "denied", undefined],
      ["t5", "failed", undefined]
    ])
  })

  it("of a subagent has only the text of its result, and says whose it is; older files have it as progress", async () => {
    const nested = (type: string, message: object) => ({
      ...base(),
      type: "progress",
      parentToolUseID: "task",
      data: { type: "agent_progress", agentId: "a2", message: { type, timestamp: time(), message } }
    })
    const facts = await observedOf([
      call("t1", "Bash", { command: "ls" }, { isSidechain: true, agentId: "a1" }),
      result("t1", "out", {}, { isSidechain: true, agentId: "a1" }),
      nested("assistant", { id: "m", content: [{ type: "tool_use", id: "t2", name: "Bash", input: {} }] }),
      nested("user", { content: [{ type: "tool_result", tool_use_id: "t2", content: "x" }] })
    ])
    expect(ofType(facts, "TOOL_CALL_OBSERVED").map((one) => [one.call, one.told, one.subagent])).toEqual([
      ["t1", "ok", "a1"],
      ["t2", "ok", "a2"]
    ])
  })

  it("in the background ends later, in a notification", async () => {
    const note = (status: string, summary: string) =>
      `<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>t1</tool-use-id>\n<status>${status}</status>\n<summary>${summary}</summary>\n</task-notification>`
    const text = note("failed", 'Background command "x" failed with exit code 3')
    const facts = await observedOf([
      call("t1"),
      result("t1", "running", {}, { toolUseResult: { stdout: "", stderr: "", backgroundTaskId: "b1" } }),
      { type: "queue-operation", operation: "enqueue", sessionId: "s1", timestamp: time(), content: text },
      {
        ...base(),
        type: "attachment",
        attachment: { type: "queued_command", commandMode: "task-notification", prompt: text }
      },
      prompt(text)
    ])
    expect(ofType(facts, "TOOL_CALL_OBSERVED")).toMatchObject([{ call: "t1", told: "running" }])
    expect(ofType(facts, "TOOL_CALL_SETTLED")).toMatchObject([{ call: "t1", told: "failed", exitCode: 3 }])
    expect(ofType(facts, "PROMPT_OBSERVED")).toEqual([])
  })

  it("without a result is told once nobody writes the file any more, and again with its end when it has one", async () => {
    const file = writeTranscript(join(transcriptFolder(), "s.jsonl"), [prompt("go"), call("t1")], true)
    const young = await importing({ paths: [file] })
    expect(
      ofType(
        young.facts.map(({ data }) => data),
        "TOOL_CALL_OBSERVED"
      )
    ).toEqual([])
    const { facts } = await importing(
      {
        paths: [file],
        before: () =>
          writeTranscript(file, [prompt("go", { uuid: "p" }), call("t1", "Bash", {}, {}, { id: "m" })])
      },
      { paths: [file], before: () => growTranscript(file, [ran("t1")]) }
    )
    expect(
      ofType(
        facts.map(({ data }) => data),
        "TOOL_CALL_OBSERVED"
      ).map(({ told }) => told)
    ).toEqual(["untold", "ok"])
  })

  it("keeps what matters of a long output, and says how much was left out", async () => {
    const long = `begin ${"x".repeat(100_000)} end`
    const [fact] = ofType(await observedOf([call("t1"), ran("t1", long)]), "TOOL_CALL_OBSERVED")
    const { stdout = "" } = (fact?.response ?? {}) as { readonly stdout?: string }
    expect(stdout.length).toBeLessThan(20_000)
    expect([stdout.startsWith("begin"), stdout.endsWith("end")]).toEqual([true, true])
    expect(fact?.omitted).toBeGreaterThan(80_000)
  })
})

describe("a file that is named as seen from the working directory", () => {
  it("has its whole path, as hooks are given it", async () => {
    const facts = await observedOf([
      call("t1", "Write", { file_path: "src/a.ts", content: "x" }),
      call("t2", "Write", { file_path: "/p/a.ts", content: "x" }),
      call("t3", "Write", { file_path: "D:\\a.ts", content: "x" })
    ])
    expect(
      ofType(facts, "TOOL_CALL_OBSERVED").map(({ input }) => (input as { file_path: string }).file_path)
    ).toEqual(["/gone/project/src/a.ts", "/p/a.ts", "D:\\a.ts"])
  })
})

describe("what counts once", () => {
  const first = () => [
    prompt("go", { uuid: "p", promptId: "p1" }),
    call("t1", "Bash", { command: "ls" }, { uuid: "c" }, { id: "m" }),
    result("t1", "x", {}, { uuid: "r" })
  ]

  it("is a message in several rows: the first time, the most that was used", async () => {
    const rows = [1, 40, 40].map((output_tokens, nth) =>
      said({ type: "text", text: `part ${nth}` }, {}, { id: "m", usage: { ...usage, output_tokens } })
    )
    const facts = await observedOf(rows)
    expect(ofType(facts, "USAGE_OBSERVED")).toMatchObject([
      { model: "opus", input: 10, output: 40, cacheRead: 100, cacheWrite: 5 }
    ])
    expect(ofType(facts, "ANSWER_OBSERVED")).toHaveLength(3)
  })

  it("is a fork's copy: other session and parents, nothing used", async () => {
    const folder = transcriptFolder()
    const rows = first()
    const copied = rows.map((row) => ({
      ...row,
      sessionId: "s2",
      ...("message" in row && "usage" in row.message
        ? { message: { ...row.message, usage: { input_tokens: 0, output_tokens: 0 } } }
        : {})
    }))
    const { facts } = await importing({
      paths: [
        writeTranscript(join(folder, "s1.jsonl"), rows),
        writeTranscript(join(folder, "s2.jsonl"), [
          ...copied,
          call("t9", "Bash", {}, { sessionId: "s2" }),
          result("t9", "", {}, { sessionId: "s2" })
        ])
      ]
    })
    expect(facts.map(({ data, session }) => [session, data.type, "call" in data ? data.call : ""])).toEqual([
      ["s1", "PROMPT_OBSERVED", ""],
      ["s1", "TOOL_CALL_OBSERVED", "t1"],
      ["s1", "USAGE_OBSERVED", ""],
      ["s2", "TOOL_CALL_OBSERVED", "t9"],
      ["s2", "USAGE_OBSERVED", ""]
    ])
  })

  it("is a session imported twice, or resumed in the same file: only what is new is added", async () => {
    const file = writeTranscript(join(transcriptFolder(), "s.jsonl"), first())
    const { facts, imported } = await importing(
      { paths: [file] },
      { paths: [file] },
      {
        paths: [file],
        before: () => growTranscript(file, [...first().slice(0, 2), prompt("more"), call("t2"), ran("t2")])
      }
    )
    expect(imported.map(({ facts, calls }) => [facts, calls])).toEqual([
      [3, 1],
      [0, 0],
      // The tokens of the last message wait for the rest of its rows: somebody writes to the file.
      [2, 1]
    ])
    expect(new Set(facts.map(({ id }) => id)).size).toBe(facts.length)
  })

  it("is a sidechain that replays its parent's messages under another request", async () => {
    const replayed = { isSidechain: true, requestId: "other", uuid: "x1" }
    const facts = await observedOf([
      ...first(),
      call("t1", "Bash", { command: "ls" }, replayed, { id: "m" }),
      result("t1", "x", {}, { ...replayed, uuid: "x2" })
    ])
    expect(ofType(facts, "TOOL_CALL_OBSERVED")).toHaveLength(1)
    expect(ofType(facts, "USAGE_OBSERVED")).toHaveLength(1)
  })
})

describe("what somebody typed", () => {
  it("is told from what only stands in the same place", async () => {
    const facts = await observedOf([
      prompt("really typed"),
      prompt("a caveat", { isMeta: true }),
      prompt("<command-name>/clear</command-name>"),
      prompt("<local-command-stdout>ok</local-command-stdout>"),
      prompt("This session is being continued", { isCompactSummary: true }),
      {
        ...base(),
        type: "attachment",
        attachment: { type: "queued_command", commandMode: "prompt", prompt: "typed meanwhile" }
      },
      prompt("[Request interrupted by user]")
    ])
    expect(ofType(facts, "PROMPT_OBSERVED").map(({ automatic, text }) => [text, automatic])).toEqual([
      ["really typed", undefined],
      ["This session is being continued", true],
      ["typed meanwhile", undefined]
    ])
    expect(ofType(facts, "TURN_INTERRUPTED")).toHaveLength(1)
  })
})

describe("hooks of whoever", () => {
  it("are told as the agent kept them, with how long they took", async () => {
    const run = (type: string, more: object) => ({
      ...base(),
      type: "attachment",
      attachment: {
        type,
        hookEvent: "PostToolUse",
        hookName: "PostToolUse:Bash",
        toolUseID: "t1",
        command: "lint.sh",
        ...more
      }
    })
    const facts = await observedOf([
      run("hook_success", { exitCode: 0, durationMs: 12, content: "said" }),
      run("hook_non_blocking_error", { exitCode: 1, durationMs: 3 }),
      run("hook_cancelled", { timedOut: true, timeoutMs: 60_000 }),
      run("hook_additional_context", { content: ["x"] }),
      {
        ...base(),
        type: "system",
        subtype: "stop_hook_summary",
        hookInfos: [{ command: "stop.sh", durationMs: 9 }]
      }
    ])
    expect(
      ofType(facts, "HOOK_RUN_OBSERVED").map((one) => [one.command, one.outcome, one.ms, one.said])
    ).toEqual([
      ["lint.sh", "succeeded", 12, 4],
      ["lint.sh", "failed", 3, 0],
      ["lint.sh", "cancelled", 60_000, 0],
      ["stop.sh", "succeeded", 9, undefined]
    ])
  })
})

it("rows and contents of no known kind are counted by name, broken and half-written lines do no harm", async () => {
  const file = writeTranscript(join(transcriptFolder(), "s.jsonl"), [
    { ...base(), type: "cost-state", total: 9 },
    { ...base(), type: "hologram" },
    said({ type: "telepathy" }),
    "{ this is no JSON",
    call("t1"),
    ran("t1")
  ])
  growTranscript(file, [])
  const { facts, imported } = await importing({ paths: [file] })
  expect(Object.fromEntries(imported[0]?.unknown ?? [])).toEqual({
    'row of kind "hologram"': 1,
    'content of kind "telepathy"': 1,
    "line that is no JSON": 1
  })
  expect(facts.map(({ type }) => type)).toContain("TOOL_CALL_OBSERVED")
})

it("secrets are taken out before anything is on the log", async () => {
  const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`
  const facts = await observedOf([
    call("t1", "Bash", { command: `curl -H "Authorization: token ${secret}"` }),
    ran("t1", secret)
  ])
  expect(JSON.stringify(facts)).not.toContain(secret)
  expect(JSON.stringify(facts)).toContain("‹redacted:")
})
