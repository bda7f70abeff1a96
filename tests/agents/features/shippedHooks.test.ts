/** The hooks that come with hooktape, in one session of each real agent: each does its work or is left out for a stated reason. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { ObservedFact } from "../../../events/observedFacts.ts"
import { defaults } from "../../../src/features/defaults.ts"
import { type Agent, agents, shellTool, writeTool } from "../../support/agents/agents.ts"
import { type Hooktape, hooktapeIn, inProject, type LogLine } from "../../support/agents/hooktape.ts"
import { endHost, withHost } from "../../support/agents/hosted.ts"
import { heard, hookWords } from "../../support/agents/received.ts"
import { runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, type Workspace } from "../../support/agents/workspace.ts"
import { untilJobs } from "../../support/jobs/untilJobs.ts"

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
})
afterEach(() => workspace.dispose())

const names = defaults.map(({ hook }) => hook.name)

/** Codex does not tell that a command has failed: there is no error to follow. */
const unheard: Readonly<Record<string, readonly string[]>> = { codex: ["error-chain"] }

/** What the log says of each hook: that it ran, and every reason for which it did not. */
const accounts = (lines: readonly LogLine[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const told = new Map<string, Set<string>>()
  const tell = (hook: string, what: string) => told.set(hook, (told.get(hook) ?? new Set()).add(what))
  for (const { data } of lines) {
    const fact = data as { readonly type: string; readonly handler?: string } & Record<string, unknown>
    if (fact.handler !== undefined && fact.type === "HANDLER_SUCCEEDED") tell(fact.handler, "ran")
    if (fact.handler !== undefined && /^HANDLER_(FAILED|TIMED_OUT)$/.test(fact.type))
      tell(fact.handler, `failed: ${JSON.stringify(data)}`)
    if (fact.type === "JOB_ENQUEUED" && fact.handler !== undefined) tell(fact.handler, "ran afterwards")
    if (fact.type === "HANDLERS_PLANNED")
      for (const { handler, reason } of fact["left"] as { handler: string; reason: string }[])
        tell(handler, reason)
  }
  return told
}

/** What each agent calls its hooks with before a tool runs. */
const beforeTool: Readonly<Record<Agent, string>> = {
  "claude-code": "PreToolUse",
  codex: "PreToolUse",
  "gemini-cli": "BeforeTool"
}

interface AskedCall {
  readonly tool_name?: unknown
  readonly tool_input?: unknown
  readonly tool_use_id?: unknown
}

/** The transcript tells beside the hooks what they could not, nothing is missed, and its import has the same calls as they, one for one. */
const reconciled = (agent: Agent, hooktape: Hooktape): void => {
  const observed = () =>
    hooktape.log().flatMap(({ data }) => {
      const fact = data as ObservedFact
      return "source" in fact && fact.source === "transcript" ? [fact] : []
    })
  const beside = observed()
  expect(beside.filter(({ type }) => type === "HOOK_CALL_MISSED" || type === "DENIAL_IGNORED")).toEqual([])
  expect(beside.filter(({ type }) => type === "TRANSCRIPT_RECONCILED")).not.toEqual([])
  // Its hooks are not told of an exit code.
  if (agent === "codex")
    expect(beside).toContainEqual(
      expect.objectContaining({ type: "TOOL_CALL_OBSERVED", told: "failed", exitCode: 1 })
    )
  expect(beside.some(({ type }) => type === "USAGE_OBSERVED")).toBe(true)

  hooktape.must("import", agent)
  const asked = hooktape
    .calls(agent)
    .filter(({ event }) => event === beforeTool[agent])
    .map(({ payload }) => JSON.parse(payload ?? "{}") as AskedCall)
  const imported = observed().flatMap((fact) => (fact.type === "TOOL_CALL_OBSERVED" ? [fact] : []))
  // Gemini CLI gives its hooks no id of a call.
  const named = agent !== "gemini-cli"
  const line = (name: unknown, input: unknown, id: unknown): string =>
    JSON.stringify([name, Object.entries(input as object).sort(), named ? id : null])
  expect(imported.map(({ call, input, name }) => line(name, input, call)).sort()).toEqual(
    asked.map((one) => line(one.tool_name, one.tool_input, one.tool_use_id)).sort()
  )
  expect(asked).toHaveLength(3)
}

describe.each(agents)("%s", (agent) => {
  it("has every shipped hook at work or hears why not, and is kept from a force push", async () => {
    const hooktape = hooktapeIn(workspace, {}, undefined, "on")
    hooktape.must("install", "--agent", agent, "--scope", "user")
    const env = { ...withHost, HOOKTAPE_DEFAULTS: "on" }
    const run = await runAgent(agent, {
      workspace,
      env,
      prompt: "That is wrong: greet.py must say hello. Fix it and publish.",
      turns: [
        { tool: writeTool[agent]("greet.py", "print( 'hello' )\n") },
        { tool: shellTool[agent]("false") },
        { tool: shellTool[agent]("touch pushed && git push --force origin main") },
        { text: "All done: greet.py says hello." }
      ]
    })
    expect({ exitCode: run.exitCode, turnsTaken: run.turnsTaken }).toEqual({ exitCode: 0, turnsTaken: 4 })
    expect(inProject(workspace, "greet.py")).toBe(true)
    expect(inProject(workspace, "pushed")).toBe(false)
    expect(hookWords(run).toolBlocks).toEqual([expect.stringContaining("force-push")])
    // Nothing of ours but its words reaches the model.
    for (const words of ["hooktape error", "    at ", "node_modules"]) expect(heard(run, words)).toEqual([])

    // What comes after the reply may enqueue more: it is over when each has been heard of and no job is left.
    const missing = () => {
      const told = accounts(hooktape.log())
      return names.filter((name) => !told.has(name) && !unheard[agent]?.includes(name))
    }
    await expect.poll(missing, { timeout: 90_000, interval: 200 }).toEqual([])
    const over = await untilJobs(hooktape.state, (facts) => {
      const of = (type: string) => facts.filter((fact) => fact.type === type).length
      return of("JOB_ENQUEUED") > 0 && of("JOB_ENQUEUED") === of("JOB_SUCCEEDED") + of("JOB_DIED")
    })
    expect(over.filter(({ type }) => type === "JOB_DIED" || type === "JOB_FAILED")).toEqual([])
    const told = accounts(hooktape.log())
    reconciled(agent, hooktape)
    const failures = [...told].flatMap(([, what]) => [...what].filter((one) => one.startsWith("failed")))
    expect(failures).toEqual([])

    // What the session left is what the next one is told at its start.
    const next = await runAgent(agent, { workspace, env, prompt: "Go on.", turns: [{ text: "All done." }] })
    expect(next.exitCode).toBe(0)
    expect(heard(next, "greet.py must say hello")).not.toEqual([])
    expect(heard(next, "From earlier sessions of this project")).not.toEqual([])
    await endHost(workspace, hooktape)
  })

  it("learns a convention from an answer, and tells the next session of it", async () => {
    const hooktape = hooktapeIn(workspace, {}, undefined, "on")
    hooktape.must("install", "--agent", agent, "--scope", "user")
    const env = { ...withHost, HOOKTAPE_DEFAULTS: "on" }
    const said = "All done. This project uses pnpm, not npm."
    const run = await runAgent(agent, { workspace, env, prompt: "Look around.", turns: [{ text: said }] })
    expect(run.exitCode).toBe(0)
    await untilJobs(hooktape.state, (facts) => {
      const own = new Set(
        facts.flatMap(({ data, stream }) =>
          (data as { readonly handler?: string }).handler === "learn" ? [stream] : []
        )
      )
      return facts.some(({ stream, type }) => type === "JOB_SUCCEEDED" && own.has(stream))
    })
    const { notes } = JSON.parse(hooktape.must("notes", "list", "--kind", "pattern", "--json"))
    expect(notes).toMatchObject([
      {
        text: "This project uses pnpm, not npm.",
        tags: ["convention"],
        confidence: 0.5,
        source: "hook learn"
      }
    ])

    const next = await runAgent(agent, { workspace, env, prompt: "Go on.", turns: [{ text: "All done." }] })
    expect(next.exitCode).toBe(0)
    // The summary of the session has the sentence as well: what was learned is told under its own heading.
    expect(heard(next, "What earlier answers found out")).not.toEqual([])
    expect(heard(next, "- This project uses pnpm, not npm.")).not.toEqual([])
    await endHost(workspace, hooktape)
  })
})
