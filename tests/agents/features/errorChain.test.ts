/** A real Claude Code meets an error for the second time, and its model is told what resolved the first. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { shellTool, writeTool } from "../../support/agents/agents.ts"
import { hooktapeIn } from "../../support/agents/hooktape.ts"
import { endHost, withHost } from "../../support/agents/hosted.ts"
import { hookWords } from "../../support/agents/received.ts"
import { runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, type Workspace } from "../../support/agents/workspace.ts"

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
})
afterEach(() => workspace.dispose())

const agent = "claude-code"
const check = { tool: shellTool[agent]("cp settings.ini copy.ini && echo fine") }

it("is told in its next session what resolved the error in the one before", async () => {
  const hooktape = hooktapeIn(workspace, {}, undefined, "on")
  hooktape.must("install", "--agent", agent, "--scope", "user")
  const env = { ...withHost, HOOKTAPE_DEFAULTS: "on" }
  const run = (prompt: string, turns: Parameters<typeof runAgent>[1]["turns"]) =>
    runAgent(agent, { workspace, env, prompt, turns })

  const first = await run("Does it work?", [
    check,
    { tool: writeTool[agent]("settings.ini", "port = 1\n") },
    check,
    { text: "It does now." }
  ])
  expect({ exitCode: first.exitCode, turnsTaken: first.turnsTaken }).toEqual({ exitCode: 0, turnsTaken: 4 })
  expect(hookWords(first).contexts.filter((text) => text.includes("Fixed before"))).toEqual([])

  rmSync(join(workspace.cwd, "settings.ini"))
  const second = await run("Does it still?", [check, check, { text: "I know what to do." }])
  expect(second.exitCode).toBe(0)
  const told = hookWords(second).contexts.filter((text) => text.includes("Fixed before"))
  expect(told, "once in a session").toHaveLength(1)
  expect(told[0]).toMatch(/^Fixed before \([\d-]+\): edited `[^`]*settings\.ini`; then `.+` passed\./)

  const { chains } = JSON.parse(hooktape.must("chains", "list", "--json"))
  expect(chains).toEqual([
    expect.objectContaining({ state: "resolved", relation: "new", grade: "A", agent }),
    // The script gives the calls of both sessions the same ids: the first of the second is taken for a copy.
    expect.objectContaining({ state: "abandoned", relation: "recurrence", seen: 1, agent })
  ])
  await endHost(workspace, hooktape)
})
