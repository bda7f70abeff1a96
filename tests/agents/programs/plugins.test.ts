/** hooktape as a plugin or an extension that the real agent installs: with a hooktape of its user's, with that registered as well, and with none. */
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Agent, agents, shellTool } from "../../support/agents/agents.ts"
import { hooktapeIn, inProject } from "../../support/agents/hooktape.ts"
import { endHost, withHost } from "../../support/agents/hosted.ts"
import { agentBinary } from "../../support/agents/install.ts"
import { toolResults } from "../../support/agents/received.ts"
import { runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, toolPath, type Workspace } from "../../support/agents/workspace.ts"

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
})
afterEach(() => workspace.dispose())

const folder = (agent: Agent): string => join(import.meta.dirname, "..", "..", "..", "dist", "plugins", agent)

/** As a user types it. */
const commands: Readonly<Record<Agent, readonly (readonly string[])[]>> = {
  "claude-code": [
    ["plugin", "marketplace", "add", folder("claude-code")],
    ["plugin", "install", "hooktape@hooktape"]
  ],
  codex: [
    ["plugin", "marketplace", "add", folder("codex")],
    ["plugin", "add", "hooktape@hooktape"]
  ],
  "gemini-cli": [["extensions", "install", folder("gemini-cli"), "--consent"]]
}

/** Where the agent keeps what it installed: an update takes it away while sessions run. */
const kept: Readonly<Record<Agent, readonly string[]>> = {
  "claude-code": [".claude", "plugins", "cache", "hooktape"],
  codex: [".codex", "plugins", "cache", "hooktape"],
  "gemini-cli": [".gemini", "extensions", "hooktape"]
}

const installPlugin = (agent: Agent): void => {
  const { cwd, home, tmp } = workspace
  if (agent === "gemini-cli") {
    mkdirSync(join(home, ".gemini"))
    writeFileSync(join(home, ".gemini", "settings.json"), '{"security":{"folderTrust":{"enabled":false}}}')
  }
  for (const args of commands[agent])
    execFileSync(agentBinary(agent), args, {
      cwd,
      env: { PATH: toolPath(), HOME: home, TMPDIR: tmp },
      stdio: ["ignore", "pipe", "pipe"]
    })
}

const updating = (agent: Agent): string => `import { renameSync, existsSync } from "node:fs"
import { defineHook } from "hooktape"
const kept = ${JSON.stringify(join("/", ...kept[agent]))}
export default defineHook({
  name: "updating",
  on: "tool.after",
  when: { command: "echo one" },
  run: () => {
    const place = process.env["HOME"] + kept
    if (existsSync(place)) renameSync(place, place + "-old")
  }
})
`

const push = "touch pushed && git push --force origin main"

describe.each(agents)("%s with hooktape as a plugin", (agent) => {
  const session = (env: Readonly<Record<string, string>>) => {
    const commands = ["echo one", push, "echo plain >plain.txt"]
    const turns = [...commands.map((command) => ({ tool: shellTool[agent](command) })), { text: "Done." }]
    return runAgent(agent, { workspace, env, turns })
  }

  it("is guarded, also when an update takes the plugin away, and once beside a registration of its user's own", async () => {
    installPlugin(agent)
    const hooktape = hooktapeIn(workspace, { "updating.ts": updating(agent) }, undefined, "on")
    hooktape.must("setup")
    const env = { ...withHost, HOOKTAPE_DEFAULTS: "on", HOOKTAPE_HOME: hooktape.state }
    const first = await session(env)
    expect({ exitCode: first.exitCode, turnsTaken: first.turnsTaken }).toEqual({ exitCode: 0, turnsTaken: 4 })
    expect(inProject(workspace, "pushed")).toBe(false)
    expect(inProject(workspace, "plain.txt")).toBe(true)
    expect(JSON.stringify(toolResults(first))).toContain("guard-destructive")
    const calls = () => hooktape.calls(agent).map(({ event }) => event)
    const alone = calls()
    expect(alone.length).toBeGreaterThan(7)
    expect(inProject(workspace, `../home/${kept[agent].join("/")}-old`)).toBe(true)

    execFileSync("mv", [`${kept[agent].join("/")}-old`, kept[agent].join("/")], { cwd: workspace.home })
    hooktape.must("install", "--agent", agent, "--scope", "user")
    const second = await session(env)
    expect(second.exitCode).toBe(0)
    // The same session once more: each of its events was answered once.
    const counted = (events: readonly string[]) =>
      events.filter((event) => ["PreToolUse", "BeforeTool", "SessionStart", "Stop"].includes(event)).sort()
    expect(counted(calls())).toEqual(counted([...alone, ...alone]))
    await endHost(workspace, hooktape)
  })

  it("is undisturbed for whoever has none", async () => {
    installPlugin(agent)
    const ended = await session({})
    expect({ exitCode: ended.exitCode, turnsTaken: ended.turnsTaken }).toEqual({ exitCode: 0, turnsTaken: 4 })
    expect(inProject(workspace, "pushed")).toBe(true)
    expect(`${ended.stderr}${ended.stdout}`).not.toMatch(/hook.*(?:not found|failed)|No such file/i)
  })
})
