/** A repository whose committed settings register hooktape for everyone, in the hands of two people: one who has it, and one who has not. */
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { agents, shellTool } from "../../support/agents/agents.ts"
import { hooktapeIn, inProject } from "../../support/agents/hooktape.ts"
import { endHost, withHost } from "../../support/agents/hosted.ts"
import { toolResults } from "../../support/agents/received.ts"
import { runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, type Workspace } from "../../support/agents/workspace.ts"

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
})
afterEach(() => workspace.dispose())

const push = "touch pushed && git push --force origin main"

describe.each(agents)("%s in a repository that registers hooktape for everyone", (agent) => {
  const tools = [{ tool: shellTool[agent](push) }, { tool: shellTool[agent]("echo plain >plain.txt") }]
  const session = (env: Readonly<Record<string, string>>) =>
    runAgent(agent, { workspace, env, turns: [...tools, { text: "Done." }] })

  it("is guarded for whoever has it, once, also with a registration of their own", async () => {
    const hooktape = hooktapeIn(workspace, {}, undefined, "on")
    hooktape.must("install", "--agent", agent, "--scope", "project")
    const env = { ...withHost, HOOKTAPE_DEFAULTS: "on", HOOKTAPE_HOME: hooktape.state }
    const first = await session(env)
    expect({ exitCode: first.exitCode, turnsTaken: first.turnsTaken }).toEqual({ exitCode: 0, turnsTaken: 3 })
    expect(inProject(workspace, "pushed")).toBe(false)
    expect(inProject(workspace, "plain.txt")).toBe(true)
    expect(JSON.stringify(toolResults(first))).toContain("guard-destructive")
    const calls = () => hooktape.calls(agent).map(({ event }) => event)
    const alone = calls()
    expect(alone.length).toBeGreaterThan(5)

    hooktape.must("install", "--agent", agent, "--scope", "user")
    const second = await session(env)
    expect(second.exitCode).toBe(0)
    // The same session once more: each of its events was answered once.
    const counted = (events: readonly string[]) =>
      events.filter((event) => ["PreToolUse", "BeforeTool", "SessionStart"].includes(event)).sort()
    expect(counted(calls())).toEqual(counted([...alone, ...alone]))
    await endHost(workspace, hooktape)
  })

  it("is undisturbed for whoever has none", async () => {
    const hooktape = hooktapeIn(workspace)
    hooktape.must("install", "--agent", agent, "--scope", "project")
    rmSync(hooktape.state, { recursive: true })
    writeFileSync(join(workspace.cwd, "package.json"), "{}")
    const ended = await session({})
    expect({ exitCode: ended.exitCode, turnsTaken: ended.turnsTaken }).toEqual({ exitCode: 0, turnsTaken: 3 })
    expect(inProject(workspace, "plain.txt")).toBe(true)
    expect(inProject(workspace, "pushed")).toBe(true)
    expect(`${ended.stderr}${ended.stdout}`).not.toMatch(/agent-hook.*not found|No such file/)
  })
})
