/** Claude Code over HTTP: the model is told what it would be told by commands, and without a host the agent goes on. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { hostStatus } from "../../../src/runtime/host/askHost.ts"
import { shellTool } from "../../support/agents/agents.ts"
import { type Hooktape, hooktapeIn, inProject } from "../../support/agents/hooktape.ts"
import { heard, hookWords, received, toolResults } from "../../support/agents/received.ts"
import { type AgentRun, runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, type Workspace } from "../../support/agents/workspace.ts"

const hooks = `import { blockingFeedback, defineHook, modelContext, userHint } from "hooktape"
export const prompt = defineHook({ name: "prompt", on: "prompt.submit", run: () => modelContext("CONTEXT <prompt> & more") })
export const guard = defineHook({
  name: "guard",
  on: "tool.before",
  when: { tool: "shell", command: /^touch blocked/ },
  run: () => blockingFeedback("REASON no\\nsecond line")
})
export const rewrite = defineHook({
  name: "rewrite",
  on: "tool.before",
  when: { tool: "shell", command: /^touch first/ },
  run: () => modelContext({ updatedInput: { command: "touch rewritten" } })
})
export const after = defineHook({
  name: "after",
  on: "tool.after",
  run: () => [modelContext("CONTEXT after"), userHint("HINT for the human")]
})
export const insisting = defineHook({
  name: "insisting",
  on: "turn.stop",
  run: ({ stopHookActive }) => (stopHookActive ? undefined : blockingFeedback("REASON go on"))
})
`
const touch = (name: string) => ({ tool: shellTool["claude-code"](`touch ${name}`) })
const turns = [touch("first"), touch("blocked"), { text: "All done." }, { text: "Goodbye." }]

let workspace: Workspace
let hooktape: Hooktape
beforeEach(() => {
  workspace = makeWorkspace()
  hooktape = hooktapeIn(workspace, { "hooks.ts": hooks })
})
/** Ended by us, whatever became of the test: what is left of it is ended with the workspace. */
afterEach(() => {
  hooktape.run("host", "stop")
  workspace.dispose()
})

const session = (env: Record<string, string> = {}): Promise<AgentRun> =>
  runAgent("claude-code", {
    workspace,
    turns,
    prompt: "Work.",
    env: { HOOKTAPE_HOME: hooktape.state, ...env }
  })

const transports = () =>
  hooktape.calls("claude-code").map(({ event, facts }) => {
    const opened = facts.find(({ type }) => type === "INVOCATION_OPENED")
    return [event, opened?.type === "INVOCATION_OPENED" ? opened.transport : ""] as const
  })

/** Claude Code's own way with a stop that is refused by a decision: it says the reason a second time. */
const saidAgain =
  /^Stop hook blocking error from command: "(?:http:\/\/127\.0\.0\.1:\d+\/v1\/hooks\/claude-code\/Stop|exec '[^']*' claude-code Stop)": (.*)$/

