/** OpenCode itself, with hooktape's plugin installed in it: what hooks say arrives, what they block does not happen, and uninstalling leaves nothing. */
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { hooktapeIn, inProject } from "../../support/agents/hooktape.ts"
import { agentBinary } from "../../support/agents/install.ts"
import { heard, toolResults } from "../../support/agents/received.ts"
import { runAgent } from "../../support/agents/runAgent.ts"
import { withScriptedModel } from "../../support/agents/scriptedModel.ts"
import { makeWorkspace, toolPath, type Workspace } from "../../support/agents/workspace.ts"

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
})
afterEach(() => workspace.dispose())

const hooks = `import { blockingFeedback, defineHook, modelContext, userHint } from "hooktape"
const onCommand = (name, command, run) => defineHook({ name, on: "tool.before", when: { tool: "shell", command }, run })
export const starting = defineHook({ name: "starting", on: "session.start", run: ({ source }) => modelContext("CONTEXT " + source) })
export const prompted = defineHook({ name: "prompted", on: "prompt.submit", run: ({ prompt }) => modelContext("CONTEXT prompt " + prompt) })
export const rewriting = onCommand("rewriting", "touch first", () => modelContext({ updatedInput: { command: "touch rewritten" } }))
export const asking = onCommand("asking", "touch asked", () => modelContext({ permission: "ask", reason: "REASON ask" }))
export const beside = onCommand("beside", "echo beside", () => [modelContext("CONTEXT beside"), userHint("HINT beside")])
export const failing = defineHook({ name: "failing", on: "command.ran", when: { matches: ({ exitCode }) => exitCode === 3 }, run: () => modelContext("CONTEXT three") })
export const replacing = defineHook({ name: "replacing", on: "tool.after", when: { command: "echo secret" }, run: () => modelContext({ updatedOutput: "OUTPUT replaced" }) })
export const regretting = defineHook({ name: "regretting", on: "tool.after", when: { command: "touch regretted" }, run: () => blockingFeedback("REASON regret") })
export const helping = defineHook({ name: "helping", on: "subagent.start", run: ({ agentType }) => modelContext("CONTEXT for " + agentType) })
`

it("hears context and reasons, is kept from what is blocked, and is left as it was", async () => {
  const hooktape = hooktapeIn(workspace, { "hooks.ts": hooks }, undefined, "on")
  hooktape.must("install", "--agent", "opencode", "--scope", "user")
  const kept = join(workspace.home, "kept")
  writeFileSync(kept, "mine")

  const shell = (command: string) => ({ tool: { name: "bash", input: { command, description: "run" } } })
  const run = await runAgent("opencode", {
    workspace,
    turns: [
      shell("rm -rf ~"),
      shell("touch first"),
      shell("touch asked"),
      shell("echo beside"),
      shell("exit 3"),
      shell("echo secret"),
      shell("touch regretted"),
      { tool: { name: "write", input: { filePath: join(workspace.cwd, "new.md"), content: "new\n" } } },
      { tool: { name: "read", input: { filePath: join(workspace.cwd, "missing.md") } } },
      { tool: { name: "task", input: { description: "help", prompt: "Help.", subagent_type: "general" } } },
      { text: "Helped." },
      { text: "All done." }
    ],
    env: { HOOKTAPE_DEFAULTS: "on" },
    timeoutMs: 120_000
  })
  expect({ exitCode: run.exitCode, turnsTaken: run.turnsTaken }, run.stderr).toEqual({
    exitCode: 0,
    turnsTaken: 12
  })
  expect(existsSync(kept)).toBe(true)
  expect(["first", "rewritten", "asked", "new.md"].filter((name) => inProject(workspace, name))).toEqual([
    "rewritten",
    "new.md"
  ])
  const results = toolResults(run).map(({ text }) => text)
  const result = (start: string) => results.find((text) => text.includes(start)) ?? ""
  expect(results[0]).toMatch(/^guard-destructive \(delete-outside\): /)
  expect(result("REASON ask")).toMatch(/^REASON ask\n/)
  expect(result("CONTEXT beside")).toMatch(/^beside\n\n\nCONTEXT beside$/)
  expect(results.some((text) => text.endsWith("CONTEXT three"))).toBe(true)
  expect(result("OUTPUT")).toBe("OUTPUT replaced")
  expect(result("REASON regret")).not.toBe("")
  for (const text of ["CONTEXT startup", "CONTEXT prompt ", "CONTEXT for general"])
    expect(
      heard(run, text).map(({ role }) => role),
      text
    ).toContain("user")

  const calls = hooktape.calls("opencode")
  expect(calls.map(({ event }) => event).filter((event) => !event.includes("ToolUse"))).toEqual([
    "SessionStart",
    "UserPromptSubmit",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "SessionEnd"
  ])
  const count = (name: string) => calls.filter(({ event }) => event === name).length
  // Two of ten calls were blocked, one read what is not there.
  expect([count("PreToolUse"), count("PostToolUse"), count("PostToolUseFailure")]).toEqual([10, 7, 1])
  // A subagent is a session of its own to OpenCode, and told with the one that started it.
  const sessions = hooktape
    .log()
    .flatMap(({ agent, session }) => (agent === "opencode" && session !== null ? [session] : []))
  expect(new Set(sessions).size).toBe(1)
  hooktape.must("uninstall", "--agent", "opencode", "--scope", "user")
  expect(readdirSync(join(workspace.home, ".config", "opencode"))).not.toContain("plugins")
  expect(existsSync(join(workspace.home, ".config", "opencode", "hooktape.json"))).toBe(false)
})

