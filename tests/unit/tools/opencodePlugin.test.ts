/** The plugin that OpenCode loads, with an OpenCode that is none: what it tells the commands, and what it does with their answers. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { pluginBeside } from "../../../src/agents/settingsFiles.ts"
import { opencodePluginText } from "../../../src/tools/install/opencodePlugin.ts"

type Fields = Readonly<Record<string, unknown>>
type Hook = (input: Fields, output?: Record<string, unknown>) => Promise<void>
interface Told extends Fields {
  readonly hook_event_name: string
}

/** The second is seen to have begun. */
const timeouts: Readonly<Record<string, number>> = { "exec sleep 60": 200, "exec sleep 61": 1500 }

/** `answers`: by event what its command writes, or a shell command of its own. */
const loaded = async (answers: Readonly<Record<string, object | string>>, parents: Fields = {}) => {
  const root = realpathSync(mkdtempSync(join(homedir(), "opencode-")))
  const settings = join(root, ".opencode", "hooktape.json")
  const plugin = pluginBeside(settings)
  const heard = join(root, "heard")
  mkdirSync(join(root, ".opencode", "plugins"), { recursive: true })
  writeFileSync(heard, "")
  const entry = (event: string): object => {
    const answer = answers[event] ?? {}
    const then = typeof answer === "string" ? answer : `printf '%s' '${JSON.stringify(answer)}'`
    return {
      // In one write: two of them may be at it at once.
      command: `echo $$ >'${heard}.pid'; printf '%s\\n' "$(cat)" >>'${heard}'; ${then}`,
      timeout: timeouts[then] ?? 20_000
    }
  }
  const events = [
    "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure Notification SubagentStart",
    "SubagentStop Stop StopFailure Interrupt PreCompact PostCompact SessionEnd"
  ].flatMap((line) => line.split(" "))
  const hooks = Object.fromEntries(events.map((event) => [event, [entry(event)]]))
  writeFileSync(settings, JSON.stringify({ hooks }))
  writeFileSync(plugin, opencodePluginText)
  // A module is loaded once for each address.
  const { Hooktape } = (await import(/* @vite-ignore */ pathToFileURL(plugin).href)) as {
    Hooktape: (place: object) => Promise<Readonly<Record<string, Hook>>>
  }
  const prompts: unknown[] = []
  let wentOn = (): void => {}
  const goesOn = new Promise<void>((done) => {
    wentOn = done
  })
  const shown: unknown[] = []
  const client = {
    session: {
      get: async ({ path }: { path: { id: string } }) => ({ data: { parentID: parents[path.id] } }),
      promptAsync: async ({ body }: { body: { parts: [{ text: string }] } }) => {
        prompts.push(body.parts[0].text)
        wentOn()
      }
    },
    tui: {
      showToast: async ({ body }: { body: Fields }) => {
        shown.push(body["message"])
      }
    }
  }
  const own = await Hooktape({ client, directory: root, worktree: "/" })
  const hook = (name: string): Hook => {
    const found = own[name]
    if (found === undefined) throw new Error(`no hook ${name}`)
    return found
  }
  const prompt = async (text: string, session = "s") => {
    const output = {
      message: { id: `msg-${text}`, agent: "general", model: { modelID: "m" } },
      parts: [{ id: "prt_1", type: "text", text }]
    }
    await hook("chat.message")({ sessionID: session }, output)
    return output.parts.map((part) => part.text)
  }
  const happens = (type: string, properties: Fields) => hook("event")({ event: { type, properties } })
  const call = (command: string, session = "s", callID = "c") => {
    const output = { args: { command } }
    return hook("tool.execute.before")({ tool: "bash", sessionID: session, callID }, output).then(
      () => output.args
    )
  }
  const ran = async (result: Record<string, unknown>, session = "s", callID = "c") => {
    await hook("tool.execute.after")({ tool: "bash", sessionID: session, callID, args: {} }, result)
    return result
  }
  const told = (): readonly Told[] =>
    readFileSync(heard, "utf8")
      .trim()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
  return {
    call,
    goesOn,
    happens,
    hook,
    prompt,
    prompts,
    ran,
    root,
    shown,
    told,
    end: () => hook("dispose")({})
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const names = (told: readonly Told[]) => told.map(({ hook_event_name }) => hook_event_name)

describe("a session", () => {
  it("begins with its first prompt, whose words the model reads behind the human's, and ends with OpenCode", async () => {
    const { end, happens, prompt, told } = await loaded({
      SessionStart: { context: "START" },
      UserPromptSubmit: { context: "PROMPT" }
    })
    await happens("session.created", { info: { id: "s" } })
    expect(await prompt("go")).toEqual(["go", "START\n\nPROMPT"])
    expect(await prompt("on")).toEqual(["on", "PROMPT"])
    await end()
    expect(names(told())).toEqual(["SessionStart", "UserPromptSubmit", "UserPromptSubmit", "SessionEnd"])
    expect(told()[0]).toMatchObject({ session_id: "s", source: "startup", model: "m", turn_id: "msg-go" })
    expect(told()[2]).toMatchObject({ prompt: "on", turn_id: "msg-on" })
  })

  it("that is taken up again says so", async () => {
    const { prompt, told } = await loaded({})
    await prompt("go")
    expect(told()[0]).toMatchObject({ hook_event_name: "SessionStart", source: "resume" })
  })

  it("of a subagent is told with the one that started it, also where OpenCode has to be asked", async () => {
    const { call, end, happens, prompt, told } = await loaded(
      { SubagentStart: { context: "HELP" } },
      { child: "s" }
    )
    await prompt("go")
    expect(await prompt("help", "child")).toEqual(["help", "HELP"])
    await call("ls", "child")
    await happens("session.idle", { sessionID: "child" })
    await end()
    expect(names(told()).slice(2)).toEqual(["SubagentStart", "PreToolUse", "SubagentStop", "SessionEnd"])
    for (const one of told().slice(2, 5))
      expect(one).toMatchObject({
        session_id: "s",
        agent_id: "child",
        agent_type: "general",
        turn_id: "msg-go"
      })
  })
})

describe("a prompt that is blocked", () => {
  it("is refused, and its reason shown", async () => {
    const { prompt, shown } = await loaded({ UserPromptSubmit: { decision: "block", reason: "NO" } })
    await expect(prompt("go")).rejects.toThrow(/^NO$/)
    expect(shown).toEqual(["NO"])
  })
})

describe("a call of a tool", () => {
  it("is refused with the reason, by document and by exit code, and is then no failure", async () => {
    for (const answer of [{ decision: "block", reason: "NO" }, "echo NO >&2; exit 2"]) {
      const { call, end, happens, told } = await loaded({ PreToolUse: answer })
      await expect(call("rm")).rejects.toThrow(/^NO$/)
      const state = { status: "error", input: {}, error: "NO" }
      await happens("message.part.updated", {
        part: { type: "tool", tool: "bash", callID: "c", sessionID: "s", state }
      })
      await end()
      expect(names(told())).toEqual(["PreToolUse"])
    }
  })

  it("has its input changed, and words from before it beside its result", async () => {
    const { call, ran } = await loaded({
      PreToolUse: { args: { command: "pwd" }, context: "BEFORE" },
      PostToolUse: { context: "AFTER" }
    })
    expect(await call("ls")).toEqual({ command: "pwd" })
    expect(await ran({ output: "x", metadata: { exit: 0 } })).toMatchObject({
      output: "x\n\nBEFORE\n\nAFTER"
    })
    // Said once.
    expect(await ran({ output: "y" })).toMatchObject({ output: "y\n\nAFTER" })
  })

  it("has its result replaced, or extended where it is made of blocks", async () => {
    const { ran, told } = await loaded({ PostToolUse: { output: "OTHER", context: "AFTER" } })
    expect(await ran({ output: "x", metadata: { output: "x", exit: 3 } })).toMatchObject({
      output: "OTHER\n\nAFTER"
    })
    expect(await ran({ content: [{ type: "text", text: "x" }] })).toEqual({
      content: [
        { type: "text", text: "x" },
        { type: "text", text: "AFTER" }
      ]
    })
    expect(told().map((one) => one["tool_response"])).toEqual([
      { output: "x", metadata: { exit: 3 } },
      { content: [{ type: "text", text: "x" }], metadata: {} }
    ])
  })

  it("that failed is told once, and what the human refused as such", async () => {
    const { end, happens, told } = await loaded({})
    const failed = (callID: string, error: string) =>
      happens("message.part.updated", {
        part: {
          type: "tool",
          tool: "read",
          callID,
          sessionID: "s",
          state: { status: "error", input: {}, error }
        }
      })
    await failed("c", "gone")
    await failed("c", "gone")
    await failed("d", "The user rejected permission to use this specific tool call.")
    await end()
    expect(told()).toMatchObject([
      { hook_event_name: "PostToolUseFailure", tool_name: "read", error: "gone", is_interrupt: false },
      { tool_use_id: "d", is_interrupt: true }
    ])
  })
})

describe("the end of a turn", () => {
  it("that is refused goes on with the reason, which is no prompt of the human, and says so the next time", async () => {
    const { end, goesOn, happens, hook, prompt, prompts, told } = await loaded({
      Stop: { decision: "block", reason: "MORE" }
    })
    await prompt("go")
    await hook("experimental.text.complete")({ sessionID: "s" }, { text: "Half." })
    await happens("session.idle", { sessionID: "s" })
    await happens("session.idle", { sessionID: "s" })
    await goesOn
    expect(prompts).toEqual(["MORE"])
    await prompt("MORE")
    await happens("session.idle", { sessionID: "s" })
    await end()
    expect(names(told())).toEqual(["SessionStart", "UserPromptSubmit", "Stop", "Stop", "SessionEnd"])
    expect(told().filter(({ hook_event_name }) => hook_event_name === "Stop")).toMatchObject([
      { stop_hook_active: false, last_assistant_message: "Half." },
      { stop_hook_active: true }
    ])
  })

  it("by the human is an interruption, and no failure", async () => {
    const { end, happens, prompt, told } = await loaded({})
    await prompt("go")
    await happens("session.error", {
      sessionID: "s",
      error: { name: "MessageAbortedError", data: { message: "x" } }
    })
    await happens("session.idle", { sessionID: "s" })
    await end()
    expect(names(told()).slice(2)).toEqual(["Interrupt", "SessionEnd"])
  })

  it("is told as of its own turn, and no turn goes without one, however long a hook before it takes", async () => {
    const { end, happens, prompt, root, told } = await loaded({
      Notification: `while [ ! -e "$OPENCODE_PROJECT_DIR/go" ]; do sleep 0.01; done`
    })
    await prompt("first")
    await happens("permission.asked", { sessionID: "s", permission: "bash" })
    await happens("session.idle", { sessionID: "s" })
    await prompt("second")
    await happens("session.idle", { sessionID: "s" })
    writeFileSync(join(root, "go"), "")
    await end()
    const stops = told().filter(({ hook_event_name }) => hook_event_name === "Stop")
    expect(stops.map((stop) => stop["turn_id"])).toEqual(["msg-first", "msg-second"])
  })

  it("by an error is told with it, and has no other", async () => {
    const { end, happens, prompt, told } = await loaded({})
    await prompt("go")
    await happens("session.error", { sessionID: "s", error: { name: "APIError", data: { message: "busy" } } })
    await happens("session.idle", { sessionID: "s" })
    await end()
    expect(told().slice(2)).toMatchObject([
      { hook_event_name: "StopFailure", error: "APIError", error_details: "busy" },
      { hook_event_name: "SessionEnd" }
    ])
  })
})

it("words for the summary, for the human, and a question of OpenCode's own arrive", async () => {
  const { end, happens, hook, shown, told } = await loaded({
    PreCompact: { context: "KEEP" },
    PostCompact: {},
    Notification: { hint: "HINT" }
  })
  const output = { context: [] as string[] }
  await hook("experimental.session.compacting")({ sessionID: "s" }, output)
  expect(output.context).toEqual(["KEEP"])
  await happens("session.compacted", { sessionID: "s" })
  await happens("permission.asked", { sessionID: "s", permission: "bash", patterns: ["ls *"] })
  await end()
  expect(told().slice(1)).toMatchObject([
    { hook_event_name: "PostCompact" },
    { message: "OpenCode asks for permission: bash ls *", notification_type: "permission_prompt" }
  ])
  expect(shown).toEqual(["HINT"])
})

describe("a command that", () => {
  it.each([
    ["is not there", "exec /nowhere/hook"],
    ["fails", "exit 1"],
    ["writes no JSON", "echo what"],
    ["is not through in time", "exec sleep 60"]
  ])("%s stops nothing", async (_, answer) => {
    const { call, ran } = await loaded({ PreToolUse: answer, PostToolUse: answer })
    expect(await call("ls")).toEqual({ command: "ls" })
    expect(await ran({ output: "x" })).toEqual({ output: "x" })
  })

  it("is not through in time is ended", async () => {
    const { call, root } = await loaded({ PreToolUse: "exec sleep 61" })
    expect(await call("ls")).toEqual({ command: "ls" })
    const pid = Number(readFileSync(join(root, "heard.pid"), "utf8"))
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})