/** All the model was told, but for places of the run and for what Claude Code says of its own: which command stopped it. */
const told = (run: AgentRun) =>
  received(run)
    .filter(({ text }) => !saidAgain.test(text))
    .map(({ role, text, failed, request }) => ({
      role,
      failed,
      request,
      text: text
        .replaceAll(/\b[0-9a-f]{7} start\b/g, "commit")
        .replaceAll(/hooktape-agent-\w+/g, "workspace")
        .replaceAll(/\[exec '[^']*' claude-code \w+\]: /g, "")
        .trimEnd()
    }))

describe("Claude Code", () => {
  it("tells the model over HTTP what it tells it by commands", async () => {
    hooktape.must("install", "--agent", "claude-code", "--transport", "command")
    const byCommand = await session()
    const known = transports()
    expect(new Set(known.map(([, transport]) => transport))).toEqual(new Set(["entry"]))
    expect(["rewritten", "first", "blocked"].filter((name) => inProject(workspace, name))).toEqual([
      "rewritten"
    ])
    workspace.dispose()

    workspace = makeWorkspace()
    hooktape = hooktapeIn(workspace, { "hooks.ts": hooks })
    hooktape.must("install", "--agent", "claude-code", "--transport", "http")
    // No host is running: the start of the session sees to it.
    const overHttp = await session({ HOOKTAPE_HOST: "on" })
    const calls = transports()
    expect(calls.map(([event]) => event)).toEqual(known.map(([event]) => event))
    expect(calls.filter(([, transport]) => transport !== "http").map(([event]) => event)).toEqual([
      "SessionStart",
      "SessionEnd"
    ])
    expect(["rewritten", "first", "blocked"].filter((name) => inProject(workspace, name))).toEqual([
      "rewritten"
    ])

    expect({ exitCode: overHttp.exitCode, turnsTaken: overHttp.turnsTaken, stderr: overHttp.stderr }).toEqual(
      {
        exitCode: byCommand.exitCode,
        turnsTaken: byCommand.turnsTaken,
        stderr: byCommand.stderr
      }
    )
    expect(hookWords(overHttp)).toEqual(hookWords(byCommand))
    expect(hookWords(overHttp).contexts).toEqual(["CONTEXT <prompt> & more", "CONTEXT after"])
    expect(hookWords(overHttp).stopBlocks).toEqual(["REASON go on"])
    expect(toolResults(overHttp)).toHaveLength(2)
    expect(told(overHttp)).toEqual(told(byCommand))
    expect(received(overHttp).flatMap(({ text }) => saidAgain.exec(text)?.[1] ?? [])).toEqual([
      "REASON go on"
    ])
    expect(heard(overHttp, "HINT")).toEqual([])
    const { same, compared } = JSON.parse(hooktape.must("replay", "--all", "--json"))
    expect({ same, compared }).toEqual({ same: true, compared: calls.length })
  })

  it("goes on when the host is gone, and says nothing of it to the model", async () => {
    hooktape.must("install", "--agent", "claude-code", "--transport", "http")
    const run = await session()
    expect({ exitCode: run.exitCode, turnsTaken: run.turnsTaken, stderr: run.stderr }).toEqual({
      exitCode: 0,
      turnsTaken: 3,
      stderr: ""
    })
    expect(hookWords(run)).toEqual({ contexts: [], toolBlocks: [], stopBlocks: [] })
    expect(heard(run, "ECONNREFUSED")).toEqual([])
    expect(inProject(workspace, "blocked")).toBe(true)
    expect(transports().map(([event]) => event)).toEqual(["SessionStart", "SessionEnd"])
    const { checks } = JSON.parse(hooktape.run("doctor", "--json").stdout) as {
      checks: Record<string, string>[]
    }
    expect(checks.find(({ name }) => name === "http")?.["message"]).toMatch(
      /^nobody listens on 127\.0\.0\.1:\d+ now/
    )
  })

  it("calls nobody where its environment switches hooks off", async () => {
    hooktape.must("install", "--agent", "claude-code", "--transport", "http")
    const host = spawn(join(hooktape.state, "bin", "host"), [], {
      stdio: "ignore",
      env: { HOME: workspace.home }
    })
    await Effect.runPromise(Effect.retry(hostStatus(hooktape.state), Schedule.spaced("20 millis")))
    const run = await session({ HOOKTAPE: "0" })
    expect({ exitCode: run.exitCode, turnsTaken: run.turnsTaken }).toEqual({ exitCode: 0, turnsTaken: 3 })
    expect(transports()).toEqual([])
    expect(JSON.parse(hooktape.must("host", "status", "--json"))).toMatchObject({ pid: host.pid, served: 0 })
  })

  it("is as it was after an uninstall, and no token is left in its settings", () => {
    hooktape.must("install", "--agent", "claude-code", "--transport", "http")
    const token = readFileSync(join(hooktape.state, "run", "http-token"), "utf8")
    const settings = join(workspace.home, ".claude", "settings.json")
    expect(readFileSync(settings, "utf8")).toContain(token)
    hooktape.must("install", "--agent", "claude-code", "--transport", "command")
    expect(readFileSync(settings, "utf8")).not.toContain(token)
    hooktape.must("uninstall", "--agent", "claude-code")
    expect(() => readFileSync(settings)).toThrow("ENOENT")
  })
})