/** OpenCode as a server, which lives on when a turn ends: with what happens there, line by line. */
const served = async <A>(
  { cwd, home, tmp }: Workspace,
  use: (url: string, happens: (what: string, times?: number) => Promise<void>) => Promise<A>
): Promise<A> => {
  const env = { PATH: toolPath(), HOME: home, TMPDIR: tmp, HOOKTAPE_HOST: "off", HOOKTAPE_DEFAULTS: "off" }
  const server = spawn(agentBinary("opencode"), ["serve", "--hostname", "127.0.0.1", "--port", "0"], {
    cwd,
    env: { ...env, OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
    stdio: ["ignore", "pipe", "ignore"]
  })
  try {
    let said = ""
    const url = await new Promise<string>((done, fail) => {
      server.once("exit", () => fail(new Error(said)))
      server.stdout.setEncoding("utf8").on("data", (text: string) => {
        said += text
        const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
        if (address !== undefined) done(address)
      })
    })
    const events = await fetch(`${url}/event`)
    const reader = (events.body as ReadableStream<Uint8Array>).getReader()
    let seen = ""
    const happens = async (what: string, times = 1): Promise<void> => {
      while (seen.split(what).length <= times) {
        const { done, value } = await reader.read()
        if (done) throw new Error(`OpenCode ended before ${what}`)
        seen += new TextDecoder().decode(value)
      }
    }
    return await use(url, happens)
  } finally {
    server.kill("SIGKILL")
  }
}

const waiting = { tool: { name: "bash", input: { command: "sleep 60", description: "wait" } } }

it("goes on with the reason where a stop is refused, and is told of an interruption, in a project that everyone shares", async () => {
  const hooktape = hooktapeIn(workspace, {
    "stop.ts": `import { blockingFeedback, defineHook, userHint } from "hooktape"
export const interrupted = defineHook({ name: "interrupted", on: "turn.interrupt", run: () => userHint("HINT interrupted") })
export const insisting = defineHook({ name: "insisting", on: "turn.stop", run: ({ stopHookActive }) => stopHookActive ? undefined : blockingFeedback("REASON go on") })`
  })
  hooktape.must("install", "--agent", "opencode", "--scope", "project")
  await withScriptedModel([{ text: "Half done." }, { text: "All done." }, waiting], async (model) => {
    const config = {
      model: "anthropic/claude-sonnet-4-5",
      provider: { anthropic: { options: { baseURL: `${model.url}/v1`, apiKey: "test" } } }
    }
    writeFileSync(join(workspace.cwd, "opencode.json"), JSON.stringify(config))
    // The repository's script finds its user's state where it is by default.
    mkdirSync(join(workspace.home, ".local", "state"), { recursive: true })
    symlinkSync(hooktape.state, join(workspace.home, ".local", "state", "hooktape"))
    await served(workspace, async (url, happens) => {
      const post = async (path: string, body: object): Promise<{ readonly id: string }> =>
        (
          await fetch(`${url}${path}`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body)
          })
        ).json() as Promise<{ readonly id: string }>
      const { id } = await post("/session", {})
      await post(`/session/${id}/message`, { parts: [{ type: "text", text: "Do it." }] })
      await happens('"type":"session.idle"', 2)

      // The human stops a turn in the middle of a command.
      const other = await post("/session", {})
      await fetch(`${url}/session/${other.id}/prompt_async`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ parts: [{ type: "text", text: "Wait." }] })
      })
      await happens('"status":"running"')
      await fetch(`${url}/session/${other.id}/abort`, { method: "POST" })
      await happens("HINT interrupted")
    })
    const main = model.requests.filter((request) => request.main)
    expect(main).toHaveLength(3)
    expect(JSON.stringify(main[1]?.body)).toContain("REASON go on")
  })
  const events = hooktape.calls("opencode").map(({ event }) => event)
  expect(events.filter((event) => event === "UserPromptSubmit")).toHaveLength(2)
  expect(events.filter((event) => event === "Interrupt" || event === "StopFailure")).toEqual(["Interrupt"])
  expect(events.filter((event) => event === "Stop").length).toBeGreaterThan(0)
  hooktape.must("uninstall", "--agent", "opencode", "--scope", "project")
  expect(existsSync(join(workspace.cwd, ".opencode", "plugins"))).toBe(false)
})
