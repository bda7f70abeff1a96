/**
 * The host under the real agents: it is started by the first hook of a session and takes over in the middle of it, and neither
 * the model nor the human nor the log can tell.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { dialects } from "../../../src/tools/install/dialects.ts"
import { type Agent, agents, shellTool, writeTool } from "../../support/agents/agents.ts"
import { inOrder, logged, shown, told } from "../../support/agents/alike.ts"
import { canLook, descriptorsOf, tiesOf } from "../../support/agents/descriptors.ts"
import { type Capture, type DumpHooks, dumpHooks } from "../../support/agents/dumpHooks.ts"
import { demoHooks, type Hooktape, hooktapeIn, type LoggedCall } from "../../support/agents/hooktape.ts"
import {
  endHost,
  hostFacts,
  hostFamily,
  isRunning,
  transportOf,
  withHost
} from "../../support/agents/hosted.ts"
import { hookWords } from "../../support/agents/received.ts"
import { type AgentRun, runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, type Workspace } from "../../support/agents/workspace.ts"
import { answering } from "../../support/host.ts"

const failing = `if test -f fixed.txt; then echo all good; else echo "Error: fixed.txt is missing"; exit 1; fi\n`
const push = "touch pushed && git push --force origin main"

interface Stage {
  readonly workspace: Workspace
  readonly hooktape: Hooktape
  readonly witness: DumpHooks
}

interface Session {
  readonly run: AgentRun
  /** In the order in which they were made. */
  readonly calls: readonly LoggedCall[]
  /** What the agent gave to a hook beside ours. */
  readonly seen: readonly Capture[]
}

const setStage = (agent: Agent): Stage => {
  const workspace = makeWorkspace({ "check.sh": failing })
  const always = Object.entries(dialects[agent].events).filter(([, when]) => when === "always")
  const events = always.map(([event]) => event)
  const witness = dumpHooks(agent, workspace, {}, events)
  const hooktape = hooktapeIn(workspace, {}, demoHooks)
  hooktape.must("install", "--agent", agent, "--scope", "user")
  return { workspace, hooktape, witness }
}

/** The session of the demo. Its second command comes back when `until` holds. */
const play = async (
  agent: Agent,
  { workspace, hooktape, witness }: Stage,
  until: string,
  env: Readonly<Record<string, string>>
): Promise<Session> => {
  const fixed = join(workspace.cwd, "fixed.txt")
  rmSync(fixed, { force: true })
  writeFileSync(join(workspace.root, "wait.sh"), `until ${until}; do sleep 0.05; done\necho there\n`)
  const known = new Set(hooktape.calls(agent).map(({ invocation }) => invocation))
  const before = witness.captures().length
  const check = shellTool[agent]("sh check.sh")
  const run = await runAgent(agent, {
    workspace,
    env,
    prompt: "Make the check pass.",
    turns: [
      { text: "Checking.", tool: check },
      { tool: shellTool[agent]("sh ../wait.sh") },
      { tool: writeTool[agent](agent === "codex" ? "fixed.txt" : fixed, "yes\n") },
      { tool: check },
      { tool: shellTool[agent](push) },
      { text: "All done." }
    ]
  })
  const calls = inOrder(hooktape.calls(agent)).filter(({ invocation }) => !known.has(invocation))
  return { run, calls, seen: witness.captures().slice(before) }
}

const transports = ({ calls }: Session): readonly (string | undefined)[] => calls.map(transportOf)

