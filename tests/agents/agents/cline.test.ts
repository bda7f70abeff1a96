/** Cline itself, with hooktape's plugin installed in it: what hooks say arrives, what they block does not happen, and uninstalling leaves nothing. */
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { hooktapeIn, inProject } from "../../support/agents/hooktape.ts"
import { endHost, withHost } from "../../support/agents/hosted.ts"
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
export const starting = defineHook({ name: "starting", on: "session.start", run: ({ source }) => modelContext("CONTEXT " + source) })
export const prompted = defineHook({ name: "prompted", on: "prompt.submit", run: ({ prompt }) => prompt === "Do nothing at all." ? blockingFeedback("REASON prompt") : modelContext("CONTEXT prompt " + prompt) })
export const rewriting = onCommand("rewriting", "touch first", () => modelContext({ updatedInput: { commands: ["touch rewritten"] } }))
export const asking = onCommand("asking", "touch asked", () => modelContext({ permission: "ask", reason: "REASON ask" }))
export const allowing = onCommand("allowing", "touch allowed", () => modelContext({ permission: "allow" }))
export const beside = onCommand("beside", "echo beside", () => modelContext("CONTEXT beside"))
export const failing = defineHook({ name: "failing", on: "command.ran", when: { matches: ({ exitCode }) => exitCode === 3 }, run: () => modelContext("CONTEXT three") })
export const replacing = defineHook({ name: "replacing", on: "tool.after", when: { command: "echo secret" }, run: () => modelContext({ updatedOutput: "OUTPUT replaced" }) })
export const regretting = defineHook({ name: "regretting", on: "tool.after", when: { command: "touch regretted" }, run: () => blockingFeedback("REASON regret") })
export const helping = defineHook({ name: "helping", on: "subagent.start", run: () => modelContext("CONTEXT for help") })
`

const shell = (...commands: readonly string[]) => ({ tool: { name: "run_commands", input: { commands } } })
const patch = (input: string) => ({ tool: { name: "apply_patch", input: { input } } })

it("hears context and reasons, is kept from what is blocked, and is left as it was", async () => {
  const hooktape = hooktapeIn(workspace, { "hooks.ts": hooks }, undefined, "on")
  hooktape.must("install", "--agent", "cline", "--scope", "user")
  // Cline waits for no hook that has to start Node on a machine with other work.
  hooktape.must("host", "start")
  const kept = join(workspace.home, "kept")
  writeFileSync(kept, "mine")

  const run = await runAgent("cline", {
    workspace,
    turns: [
      shell("echo first", "rm -rf ~"),
      shell("touch first"),
      shell("touch asked"),
      shell("echo beside"),
      shell("exit 3"),
      shell("echo secret"),
      shell("touch regretted"),
      patch("*** Begin Patch\n*** Add File: new.md\n+new\n*** End Patch"),
      patch("*** Begin Patch\n*** Update File: missing.md\n@@\n-a\n+b\n*** End Patch"),
      { tool: { name: "spawn_agent", input: { systemPrompt: "You help.", task: "Help." } } },
      { text: "Helped." },
      { text: "All done." }
    ],
    env: { ...withHost, HOOKTAPE_DEFAULTS: "on" },
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
  expect(results[0]).toMatch(/^\{"error":"guard-destructive \(delete-outside\): /)
  // Nobody is there to be asked.
  expect(results[2]).toContain("requires approval")
  expect(results).toContain("OUTPUT replaced")
  // The human reads what the model reads.
  expect(run.stdout).toContain("guard-destructive (delete-outside): ")
  for (const text of [
    "CONTEXT startup",
    "CONTEXT prompt Do the work.",
    "CONTEXT beside",
    "CONTEXT three",
    "REASON regret",
    "CONTEXT for help"
  ])
    expect(
      heard(run, text).map(({ role }) => role),
      text
    ).toContain("user")

  const calls = hooktape.calls("cline")
  expect(calls.map(({ event }) => event).filter((event) => !event.includes("ToolUse"))).toEqual([
    "SessionStart",
    "UserPromptSubmit",
    "SubagentStart",
    "SubagentStop",
    "Stop"
  ])
  const count = (name: string) => calls.filter(({ event }) => event === name).length
  // Of ten calls one was blocked, one not allowed, one about a file that is not there.
  expect([count("PreToolUse"), count("PostToolUse"), count("PostToolUseFailure")]).toEqual([10, 7, 2])
  const sessions = hooktape
    .log()
    .flatMap(({ agent, session }) => (agent === "cline" && session !== null ? [session] : []))
  expect(new Set(sessions).size).toBe(1)
  await endHost(workspace, hooktape)
  hooktape.must("uninstall", "--agent", "cline", "--scope", "user")
  expect(existsSync(join(workspace.home, ".cline", "plugins"))).toBe(false)
  expect(existsSync(join(workspace.home, ".cline", "hooktape.json"))).toBe(false)
})

it("is guarded by what a project registers, allows what a hook allows, and answers no prompt that is blocked", async () => {
  const hooktape = hooktapeIn(workspace, { "hooks.ts": hooks })
  hooktape.must("install", "--agent", "cline", "--scope", "project")
  hooktape.must("host", "start")
  const state = { ...withHost, HOOKTAPE_HOME: hooktape.state }
  // Careful: Cline asks about every command, and headless nobody answers.
  const allowed = await runAgent("cline", {
    workspace,
    turns: [shell("touch allowed"), shell("touch unasked"), { text: "All done." }],
    careful: true,
    env: state
  })
  expect(allowed.turnsTaken, allowed.stderr).toBe(3)
  expect(["allowed", "unasked"].filter((name) => inProject(workspace, name))).toEqual(["allowed"])

  const blocked = await runAgent("cline", {
    workspace,
    turns: [{ text: "All done." }],
    prompt: "Do nothing at all.",
    env: state
  })
  expect({ turnsTaken: blocked.turnsTaken, asked: blocked.modelRequests.length }, blocked.stderr).toEqual({
    turnsTaken: 0,
    asked: 0
  })
  const replies = hooktape
    .calls("cline")
    .flatMap(({ event, facts }) =>
      event === "UserPromptSubmit"
        ? facts.flatMap((fact) => (fact.type === "REPLY_DELIVERED" ? [fact.stdout] : []))
        : []
    )
  expect(JSON.parse(replies.at(-1) ?? "")).toEqual({ reason: "REASON prompt", decision: "block" })
  expect(hooktape.calls("cline").map(({ event }) => event)).toContain("Interrupt")
  await endHost(workspace, hooktape)
})
