/**
 * A real agent's session, watched by `hooktape actors --follow` and by the inspector beside it: every state of every actor is seen, in order, as
 * the log has it, and each call as `hooktape show` explains it.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Recorded } from "../../../events/Recorded.ts"
import { makeSseReader } from "../../../src/programs/inspector/core/sse.ts"
import type { ActorFrame } from "../../../src/runtime/actors/ActorView.ts"
import { followed, type LogActor } from "../../../src/runtime/actors/logActors.ts"
import { agents, shellTool } from "../../support/agents/agents.ts"
import { type Hooktape, hooktapeIn } from "../../support/agents/hooktape.ts"
import { withHost } from "../../support/agents/hosted.ts"
import { runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, toolPath, type Workspace } from "../../support/agents/workspace.ts"
import { cli } from "../../support/cli.ts"
import { type BareFrame, bareFrame, statesOf } from "../../support/frames.ts"

const hooks = `import { defineHook, modelContext } from "hooktape"
export default [
  defineHook({ name: "answers", on: "tool.before", run: () => modelContext("SAID") }),
  defineHook({ name: "later", on: "tool.after", background: true, run: () => undefined }),
  // Where no hook wants to know, a search is no call.
  defineHook({ name: "asked", on: "search.before", run: () => undefined })
]`

/** What the log replays, of each stream in its order. */
const replayed = (facts: readonly Recorded[]): readonly BareFrame[] => {
  const known = new Map<string, LogActor>()
  return facts.flatMap((fact) => {
    const step = followed(known.get(fact.stream), fact)
    if (step === undefined) return []
    known.set(fact.stream, step.actor)
    return step.frame === undefined ? [] : [bareFrame(step.frame)]
  })
}

const of = (stream: string, frames: readonly BareFrame[]) => frames.filter((one) => one.stream === stream)

interface Listed {
  readonly invocation: string
  readonly outcome: string
}

/** The inspector, and when it first showed each call as over. */
const startInspector = async (env: NodeJS.ProcessEnv, cwd: string) => {
  const child = spawn(process.execPath, [cli, "inspect"], { cwd, env, stdio: ["ignore", "pipe", "ignore"] })
  const ended = once(child, "exit")
  const [line] = await once(createInterface(child.stdout), "line")
  const { hash, origin } = new URL(String(line))
  const headers = { authorization: `Bearer ${hash.slice("#token=".length)}` }
  const get = async <A>(path: string): Promise<A> => {
    const answer = await fetch(`${origin}/api/v1/${path}`, { headers })
    expect(answer.status).toBe(200)
    return (await answer.json()) as A
  }
  const shownAt = new Map<string, number>()
  const stop = new AbortController()
  const stream = await fetch(`${origin}/api/v1/stream?topics=calls`, { headers, signal: stop.signal })
  const read = makeSseReader()
  const hearing = (async () => {
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? [])
      for (const { data, event } of read(chunk))
        if (event === "calls")
          for (const { invocation, outcome } of (JSON.parse(data) as { calls: readonly Listed[] }).calls)
            if (outcome !== "open" && !shownAt.has(invocation)) shownAt.set(invocation, Date.now())
  })().catch(() => undefined)
  const end = async (): Promise<void> => {
    stop.abort()
    await hearing
    child.kill()
    await ended
  }
  return { get, shownAt, end }
}
type InspectorBeside = Awaited<ReturnType<typeof startInspector>>

