/**
 * `npm run bench:agents`: how long the real agents wait for their hooks with no host wanted, with none there and with one, in
 * sessions that take turns.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { hostStatus } from "../../src/runtime/host/askHost.ts"
import { type Agent, agents, shellTool } from "../support/agents/agents.ts"
import { demoHooks, type Hooktape, hooktapeIn } from "../support/agents/hooktape.ts"
import { installAgents } from "../support/agents/install.ts"
import { runAgent } from "../support/agents/runAgent.ts"
import { makeWorkspace, type Workspace } from "../support/agents/workspace.ts"
import { median } from "./interleave.ts"

const [rounds = 10] = process.argv.filter((argument) => /^\d+$/.test(argument)).map(Number)

/** A host that just came up has not loaded the hooks of every event; in the session after that one it has. */
const ways = ["host off", "no host yet", "new host", "warm host"] as const
type Way = (typeof ways)[number]

interface Waits {
  /** Milliseconds of each session's first hook, and of all its hooks together. */
  readonly start: number[]
  readonly all: number[]
}

const measureWaits = (state: string): void => {
  const hook = join(state, "bin", "hook")
  renameSync(hook, `${hook}.real`)
  const compiler = process.env["CC"] ?? "cc"
  const source = join(import.meta.dirname, "waited.c")
  const { status, stderr, error } = spawnSync(compiler, ["-O2", "-o", hook, source], { encoding: "utf8" })
  if (status !== 0) throw new Error(`waited.c does not compile with ${compiler}: ${error?.message ?? stderr}`)
}

const takeWaits = (state: string): ReadonlyArray<readonly [event: string, ms: number]> => {
  const file = join(state, "waited")
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []
  rmSync(file, { force: true })
  return lines.map((line) => line.split(" ")).map(([event = "", ms]) => [event, Number(ms)] as const)
}

/** The next session finds a host, or none and nothing that keeps it from starting one. */
const prepare = async ({ must, run, state }: Hooktape, way: Way): Promise<void> => {
  if (way === "new host" || way === "warm host") {
    await Effect.runPromise(Effect.retry(hostStatus(state), Schedule.spaced("25 millis")))
    return
  }
  if (run("host", "status").status === 0) must("host", "stop")
  rmSync(join(state, "run", "starting"), { force: true })
}

const session = async (
  agent: Agent,
  workspace: Workspace,
  hooktape: Hooktape,
  way: Way,
  waits: Waits
): Promise<void> => {
  await prepare(hooktape, way)
  const { exitCode, stderr } = await runAgent(agent, {
    workspace,
    env: { HOOKTAPE_HOST: way === "host off" ? "off" : "" },
    turns: [{ tool: shellTool[agent]("echo hello") }, { text: "All done." }]
  })
  if (exitCode !== 0) throw new Error(`${agent} ended with ${exitCode}: ${stderr}`)
  const taken = takeWaits(hooktape.state)
  const start = taken.find(([event]) => event === "SessionStart")
  if (start === undefined) throw new Error(`${agent} began no session with a hook`)
  waits.start.push(start[1])
  waits.all.push(taken.reduce((sum, [, ms]) => sum + ms, 0))
}

const measure = async (agent: Agent): Promise<Readonly<Record<Way, Waits>>> => {
  const workspace = makeWorkspace()
  try {
    const hooktape = hooktapeIn(workspace, {}, demoHooks)
    hooktape.must("install", "--agent", agent, "--scope", "user")
    measureWaits(hooktape.state)
    const empty = (): Waits => ({ start: [], all: [] })
    const waits = { "host off": empty(), "no host yet": empty(), "new host": empty(), "warm host": empty() }
    // The first of each warms caches that the others find.
    for (const way of ways) await session(agent, workspace, hooktape, way, empty())
    for (let round = 0; round < rounds; round++)
      for (const way of ways) await session(agent, workspace, hooktape, way, waits[way])
    hooktape.must("host", "stop")
    return waits
  } finally {
    workspace.dispose()
  }
}

/** Median of the ratios within each round: a machine whose speed drifts slows all of a round. */
const ratio = (of: readonly number[], to: readonly number[]): string =>
  `${median(of.map((ms, at) => ms / (to[at] ?? Number.NaN))).toFixed(2)}×`

const row = (cells: readonly string[]): string =>
  cells.map((cell, at) => (at < 2 ? cell.padEnd(14) : cell.padStart(13))).join("")

await installAgents()
const say = (line: string): void => void process.stdout.write(`${line}\n`)
say(`${rounds} sessions of each kind, in turns; milliseconds, median, and the ratio to "host off"\n`)
say(row(["", "", "SessionStart", "ratio", "all hooks", "ratio"]))
for (const agent of agents) {
  const waits = await measure(agent)
  const off = waits["host off"]
  for (const way of ways) {
    const { start, all } = waits[way]
    const figures = [
      median(start).toFixed(1),
      ratio(start, off.start),
      median(all).toFixed(1),
      ratio(all, off.all)
    ]
    say(row([agent, way, ...figures]))
  }
}