describe.each(agents)("a session of %s", (agent) => {
  let alone: Stage
  let hosted: Stage
  let without: Session
  let first: Session
  let second: Session
  let pid: number

  beforeAll(async () => {
    alone = setStage(agent)
    without = await play(agent, alone, "true", { HOOKTAPE_HOST: "off" })
    hosted = setStage(agent)
    expect(isRunning(hosted.hooktape)).toBe(false)
    // Its hooks before that are answered with no host, those after it with one: the session is handed over in the middle.
    first = await play(agent, hosted, `test -S '${hosted.hooktape.state}/run/host.sock'`, withHost)
    pid = (await answering(hosted.hooktape.state)).pid
    second = await play(agent, hosted, "true", withHost)
  })
  afterAll(() => {
    hosted?.workspace.dispose()
    alone?.workspace.dispose()
  })

  it("starts none where none is wanted", () => {
    expect(new Set(transports(without))).toEqual(new Set(["entry"]))
    expect(hostFacts(alone.hooktape.log())).toEqual([])
    expect(isRunning(alone.hooktape)).toBe(false)
  })

  it("starts one, is handed over to it once, and the next session is all its", () => {
    const [start, ...rest] = transports(first)
    expect(start).toBe("entry")
    const taken = rest.indexOf("socket")
    expect(taken).toBeGreaterThanOrEqual(0)
    expect(new Set(rest.slice(0, taken))).toEqual(new Set(taken === 0 ? [] : ["entry"]))
    expect(new Set(rest.slice(taken))).toEqual(new Set(["socket"]))
    expect(new Set(transports(second))).toEqual(new Set(["socket"]))
    const [started, ready, ...more] = hostFacts(hosted.hooktape.log())
    expect(more).toEqual([])
    expect(started).toMatchObject({ type: "HOST_STARTED", data: { pid } })
    expect(ready?.type).toBe("HOST_READY")
  })

  it("has its first hook answered without it: nobody waited for it to come up", () => {
    const [start] = first.calls
    expect(start?.event).toBe("SessionStart")
    expect(start?.facts.slice(-2).map(({ type }) => type)).toEqual(["REPLY_DELIVERED", "EXITED"])
    expect(start && transportOf(start)).toBe("entry")
    expect(hookWords(first.run).contexts[0]).toContain("Run the tests before you call a task done.")
  })

  it.each(["first", "second"] as const)("tells the model and the human the same, the %s time", (which) => {
    const { run } = which === "first" ? first : second
    expect(told(run, hosted.workspace)).toEqual(told(without.run, alone.workspace))
    expect(shown(run, hosted.workspace)).toEqual(shown(without.run, alone.workspace))
    expect(run.timedOut).toBe(false)
  })

  it.each(["first", "second"] as const)("is on the log the same, the %s time", (which) => {
    const { calls, seen } = which === "first" ? first : second
    expect(logged(calls, hosted.workspace)).toEqual(logged(without.calls, alone.workspace))
    // Against what the agent says that it did: none lost, none double, none changed.
    const names = seen.map(({ event }) => event)
    expect(names.length).toBeGreaterThan(10)
    expect(calls.map(({ event }) => event)).toEqual(names)
    for (const event of new Set(names))
      expect(calls.filter((call) => call.event === event).map(({ payload }) => payload?.trimEnd())).toEqual(
        seen.filter((capture) => capture.event === event).map(({ raw }) => raw.trimEnd())
      )
  })

  it.skipIf(!canLook)("leaves a host behind that holds nothing of the agent's", () => {
    const family = hostFamily(hosted.workspace, hosted.hooktape)
    expect(family).toContain(pid)
    const handlers = family.filter((one) => one !== pid)
    expect(handlers.length).toBeGreaterThan(0)
    const of = descriptorsOf(pid)
    expect([0, 1, 2].map((fd) => of.get(fd))).toEqual(["/dev/null", "/dev/null", "/dev/null"])
    const ties = tiesOf(family)
    expect(ties.flatMap(({ pipes }) => pipes)).toEqual([])
    // One line from the host to each process of its own, and nothing else to anybody.
    const sockets = new Map(ties.map((tie) => [tie.pid, tie.sockets.length]))
    expect(sockets).toEqual(new Map(family.map((one) => [one, one === pid ? handlers.length : 1])))
    for (const one of handlers) {
      const streams = descriptorsOf(one)
      expect(streams.get(0)).toBe("/dev/null")
      for (const fd of [1, 2]) expect(streams.get(fd)).toContain(`${hosted.hooktape.state}/run/noise.`)
    }
    expect(readFileSync(`/proc/${pid}/environ`, "latin1")).not.toContain("HOOKTAPE_CALL=")
  })

  it("can be replayed to the same end", () => {
    const { same, compared, differences } = JSON.parse(hosted.hooktape.must("replay", "--all", "--json"))
    const played = first.calls.length + second.calls.length
    expect({ same, compared, differences }).toEqual({ same: true, compared: played, differences: [] })
  })

  it("is over when the host is asked to end", async () => {
    await endHost(hosted.workspace, hosted.hooktape)
    expect(hostFacts(hosted.hooktape.log()).map(({ type }) => type)).toEqual([
      "HOST_STARTED",
      "HOST_READY",
      "HOST_DRAINING",
      "HOST_STOPPED"
    ])
  })
})
