/** GitHub Copilot CLI itself, with hooktape installed in it: what hooks say arrives, what they block does not happen, and uninstalling leaves nothing. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { hooktapeIn, inProject } from "../../support/agents/hooktape.ts"
import { heard, toolResults } from "../../support/agents/received.ts"
import { runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, type Workspace } from "../../support/agents/workspace.ts"

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
})
afterEach(() => workspace.dispose())

const hooks = `import { blockingFeedback, defineHook, modelContext } from "hooktape"
const onCommand = (name, command, run) => defineHook({ name, on: "tool.before", when: { tool: "shell", command }, run })
export const starting = defineHook({ name: "starting", on: "session.start", run: () => modelContext("CONTEXT start") })
export const rewriting = onCommand("rewriting", "touch first", () => modelContext({ updatedInput: { command: "touch rewritten" } }))
export const asking = onCommand("asking", "touch asked", () => modelContext({ permission: "ask", reason: "REASON ask" }))
export const insisting = defineHook({
  name: "insisting",
  on: "turn.stop",
  run: ({ stopHookActive }) => (stopHookActive ? undefined : blockingFeedback("REASON go on"))
})`

it("hears context, reasons and changed input, is kept from what is blocked, and is left as it was", async () => {
  const hooktape = hooktapeIn(workspace, { "hooks.ts": hooks }, undefined, "on")
  const settings = join(workspace.home, ".copilot", "hooks", "hooktape.json")
  hooktape.must("install", "--agent", "copilot", "--scope", "user")
  expect(JSON.parse(readFileSync(settings, "utf8"))).toMatchObject({ version: 1 })
  const kept = join(workspace.home, "kept")
  writeFileSync(kept, "mine")

  const shell = (command: string) => ({ tool: { name: "bash", input: { command, description: "run" } } })
  const run = await runAgent("copilot", {
    workspace,
    turns: [
      shell("rm -rf ~"),
      shell("touch first"),
      shell("touch asked"),
      shell("exit 3"),
      { text: "All done." },
      { text: "Goodbye." }
    ],
    env: { HOOKTAPE_DEFAULTS: "on" }
  })
  expect({ exitCode: run.exitCode, turnsTaken: run.turnsTaken }).toEqual({ exitCode: 0, turnsTaken: 6 })
  expect(existsSync(kept)).toBe(true)
  expect(["first", "rewritten", "asked"].filter((name) => inProject(workspace, name))).toEqual(["rewritten"])
  const [removal, , question] = toolResults(run).map(({ text }) => text)
  expect(removal).toMatch(/^Denied by preToolUse hook: .*home/i)
  expect(question).toContain("REASON ask")
  expect(heard(run, "CONTEXT start")[0]).toMatchObject({ role: "user", request: expect.any(Number) })
  expect(heard(run, "REASON go on").length).toBeGreaterThan(0)

  const calls = hooktape.calls("copilot")
  expect(new Set(calls.map(({ event }) => event))).toEqual(
    new Set(["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"])
  )
  hooktape.must("uninstall", "--agent", "copilot", "--scope", "user")
  expect(existsSync(settings)).toBe(false)
})
