/** What each kind of reply does to the real agents: changed input, failures with a policy, late handlers, a refused stop, a question. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Agent, agents, shellTool } from "../../support/agents/agents.ts"
import { type Hooktape, hooktapeIn, inProject } from "../../support/agents/hooktape.ts"
import { heard, hookWords, toolResults } from "../../support/agents/received.ts"
import { runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, type Workspace } from "../../support/agents/workspace.ts"

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
})
afterEach(() => workspace.dispose())

const file = (hooks: string): string =>
  `import { blockingFeedback, defineHook, diagnostic, modelContext, userHint } from "hooktape"\n${hooks}`

const onCommand = (name: string, command: string, rest: string): string =>
  `export const ${name} = defineHook({ name: "${name}", on: "tool.before", when: { tool: "shell", command: "${command}" }, ${rest} })\n`

const misbehaving = file(
  [
    onCommand(
      "rewriting",
      "touch first",
      'run: () => modelContext({ updatedInput: { command: "touch rewritten" } })'
    ),
    onCommand(
      "strict",
      "touch strict",
      'onFailure: "block", run: () => { console.log("LOUD out"); throw new Error("broke inside") }'
    ),
    onCommand("leaving", "touch leaving", "run: () => process.exit(2)"),
    onCommand("late", "touch late", 'deadline: "300 millis", run: () => new Promise(() => {})'),
    `export const insisting = defineHook({
      name: "insisting",
      on: "turn.stop",
      run: ({ stopHookActive }) => (stopHookActive ? undefined : blockingFeedback("Say goodbye first."))
    })`
  ].join("")
)

/** What an agent registers only where a hook wants it. */
const models = file(`export default defineHook({
  name: "listening",
  on: ["model.before", "model.after"],
  run: ({ event }) => {
    console.log("LOUD " + event)
    return diagnostic("warn", "DIAGNOSED " + event)
  }
})`)

const asking = file(
  onCommand(
    "asking",
    "touch asked",
    'run: () => [modelContext({ permission: "ask" }), userHint("HINT look")]'
  )
)

const installed = (agent: Agent, hooks: string): Hooktape => {
  const hooktape = hooktapeIn(workspace, { "hooks.ts": hooks })
  hooktape.must("install", "--agent", agent, "--scope", "user")
  return hooktape
}

const outcomes = (hooktape: Hooktape, agent: Agent): ReadonlyArray<string> =>
  hooktape
    .calls(agent)
    .flatMap(({ facts }) => facts)
    .flatMap((fact) =>
      "handler" in fact && /^HANDLER_(SUCCEEDED|FAILED|TIMED_OUT|SKIPPED)$/.test(fact.type)
        ? [`${fact.handler} ${fact.type}`]
        : []
    )

const stop = { "claude-code": "Stop", codex: "Stop", "gemini-cli": "AfterAgent" } as const

describe.each(agents)("%s", (agent) => {
  const touch = (name: string) => ({ tool: shellTool[agent](`touch ${name}`) })

  it("takes a changed input, a block by policy and a refused stop, and goes on past an exit and a hang", async () => {
    const hooktape = installed(agent, misbehaving)
    const names = ["first", "strict", "leaving", "late"]
    const run = await runAgent(agent, {
      workspace,
      turns: [...names.map(touch), { text: "All done." }, { text: "Goodbye." }]
    })
    expect({ exitCode: run.exitCode, turnsTaken: run.turnsTaken }).toEqual({ exitCode: 0, turnsTaken: 6 })
    const made = ["first", "rewritten", "strict", "leaving", "late"].filter((name) =>
      inProject(workspace, name)
    )
    expect(made).toEqual(["rewritten", "leaving", "late"])
    expect(hookWords(run)).toEqual({
      contexts: [],
      toolBlocks: ["The hook strict failed: broke inside. Its policy is to block."],
      stopBlocks: ["Say goodbye first."]
    })
    expect(toolResults(run)).toHaveLength(4)
    for (const word of ["LOUD", "hooktape error", "process.exit", "300 ms", "hooks.ts:", "    at "])
      expect(heard(run, word)).toEqual([])
    expect(run.stdout + run.stderr).not.toMatch(/LOUD|hooktape error|hooks\.ts:/)
    expect(outcomes(hooktape, agent)).toEqual([
      "rewriting HANDLER_SUCCEEDED",
      "strict HANDLER_FAILED",
      "leaving HANDLER_FAILED",
      "late HANDLER_TIMED_OUT",
      "insisting HANDLER_SUCCEEDED",
      "insisting HANDLER_SUCCEEDED"
    ])
    const stops = hooktape.calls(agent).filter(({ event }) => event === stop[agent])
    expect(stops.map(({ payload }) => JSON.parse(payload ?? "{}").stop_hook_active)).toEqual([false, true])
  })

  it("has its model calls on the log once a hook wants them, and hears nothing of it", async () => {
    const hooktape = installed(agent, models)
    const run = await runAgent(agent, { workspace, turns: [touch("it"), { text: "All done." }] })
    expect(run.exitCode).toBe(0)
    expect(heard(run, "LOUD")).toEqual([])
    expect(heard(run, "DIAGNOSED")).toEqual([])
    expect(run.stdout + run.stderr).not.toMatch(/LOUD|DIAGNOSED/)
    const calls = hooktape
      .calls(agent)
      .filter(({ facts }) => facts.some(({ type }) => type === "HANDLER_SUCCEEDED"))
    expect(calls.map(({ event }) => event)).toEqual(
      {
        // Only where it shows text of the model; this model says nothing with its tool call.
        "claude-code": ["MessageDisplay"],
        codex: ["PreModelRequest", "PostModelRequest", "PreModelRequest", "PostModelRequest"],
        "gemini-cli": ["BeforeModel", "AfterModel", "BeforeModel", "AfterModel"]
      }[agent]
    )
  })

  it("is asked, where it can be", async () => {
    const hooktape = installed(agent, asking)
    const run = await runAgent(agent, { workspace, turns: [touch("asked"), { text: "All done." }] })
    expect(run.exitCode).toBe(0)
    // Headless, a question is a refusal. Where it cannot be put, the action is blocked, and the log says why.
    expect(existsSync(join(workspace.cwd, "asked"))).toBe(false)
    expect(run.turnsTaken).toBe(2)
    expect(heard(run, "HINT")).toEqual([])
    const replies = hooktape
      .calls(agent)
      .flatMap(({ facts }) => facts.filter((fact) => fact.type === "REPLY_DELIVERED"))
    const asked = replies.find(({ channels }) => channels.length > 0)?.channels[0]
    expect(asked).toMatchObject(
      agent === "claude-code"
        ? { channel: expect.stringMatching(/^stdout: /) }
        : { channel: "undeliverable", reason: expect.stringMatching(/: the action is blocked$/) }
    )
  })
})
