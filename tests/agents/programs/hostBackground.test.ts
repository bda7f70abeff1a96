/** Work that is left when an agent is gone: a host that comes up late, and background hooks that end long after the agent did. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Recorded } from "../../../events/Recorded.ts"
import { dialects } from "../../../src/tools/install/dialects.ts"
import { type Agent, agents, shellTool } from "../../support/agents/agents.ts"
import { inOrder } from "../../support/agents/alike.ts"
import { type DumpHooks, dumpHooks } from "../../support/agents/dumpHooks.ts"
import { type Hooktape, hooktapeIn, type LoggedCall } from "../../support/agents/hooktape.ts"
import { endHost, hostFacts, isRunning, transportOf, withHost } from "../../support/agents/hosted.ts"
import { hookWords } from "../../support/agents/received.ts"
import { type AgentRun, runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, type Workspace } from "../../support/agents/workspace.ts"
import { answering } from "../../support/host.ts"
import { untilJobs } from "../../support/jobs/untilJobs.ts"

/** Notes when it begins and ends; in between it waits for as long as nobody lets it go on. */
const learning = `import { appendFileSync, existsSync } from "node:fs"
import { defineHook } from "hooktape"
const here = process.env["HOME"]
export default defineHook({
  name: "learning",
  on: ["turn.stop", "session.end"],
  background: true,
  deadline: "10 minutes",
  run: async ({ event, signal }) => {
    appendFileSync(here + "/began", event + "\\n")
    while (!existsSync(here + "/go")) {
      if (signal.aborted) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    appendFileSync(here + "/learnt", event + "\\n")
  }
})
`
const later = `import { defineHook, modelContext } from "hooktape"
export default defineHook({
  name: "later",
  on: "command.ran",
  when: { command: "echo one" },
  background: true,
  deliver: "next",
  run: () => modelContext("FOUND OUT")
})
`
const briefing = `import { defineHook, modelContext } from "hooktape"
export default defineHook({ name: "briefing", on: "session.start", run: () => modelContext("BRIEFED") })
`

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
})
afterEach(() => workspace.dispose())

const installed = (agent: Agent, hooks: Readonly<Record<string, string>>) => {
  const always = Object.entries(dialects[agent].events).filter(([, when]) => when === "always")
  const events = always.map(([event]) => event)
  const witness = dumpHooks(agent, workspace, {}, events)
  const hooktape = hooktapeIn(workspace, hooks)
  hooktape.must("install", "--agent", agent, "--scope", "user")
  return { hooktape, witness }
}

const session = async (agent: Agent): Promise<AgentRun> => {
  const run = await runAgent(agent, {
    workspace,
    env: withHost,
    turns: [{ tool: shellTool[agent]("echo hello") }, { text: "All done." }]
  })
  expect({ exitCode: run.exitCode, timedOut: run.timedOut, turnsTaken: run.turnsTaken }).toEqual({
    exitCode: 0,
    timedOut: false,
    turnsTaken: 2
  })
  return run
}

const inHome = (name: string): string => join(workspace.home, name)
const linesOf = (name: string): readonly string[] =>
  existsSync(inHome(name)) ? readFileSync(inHome(name), "utf8").trim().split("\n") : []

/** What the agent says that it did, and every call at its end; what it left to jobs comes after that. */
const areWhole = (calls: readonly LoggedCall[], witness: DumpHooks): void => {
  const sorted = (all: ReadonlyArray<{ readonly event: string }>) => all.map(({ event }) => event).sort()
  expect(sorted(calls)).toEqual(sorted(witness.captures()))
  for (const { facts } of calls) {
    const own = facts.map(({ type }) => type).filter((type) => !type.startsWith("JOB_"))
    expect(own.slice(-2)).toEqual(["REPLY_DELIVERED", "EXITED"])
  }
}

const callsOf = (hooktape: Hooktape, agent: Agent): readonly LoggedCall[] => inOrder(hooktape.calls(agent))

const count = (facts: readonly Recorded[], type: string): number =>
  facts.filter((fact) => fact.type === type).length