describe.each(agents)("a session of %s, watched", (agent) => {
  let workspace: Workspace
  let hooktape: Hooktape
  let watcher: ChildProcess
  let shown: readonly BareFrame[]
  let facts: readonly Recorded[]
  let inspector: InspectorBeside

  beforeAll(() => {
    workspace = makeWorkspace({})
    hooktape = hooktapeIn(workspace, { "hooks.ts": hooks })
    hooktape.must("install", "--agent", agent, "--scope", "user")
    hooktape.must("build")
    hooktape.must("host", "start")
  })
  const watch = async () => {
    let written = ""
    const env = {
      PATH: toolPath(),
      HOME: workspace.home,
      TMPDIR: workspace.tmp,
      HOOKTAPE_HOME: hooktape.state
    }
    inspector = await startInspector(env, workspace.cwd)
    watcher = spawn(process.execPath, [cli, "actors", "--follow", "--json"], {
      cwd: workspace.cwd,
      env,
      stdio: ["ignore", "pipe", "ignore"]
    })
    watcher.stdout?.setEncoding("utf8").on("data", (text: string) => {
      written += text
    })
    const lines = () =>
      written
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as ActorFrame)
    // It watches as soon as it sees anything: a search is a call of hooktape's own, of no session.
    await expect
      .poll(
        () => {
          hooktape.run("search", "nothing")
          return lines().length
        },
        { timeout: 60_000 }
      )
      .toBeGreaterThan(0)
    const run = await runAgent(agent, {
      workspace,
      env: withHost,
      prompt: "Look around.",
      turns: [{ tool: shellTool[agent]("ls") }, { tool: shellTool[agent]("pwd") }, { text: "Done." }]
    })
    expect(run.exitCode).toBe(0)
    const isEnded = () => lines().some(({ fact }) => fact === "SESSION_ENDED")
    await expect.poll(isEnded, { timeout: 60_000 }).toBe(true)
    hooktape.must("host", "stop")
    // A line of the log has its time as text, and leaves out what is the same for all.
    facts = hooktape
      .log()
      .map((line) => ({ ...line, at: Date.parse(line.at), known: true }) as unknown as Recorded)
    await expect
      .poll(() => lines().some(({ fact }) => fact === "HOST_DRAINING"), { timeout: 60_000 })
      .toBe(true)
    shown = lines().map(bareFrame)
  }
  afterAll(async () => {
    const ended = watcher && once(watcher, "exit")
    watcher?.kill()
    await ended
    await inspector?.end()
    workspace?.dispose()
  })

  it("shows every state of the session, its calls, jobs and processes of handlers, as the log replays them", async () => {
    await watch()
    const [stream = ""] = [...new Set(facts.map((one) => one.stream))].filter((one) =>
      one.startsWith("session/")
    )
    expect(stream).toContain(`session/${agent}/`)
    expect(statesOf(of(stream, shown)).join(" ")).toMatch(/^unseen open idle (?:open idle )*ended$/)
    expect(of(stream, shown)).toEqual(of(stream, replayed(facts)))

    const calls = [
      ...new Set(facts.filter(({ agent: whose }) => whose === agent).map(({ stream }) => stream))
    ].filter((stream) => /^(?:invocation|job)\//.test(stream))
    expect(calls.filter((stream) => stream.startsWith("invocation/")).length).toBeGreaterThan(5)
    expect(calls.filter((stream) => stream.startsWith("job/"))).toHaveLength(2)
    const told = replayed(facts)
    for (const stream of calls) {
      expect(of(stream, shown)).toEqual(of(stream, told))
      expect(statesOf(of(stream, shown)).join(" ")).toMatch(
        stream.startsWith("job/") ? /^queued running done$/ : /^buffering handling (?:emitting )?exiting$/
      )
    }
    const processes = [...new Set(facts.map(({ stream }) => stream))].filter((one) =>
      one.startsWith("handlers/")
    )
    expect(processes.length).toBeGreaterThan(0)
    for (const stream of processes) {
      const seen = of(stream, shown)
      // The last ones come as the host ends, which ends the watching as well.
      expect(of(stream, told).slice(0, seen.length)).toEqual(seen)
      expect(statesOf(seen).join(" ")).toMatch(/^starting free(?: busy free)+/)
    }

    const waits: number[] = []
    const exits = facts.filter((one) => one.type === "EXITED" && one.agent === agent)
    for (const { position, stream } of exits) {
      const id = stream.slice("invocation/".length)
      const inPage = await inspector.get<{ states: unknown }>(`calls/${id}`)
      const explained = JSON.parse(hooktape.must("show", id, "--json")) as { states: unknown }
      expect(inPage.states).toEqual(explained.states)
      await expect.poll(() => inspector.shownAt.has(id), { timeout: 60_000 }).toBe(true)
      const seen = inspector.shownAt.get(id)
      const { recordedAt } = await inspector.get<{ recordedAt: number }>(`facts/${position}`)
      waits.push((seen ?? 0) - recordedAt)
    }
    const [half, worst] = [waits.toSorted((a, b) => a - b)[waits.length >> 1], Math.max(...waits)]
    console.info(
      `${agent}: ${waits.length} calls on the screen ${half} ms after they were on the log, at worst ${worst} ms`
    )
  })
})
