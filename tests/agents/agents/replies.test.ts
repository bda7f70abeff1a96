/** Blocks, questions and failing loud, with the real agents: what is stopped, what the model reads, what the human sees. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Agent, agents, shellTool } from "../../support/agents/agents.ts"
import { hooktapeIn, inProject } from "../../support/agents/hooktape.ts"
import { heard } from "../../support/agents/received.ts"
import { type AgentRun, type RunOptions, runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, type Workspace } from "../../support/agents/workspace.ts"

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
})
afterEach(() => workspace.dispose())

const reason = "There is a REASON for it."

const start = (agent: Agent, options: Partial<RunOptions> = {}): Promise<AgentRun> =>
  runAgent(agent, {
    workspace,
    turns: [{ tool: shellTool[agent]("touch ran && echo OUTPUT") }, { text: "One." }, { text: "Two." }],
    ...options
  })

const install = (agent: Agent, on: string, intent: string, options = "") => {
  const hooktape = hooktapeIn(workspace, {
    "hooks.ts": `import { blockingFeedback, defineHook, modelContext } from "hooktape"
export default defineHook({
  name: "guard",
  on: "${on}",
  ${options}
  run: (context) => (context.stopHookActive === true ? undefined : ${intent})
})
`
  })
  hooktape.must("install", "--agent", agent, "--scope", "user")
  return hooktape
}

const words = (run: AgentRun) => heard(run, "REASON").map(({ role, text }) => [role, text])

describe.each(agents)("%s", (agent) => {
  const blocked = {
    "claude-code": `PreToolUse:Bash hook error: ${reason}`,
    codex: `Command blocked by PreToolUse hook: ${reason}. Command: touch ran && echo OUTPUT`,
    "gemini-cli": `Tool execution blocked: ${reason}`
  }[agent]

  it("does not run a tool that is blocked, and its model reads the reason and nothing of ours", async () => {
    install(agent, "tool.before", `blockingFeedback("${reason}")`)
    const run = await start(agent)
    expect(inProject(workspace, "ran")).toBe(false)
    expect(run.turnsTaken).toBe(2)
    expect(words(run)).toEqual([["tool", blocked]])
    expect(JSON.stringify(run.modelRequests)).not.toContain("bin/hook")
  })

  it("goes on where it may not stop, with the reason", async () => {
    install(agent, "turn.stop", `blockingFeedback("${reason}")`)
    const run = await start(agent)
    expect(run.turnsTaken).toBe(3)
    const [first] = words(run)
    expect(first?.[1]).toContain(reason)
    expect(first?.[1]).not.toContain("bin/hook")
  })

  it("drops a prompt that is blocked", async () => {
    install(agent, "prompt.submit", `blockingFeedback("${reason}")`)
    const run = await start(agent)
    expect(run.turnsTaken).toBe(0)
    expect(inProject(workspace, "ran")).toBe(false)
    if (agent !== "codex") expect(run.stdout + run.stderr).toContain(reason)
    expect(run.stdout + run.stderr).not.toContain("hook error")
  })

  it("runs nothing that a hook wants to be asked about where nobody can be asked", async () => {
    const hooktape = install(agent, "tool.before", `modelContext({ permission: "ask", reason: "${reason}" })`)
    const run = await start(agent)
    expect(inProject(workspace, "ran")).toBe(false)
    expect(run.turnsTaken).toBe(2)
    const [first] = words(run)
    expect(first?.[1]).toContain(reason)
    if (agent !== "claude-code") {
      expect(first?.[1]).toContain("ask the user to run it in a terminal")
      const channels = hooktape
        .calls(agent)
        .flatMap(({ facts }) => facts.flatMap((one) => (one.type === "REPLY_DELIVERED" ? one.channels : [])))
      expect(channels).toContainEqual({
        intent: "MODEL_CONTEXT.permission",
        handler: "guard",
        channel: "undeliverable",
        reason: expect.stringMatching(/: the action is blocked$/),
        instead: "block"
      })
    }
  })

  it("lets it pass where the hook says so", async () => {
    if (agent === "claude-code") return
    install(
      agent,
      "tool.before",
      `modelContext({ permission: "ask", reason: "${reason}" })`,
      'ifCannotAsk: "allow",'
    )
    const run = await start(agent)
    expect(inProject(workspace, "ran")).toBe(true)
    expect(words(run)).toEqual([])
  })

  it("works to its end where no hook call can be handled, and its human is told", async () => {
    const { state } = install(agent, "tool.before", "undefined")
    rmSync(join(state, "bin", "entry"))
    const run = await start(agent, { env: { HOOKTAPE_HOST: "off", HOOKTAPE_FAIL_LOUD_THRESHOLD: "1" } })
    // Neither the prompt nor the tool is stopped, and nobody is woken by the end of the turn.
    expect({ exitCode: run.exitCode, turnsTaken: run.turnsTaken, timedOut: run.timedOut }).toEqual({
      exitCode: 0,
      turnsTaken: 2,
      timedOut: false
    })
    expect(inProject(workspace, "ran")).toBe(true)
    if (agent === "gemini-cli") expect(run.stderr).toContain("worker unreachable")
  })
})