/** Done, or given up. */
const areOver = (facts: readonly Recorded[], jobs: number): boolean =>
  count(facts, "JOB_SUCCEEDED") + count(facts, "JOB_DIED") === jobs

describe.each(agents)("%s", (agent) => {
  it("is gone before its background hooks are done, with no host at first and with one", async () => {
    const { hooktape, witness } = installed(agent, { "learning.ts": learning })
    for (const round of [1, 2]) {
      expect(isRunning(hooktape)).toBe(round === 2)
      await session(agent)
      // The hooks cannot end before this, and the agent has ended: it did not wait for them.
      expect(linesOf("learnt")).toHaveLength(2 * (round - 1))
      await untilJobs(hooktape.state, (facts) => count(facts, "JOB_STARTED") > 2 * (round - 1))
      writeFileSync(inHome("go"), "")
      const facts = await untilJobs(hooktape.state, (all) => areOver(all, 2 * round))
      expect(count(facts, "JOB_FAILED")).toBe(0)
      rmSync(inHome("go"))
    }
    const each = ["turn.stop", "session.end"]
    expect(linesOf("began")).toEqual(linesOf("learnt"))
    // The first session's were left for the host while it came up: how long a call waits for those before it has a limit.
    expect([...linesOf("learnt").slice(0, 2)].sort()).toEqual([...each].sort())
    expect(linesOf("learnt").slice(2)).toEqual(each)
    areWhole(callsOf(hooktape, agent), witness)
    await endHost(workspace, hooktape)
    expect(hostFacts(hooktape.log()).map(({ type }) => type)).toEqual([
      "HOST_STARTED",
      "HOST_READY",
      "HOST_DRAINING",
      "HOST_STOPPED"
    ])
  })

  it("hears what a background hook found out with the answer of its next tool, once", async () => {
    const { hooktape, witness } = installed(agent, { "later.ts": later })
    const file = `${hooktape.state}/deliveries`
    const run = await runAgent(agent, {
      workspace,
      env: withHost,
      turns: [
        { tool: shellTool[agent]("echo one") },
        // Until the hook has said something, and another call for whoever would say it twice.
        { tool: shellTool[agent](`until ls ${file}/*-* >/dev/null 2>&1; do sleep 0.05; done`) },
        { tool: shellTool[agent]("echo three") },
        { text: "All done." }
      ]
    })
    expect({ exitCode: run.exitCode, turnsTaken: run.turnsTaken }).toEqual({ exitCode: 0, turnsTaken: 4 })
    const said = hookWords(run).contexts.filter((text) => text.includes("FOUND OUT"))
    expect(said.map((text) => text.replace(/\d+ s/, "0 s"))).toEqual([
      "Hook later, which ran after command.ran 0 s ago:\nFOUND OUT"
    ])
    areWhole(callsOf(hooktape, agent), witness)
    expect(readdirSync(file)).toEqual([])
    await endHost(workspace, hooktape)
  })

  it("waits for no host: one that comes up when the agent is gone has missed nothing", async () => {
    const { hooktape, witness } = installed(agent, { "briefing.ts": briefing, "learning.ts": learning })
    const program = join(hooktape.state, "bin", "host")
    const [real, may] = [`${program}.real`, inHome("may-start")]
    renameSync(program, real)
    writeFileSync(program, `#!/bin/sh\nuntil test -e '${may}'; do sleep 0.05; done\nexec '${real}'\n`, {
      mode: 0o700
    })
    const run = await session(agent)
    // The one that the session started is not up before this.
    expect(isRunning(hooktape)).toBe(false)
    expect(hookWords(run).contexts).toEqual(["BRIEFED"])
    writeFileSync(inHome("go"), "")
    writeFileSync(may, "")
    await answering(hooktape.state)
    const jobs = await untilJobs(hooktape.state, (all) => areOver(all, 2))
    expect(count(jobs, "JOB_SUCCEEDED")).toBe(2)
    expect(linesOf("learnt")).toEqual(["turn.stop", "session.end"])
    const calls = callsOf(hooktape, agent)
    areWhole(calls, witness)
    expect(calls[0] && transportOf(calls[0])).toBe("entry")
    await endHost(workspace, hooktape)
  })
})
