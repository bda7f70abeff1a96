/** Qwen Code itself, with hooktape installed in it: what hooks say arrives, what they block does not happen, and uninstalling leaves nothing. */
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

const hooks = `import { blockingFeedback, defineHook, modelContext, userHint } from "hooktape"
const onCommand = (name, command, run) => defineHook({ name, on: "tool.before", when: { tool: "shell", command }, run })
export const started = defineHook({ name: "started", on: "session.start", run: () => modelContext("CONTEXT start") })
export const prompted = defineHook({ name: "prompted", on: "prompt.submit", run: ({ prompt }) => modelContext("CONTEXT " + prompt) })
export const rewriting = onCommand("rewriting", "touch first", () => modelContext({ updatedInput: { command: "touch rewritten" } }))
export const asking = onCommand("asking", "touch asked", () => modelContext({ permission: "ask", reason: "REASON ask" }))
export const failing = defineHook({ name: "failing", on: "command.ran", when: { matches: ({ exitCode }) => exitCode === 3 }, run: () => modelContext("CONTEXT three") })
export const regretting = defineHook({ name: "regretting", on: "tool.after", when: { command: "touch regretted" }, run: () => blockingFeedback("REASON regret") })
export const insisting = defineHook({
  name: "insisting",
  on: "turn.stop",
  run: ({ lastMessage, stopHookActive }) =>
    stopHookActive || lastMessage === "Goodbye." ? undefined : [blockingFeedback("REASON go on"), userHint("HINT stop")]
})`

it("hears context and reasons, is kept from what is blocked, and is left as it was", async () => {
  const hooktape = hooktapeIn(workspace, { "hooks.ts": hooks }, undefined, "on")
  const settings = join(workspace.home, ".qwen", "settings.json")
  hooktape.must("install", "--agent", "qwen-code", "--scope", "user")
  const kept = join(workspace.home, "kept")
  writeFileSync(kept, "mine")

  const shell = (command: string) => ({
    tool: { name: "run_shell_command", input: { command, is_background: false, description: "run" } }
  })
  const run = await runAgent("qwen-code", {
    workspace,
    turns: [
      shell("rm -rf ~"),
      shell("touch first"),
      shell("touch asked"),
      shell("touch regretted"),
      shell("exit 3"),
      { tool: { name: "read_file", input: { file_path: join(workspace.cwd, "missing.md") } } },
      { text: "All done." },
      { text: "Goodbye." }
    ],
    env: { HOOKTAPE_DEFAULTS: "on" }
  })
  expect({ exitCode: run.exitCode, turnsTaken: run.turnsTaken }).toEqual({ exitCode: 0, turnsTaken: 8 })
  expect(existsSync(kept)).toBe(true)
  // A changed input it does not take, and the log says so; a question is a denial.
  expect(["first", "rewritten", "asked"].filter((name) => inProject(workspace, name))).toEqual(["first"])
  const [removal, , question, regretted, failed] = toolResults(run).map(({ text }) => text)
  expect(removal).toMatch(/^guard-destructive \(delete-outside\): /)
  expect(question).toMatch(/^REASON ask\n/)
  expect(regretted).toMatch(/Exit Code: 0[\s\S]*\n\nREASON regret$/)
  expect(failed).toMatch(/Exit Code: 3[\s\S]*\n\nCONTEXT three$/)
  // Among its own instructions.
  expect(JSON.stringify(run.modelRequests)).toContain("CONTEXT start")
  expect(heard(run, "CONTEXT Do the work.")[0]).toMatchObject({ role: "user", request: 0 })
  expect(heard(run, "REASON go on")[0]).toMatchObject({ role: "user", text: "REASON go on" })

  const calls = hooktape.calls("qwen-code")
  expect(new Set(calls.map(({ event }) => event))).toEqual(
    new Set([
      "SessionStart",
      "Notification",
      "UserPromptSubmit",
      "PreToolUse",
      "PostToolUse",
      "PostToolUseFailure",
      "Stop"
    ])
  )
  const opening = calls.map(({ event, facts }) => [
    event,
    facts.flatMap((fact) => (fact.type === "PAYLOAD_BUFFERED" ? [fact.events[0]?.event] : []))[0]
  ])
  // Its own continuations are no prompts: one of the human, and one for the stop that was refused.
  expect(opening.filter(([, event]) => event === "prompt.submit")).toHaveLength(2)
  expect(opening.filter(([, event]) => event === "agent.UserPromptSubmit")).toHaveLength(6)
  hooktape.must("uninstall", "--agent", "qwen-code", "--scope", "user")
  expect(existsSync(settings) ? readFileSync(settings, "utf8") : "").not.toContain("hooktape")
})
