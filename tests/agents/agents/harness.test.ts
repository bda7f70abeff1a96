/** The harness itself: the real agents run here, their hooks fire, and what the model was told can be read. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Agent, agents, shellTool, writeTool } from "../../support/agents/agents.ts"
import { dumpHooks, type HookAnswer } from "../../support/agents/dumpHooks.ts"
import { processesOf } from "../../support/agents/processes.ts"
import { heard, hookWords, toolResults } from "../../support/agents/received.ts"
import { runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, type Workspace } from "../../support/agents/workspace.ts"

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
})
afterEach(() => workspace.dispose())

/** One shell call, then the end: the events of a turn, in order. */
const oneCall: Readonly<Record<Agent, ReadonlyArray<string>>> = {
  "claude-code": [
    "SessionStart",
    "UserPromptSubmit",
    "MessageDisplay",
    "PreToolUse",
    "PostToolUse",
    "PostToolBatch",
    "MessageDisplay",
    "Stop",
    "SessionEnd"
  ],
  codex: [
    "SessionStart",
    "UserPromptSubmit",
    "PreModelRequest",
    "PreToolUse",
    "PostToolUse",
    "PreModelRequest",
    "Stop",
    "SessionEnd"
  ],
  "gemini-cli": [
    "SessionStart",
    "BeforeAgent",
    "PreCompress",
    "BeforeModel",
    "BeforeToolSelection",
    "AfterModel",
    "BeforeTool",
    "AfterTool",
    "PreCompress",
    "BeforeModel",
    "BeforeToolSelection",
    "AfterModel",
    "AfterAgent",
    "SessionEnd"
  ]
}

const names = {
  "claude-code": { prompt: "UserPromptSubmit", before: "PreToolUse", after: "PostToolUse", stop: "Stop" },
  codex: { prompt: "UserPromptSubmit", before: "PreToolUse", after: "PostToolUse", stop: "Stop" },
  "gemini-cli": { prompt: "BeforeAgent", before: "BeforeTool", after: "AfterTool", stop: "AfterAgent" }
} as const

const json = (value: object): HookAnswer => ({ stdout: `${JSON.stringify(value)}\n` })
const context = (event: string, additionalContext: string): HookAnswer =>
  json({ hookSpecificOutput: { hookEventName: event, additionalContext } })
const block = (agent: Agent, reason: string): HookAnswer =>
  json({ decision: agent === "gemini-cli" ? "deny" : "block", reason })

describe.each(agents)("%s", (agent) => {
  const { after, before, prompt, stop } = names[agent]
  const turns = [{ text: "Looking.", tool: shellTool[agent]("echo hello") }, { text: "All done." }]

  it("runs a scripted turn with a tool call and fires its hooks", async () => {
    const hooks = dumpHooks(agent, workspace)
    const run = await runAgent(agent, { workspace, turns, prompt: "Say hello." })
    expect({ exitCode: run.exitCode, timedOut: run.timedOut, turnsTaken: run.turnsTaken }).toEqual({
      exitCode: 0,
      timedOut: false,
      turnsTaken: 2
    })
    expect(run.stdout).toContain("All done.")
    const events = hooks.captures().map((capture) => capture.event)
    // Codex begins a tool as soon as the model has named it, and ends the request to the model beside it.
    const isBeside = (event: string): boolean => event === "PostModelRequest"
    expect(events.filter((event) => !isBeside(event))).toEqual(oneCall[agent])
    expect(events.filter(isBeside)).toHaveLength(agent === "codex" ? 2 : 0)
    for (const { event, payload, cwd } of hooks.captures()) {
      expect(payload).toMatchObject({ hook_event_name: event, cwd: workspace.cwd })
      expect(cwd).toBe(workspace.cwd)
    }
    expect(toolResults(run)).toHaveLength(1)
    expect(toolResults(run)[0]?.text).toContain("hello")
    expect(heard(run, "Say hello.")).not.toEqual([])
    expect(hookWords(run)).toEqual({ contexts: [], toolBlocks: [], stopBlocks: [] })
  })

  it("writes a file with the agent's own editing tool", async () => {
    const hooks = dumpHooks(agent, workspace)
    const path = agent === "codex" ? "new.txt" : join(workspace.cwd, "new.txt")
    await runAgent(agent, {
      workspace,
      turns: [{ tool: writeTool[agent](path, "one\ntwo\n") }, { text: "Written." }]
    })
    expect(readFileSync(join(workspace.cwd, "new.txt"), "utf8")).toBe("one\ntwo\n")
    expect(hooks.captures().map((capture) => capture.event)).toContain(after)
  })

  it("shows what hooks told the model", async () => {
    dumpHooks(agent, workspace, {
      SessionStart: context("SessionStart", "CONTEXT start"),
      [prompt]: context(prompt, "CONTEXT <prompt>"),
      [after]: context(after, "CONTEXT after")
    })
    const run = await runAgent(agent, { workspace, turns })
    expect(hookWords(run)).toEqual({
      contexts: ["CONTEXT start", "CONTEXT <prompt>", "CONTEXT after"],
      toolBlocks: [],
      stopBlocks: []
    })
  })

  it.each(["decision", "exit code"])("shows why a hook stopped a tool, by %s", async (way) => {
    const answer = way === "decision" ? block(agent, "REASON no") : { stderr: "REASON no\n", exitCode: 2 }
    const hooks = dumpHooks(agent, workspace, { [before]: answer })
    const marker = join(workspace.cwd, "ran")
    const run = await runAgent(agent, {
      workspace,
      turns: [{ tool: shellTool[agent](`touch '${marker}'`) }, { text: "All done." }]
    })
    expect(existsSync(marker)).toBe(false)
    expect(hooks.captures().map((capture) => capture.event)).not.toContain(after)
    expect(hookWords(run)).toEqual({ contexts: [], toolBlocks: ["REASON no"], stopBlocks: [] })
  })

  it.each(["decision", "exit code"])("shows why a hook did not let it stop, by %s", async (way) => {
    const answer =
      way === "decision" ? block(agent, "REASON go on") : { stderr: "REASON go on\n", exitCode: 2 }
    const hooks = dumpHooks(agent, workspace, { [stop]: [answer] })
    const run = await runAgent(agent, { workspace, turns: [...turns, { text: "Now done." }] })
    expect(hookWords(run).stopBlocks).toEqual(["REASON go on"])
    const stops = hooks.captures().filter((capture) => capture.event === stop)
    expect(stops.map((capture) => capture.payload["stop_hook_active"])).toEqual([false, true])
  })

  it("ends an agent that does not come to its end, and says so", async () => {
    const run = await runAgent(agent, {
      workspace,
      turns: [{ tool: shellTool[agent]("tail -f /dev/null") }, { text: "All done." }],
      timeoutMs: 4_000
    })
    expect({ exitCode: run.exitCode, timedOut: run.timedOut }).toEqual({ exitCode: null, timedOut: true })
    expect(processesOf(workspace.home)).toEqual([])
  })
})
