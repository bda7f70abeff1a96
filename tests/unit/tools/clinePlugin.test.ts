/** The plugin that Cline loads, with a Cline that is none: what it tells the commands, and what it does with their answers. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { pluginBeside } from "../../../src/agents/settingsFiles.ts"
import { clinePluginText } from "../../../src/tools/install/clinePlugin.ts"

type Fields = Readonly<Record<string, unknown>>
interface Told extends Fields {
  readonly hook_event_name: string
}
interface Plugin {
  readonly name: string
  readonly manifest: Fields
  readonly setup: (registry: object, context: object) => void
  readonly hooks: Readonly<Record<string, (context: object) => Promise<Fields | undefined>>>
}

/** `answers`: by event what its command writes, or a shell command of its own. */
const loaded = async (answers: Readonly<Record<string, object | string>> = {}, timeout = 20_000) => {
  const root = realpathSync(mkdtempSync(join(homedir(), "cline-")))
  const settings = join(root, ".cline", "hooktape.json")
  const plugin = pluginBeside(settings)
  const heard = join(root, "heard")
  mkdirSync(join(root, ".cline", "plugins"), { recursive: true })
  writeFileSync(heard, "")
  const entry = (event: string): object => {
    const answer = answers[event] ?? {}
    const then = typeof answer === "string" ? answer : `printf '%s' '${JSON.stringify(answer)}'`
    // In one write: two of them may be at it at once.
    return { command: `printf '%s\\n' "$(cat)" >>'${heard}'; ${then}`, timeout }
  }
  const events = [
    "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure SubagentStart SubagentStop",
    "Stop StopFailure Interrupt"
  ].flatMap((line) => line.split(" "))
  writeFileSync(
    settings,
    JSON.stringify({ hooks: Object.fromEntries(events.map((event) => [event, [entry(event)]])) })
  )
  writeFileSync(plugin, clinePluginText)
  // A module is loaded once for each address.
  const own = ((await import(/* @vite-ignore */ pathToFileURL(plugin).href)) as { default: Plugin }).default
  own.setup({}, { session: { sessionId: "s" }, workspaceInfo: { rootPath: root } })
  const hook = (name: string, context: object) => {
    const found = own.hooks[name]
    if (found === undefined) throw new Error(`no hook ${name}`)
    return found(context)
  }
  const snapshot = { agentId: "a", runId: "r", messages: [] as readonly object[] }
  const message = (text: string, more: object = {}) => ({
    role: "user",
    content: [{ type: "text", text }],
    ...more
  })
  const prompt = (...messages: readonly object[]) =>
    hook("beforeRun", { snapshot: { ...snapshot, messages: messages } })
  const toolCall = { toolCallId: "c", toolName: "run_commands" }
  const calls = (input: object) => hook("beforeTool", { snapshot, toolCall, input })
  const ran = (result: object, toolCallId = "c") =>
    hook("afterTool", { snapshot, toolCall: { ...toolCall, toolCallId }, input: {}, result, durationMs: 7 })
  const ends = (result: object) => hook("afterRun", { snapshot, result })
  const told = (): readonly Told[] =>
    readFileSync(heard, "utf8")
      .trim()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
  return { calls, ends, hook, message, own, prompt, ran, root, snapshot, told }
}

const names = (told: readonly Told[]) => told.map(({ hook_event_name }) => hook_event_name)

it("is what Cline takes for a plugin with hooks", async () => {
  const { own } = await loaded()
  expect(own).toMatchObject({ name: "hooktape", manifest: { capabilities: ["hooks"] } })
  expect(Object.keys(own.hooks).sort()).toEqual(["afterRun", "afterTool", "beforeRun", "beforeTool"])
})

describe("a session", () => {
  it("begins with its first prompt, which is told without what Cline wraps it in", async () => {
    const { message, prompt, root, told } = await loaded({
      SessionStart: { context: "START" },
      UserPromptSubmit: { context: "PROMPT" }
    })
    expect(await prompt(message('<user_input mode="act">go\non</user_input>'))).toEqual({
      appendContext: "START\n\nPROMPT"
    })
    expect(
      await prompt(
        message("go"),
        { role: "assistant", content: [{ type: "text", text: "Well." }] },
        message("again"),
        message("<hook_context>x</hook_context>", { metadata: { displayRole: "system" } })
      )
    ).toEqual({ appendContext: "PROMPT" })
    expect(told()).toMatchObject([
      { hook_event_name: "SessionStart", source: "startup", session_id: "s", turn_id: "r", cwd: root },
      { hook_event_name: "UserPromptSubmit", prompt: "go\non" },
      { hook_event_name: "UserPromptSubmit", prompt: "again" }
    ])
  })

  it("that is taken up again says so", async () => {
    const { message, prompt, told } = await loaded()
    expect(await prompt(message("go"), { role: "assistant", content: [] }, message("on"))).toBeUndefined()
    expect(told()[0]).toMatchObject({ hook_event_name: "SessionStart", source: "resume" })
  })

  it("of a subagent is told with the one that started it", async () => {
    const { hook, message, prompt, snapshot, told } = await loaded({ SubagentStart: { context: "HELP" } })
    await prompt(message("go"))
    const child = { ...snapshot, agentId: "b", parentAgentId: "a", runId: "own" }
    expect(await hook("beforeRun", { snapshot: child })).toEqual({ appendContext: "HELP" })
    await hook("afterRun", { snapshot: child, result: { status: "completed", outputText: "Helped." } })
    const beside = { session_id: "s", turn_id: "r", agent_id: "b" }
    expect(told().slice(2)).toMatchObject([
      { ...beside, hook_event_name: "SubagentStart", agent_type: "" },
      { ...beside, hook_event_name: "SubagentStop", last_assistant_message: "Helped." }
    ])
  })
})

it("a prompt that is blocked is not answered, by document and by exit code", async () => {
  for (const answer of [{ decision: "block", reason: "NO" }, "echo NO >&2; exit 2"]) {
    const { message, prompt } = await loaded({ UserPromptSubmit: answer, SessionStart: { context: "START" } })
    expect(await prompt(message("go"))).toEqual({ stop: true, reason: "NO" })
  }
})

describe("a call of a tool", () => {
  it("is skipped with the reason, and is then no failure", async () => {
    const { calls, ran, told } = await loaded({ PreToolUse: { decision: "block", reason: "NO" } })
    expect(await calls({ commands: ["rm"] })).toEqual({ skip: true, reason: "NO" })
    expect(await ran({ isError: true, output: { error: "NO" } })).toBeUndefined()
    expect(names(told())).toEqual(["PreToolUse"])
    // Another call of the same name is.
    await ran({ isError: true, output: { error: "NO" } }, "d")
    expect(names(told())).toEqual(["PreToolUse", "PostToolUseFailure"])
  })

  it("has its input changed with what was left of it, and words behind its result", async () => {
    const { calls } = await loaded({ PreToolUse: { args: { commands: ["pwd"] }, context: "BEFORE" } })
    expect(await calls({ commands: ["ls"], other: 1 })).toEqual({
      input: { commands: ["pwd"], other: 1 },
      appendContext: "BEFORE"
    })
  })

  it("is asked about, or allowed without a question", async () => {
    const asking = await loaded({ PreToolUse: { decision: "ask", reason: "SURE?" } })
    expect(await asking.calls({})).toEqual({ policy: { autoApprove: false } })
    const allowing = await loaded({ PreToolUse: { decision: "allow" } })
    expect(await allowing.calls({})).toEqual({ policy: { autoApprove: true } })
  })

  it("has its result replaced", async () => {
    const { ran, told } = await loaded({ PostToolUse: { output: "OTHER", context: "AFTER" } })
    expect(await ran({ output: [{ query: "ls", result: "x", success: true }] })).toEqual({
      result: { output: "OTHER" },
      appendContext: "AFTER"
    })
    expect(told()[0]).toMatchObject({
      tool_name: "run_commands",
      tool_use_id: "c",
      duration_ms: 7,
      tool_response: [{ query: "ls", result: "x", success: true }]
    })
  })

  it("that failed is told with its error, and what the human refused as such", async () => {
    const { ran, told } = await loaded({ PostToolUseFailure: { context: "FAILED" } })
    expect(await ran({ output: { success: false, error: "gone" } })).toEqual({ appendContext: "FAILED" })
    await ran({ isError: true, output: { error: 'Tool "x" requires approval in a TTY session' } })
    await ran({ isError: true, output: "odd" })
    expect(told()).toMatchObject([
      { error: "gone", is_interrupt: false },
      { is_interrupt: true },
      { error: '"odd"', is_interrupt: false }
    ])
  })
})

it("the end of a run is told as what it was", async () => {
  const { ends, told } = await loaded()
  await ends({ status: "completed", outputText: "Done." })
  await ends({ status: "aborted" })
  await ends({ status: "failed", error: { name: "APIError", message: "busy" } })
  // An error does not pass between Cline's processes.
  await ends({ status: "failed", error: {} })
  expect(told()).toMatchObject([
    { hook_event_name: "Stop", last_assistant_message: "Done.", stop_hook_active: false },
    { hook_event_name: "Interrupt" },
    { hook_event_name: "StopFailure", error: "APIError", error_details: "busy" },
    { hook_event_name: "StopFailure", error: "unknown" }
  ])
})

it("a command that is not through in time has nothing to say, and Cline goes on", async () => {
  const { calls } = await loaded({ PreToolUse: "exec sleep 60" }, 200)
  expect(await calls({ commands: ["ls"] })).toEqual({})
})

it("a session's start that takes long does not take the prompt's time", async () => {
  const wait = 'while [ ! -e "$CLINE_PROJECT_DIR/go" ]; do sleep 0.01; done'
  const { message, prompt } = await loaded({
    SessionStart: `${wait}; printf '%s' '{"context":"START"}'`,
    UserPromptSubmit: `touch "$CLINE_PROJECT_DIR/go"; printf '%s' '{"context":"PROMPT"}'`
  })
  expect(await prompt(message("go"))).toEqual({ appendContext: "START\n\nPROMPT" })
})

it("the first prompt leaves Cline's time to both of its events", async () => {
  // Longer than Cline waits for a function.
  const { message, prompt, told } = await loaded({
    SessionStart: "exec sleep 60",
    UserPromptSubmit: "exec sleep 61"
  })
  const began = performance.now()
  expect(await prompt(message("go"))).toBeUndefined()
  expect(performance.now() - began).toBeLessThan(20_000)
  expect(names(told())).toEqual(["SessionStart", "UserPromptSubmit"])
})
