/**
 * `npm run bench [-- ROUNDS FACTS CALLS] [--json]`: what a hook call costs, against floors measured in the same interleaved run,
 * what the host can do, what the log can take, and how well the classifiers of shipped hooks do. `npm run bench -- classifiers`:
 * only the last; `-- insight DIR [KEYS]`: how well chains are told on the labelled sessions of a folder; `-- crowd`: only what fifty
 * hooks cost of which one matches; `-- own-guards`: only what that hook adds to an edit; `-- timeline [CALLS]`: only how fast one looks
 * back; `-- typed [ROUNDS]`: only what commands take that a person types; `-- guards [ROUNDS]`: only what a guard costs beside what people
 * write by hand, with `--picture` drawn for README; `-- memory [ROUNDS]`: only what a session keeps in memory; `-- inspector`: only the page's weight, frames
 * and delays, in Debian's Chromium; `-- dev [SAVES]`: only how soon a save is in use; `-- watched [SESSIONS]`: how soon calls of real agents are on
 * that page, and a save in use for them; `-- reach [ROUNDS]`: only what a command hook and a repository's script add; `-- collector`: only what a
 * collector takes in and works out, how soon it goes on without an owner, and a laptop catches up; `-- against DIR [ROUNDS]`:
 * only what a call costs beside an earlier version, of which DIR is a checkout that is built.
 */
import { writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join, resolve } from "node:path"
import { againstRow, measureAgainst } from "./against.ts"
import { barsOf } from "./bars.ts"
import { classifierRows, judgeClassifiers } from "./classifiers.ts"
import { commands, floors, usualPayload, withPayload } from "./commands.ts"
import { measureDev } from "./dev.ts"
import { guardRows, measureGuards, ratioOf } from "./guards.ts"
import { measureCrowd, measureHost, startHost, takeHostAway } from "./host.ts"
import { judgeInsight } from "./insight.ts"
import { type Candidate, interleave, type Timed } from "./interleave.ts"
import { measureMemory, memoryRow } from "./memory.ts"
import { addedRow, measureOwnGuards } from "./ownGuards.ts"
import { measureRates } from "./rates.ts"
import { measureReach, reachRow } from "./reach.ts"
import { makeStage } from "./stage.ts"
import { crowdRow, hostRows, lookedRow, rateRow, seenRow, timeHead, timeRow } from "./table.ts"
import { measureTimeline } from "./timeline.ts"

const classifiers = judgeClassifiers()
const asJson = process.argv.includes("--json")
if (process.argv.includes("classifiers")) {
  process.stdout.write(
    asJson ? `${JSON.stringify({ classifiers })}\n` : `${classifierRows(classifiers).join("\n")}\n`
  )
  process.exit(0)
}

if (process.argv.includes("collector")) {
  await import("./collector.ts")
  process.exit(0)
}

if (process.argv.includes("insight")) {
  const [folder, keys] = process.argv.slice(process.argv.indexOf("insight") + 1)
  if (folder === undefined) throw new Error("insight: name a folder with labelled sessions")
  process.stdout.write(`${judgeInsight(folder, keys)}\n`)
  process.exit(0)
}

if (process.argv.includes("against")) {
  const [root, count = "60"] = process.argv.slice(process.argv.indexOf("against") + 1)
  if (root === undefined) throw new Error("against: name a folder with an earlier version")
  const against = measureAgainst(resolve(root), Number(count))
  process.stdout.write(
    asJson ? `${JSON.stringify({ against })}\n` : `${against.map(againstRow).join("\n")}\n`
  )
  process.exit(0)
}

/** Fifty hooks of which one has something to do: spread over events as hooks are, and all on the event of the call. */
const measureCrowds = async () => [
  await measureCrowd(makeStage, "50 hooks, one matches", { count: 49, spread: true }, 1000),
  await measureCrowd(makeStage, "50 on its event", { count: 49, spread: false }, 1000)
]
if (process.argv.includes("crowd")) {
  const crowds = await measureCrowds()
  process.stdout.write(asJson ? `${JSON.stringify({ crowds })}\n` : `${crowds.map(crowdRow).join("\n")}\n`)
  process.exit(0)
}

if (process.argv.includes("own-guards")) {
  const added = measureOwnGuards()
  process.stdout.write(asJson ? `${JSON.stringify({ added })}\n` : `${added.map(addedRow).join("\n")}\n`)
  process.exit(0)
}

if (process.argv.includes("guards")) {
  const [rounds = 100] = process.argv.filter((argument) => /^\d+$/.test(argument)).map(Number)
  const guards = await measureGuards(rounds)
  if (process.argv.includes("--picture")) {
    const bars = guards.rows
      .filter(({ pauseMs }) => pauseMs === 0)
      .map(({ timed }) => ({
        name: timed.name,
        value: ratioOf(timed),
        isOurs: timed.name.startsWith("hooktape")
      }))
    const title = "A guard on a shell command: time the agent waits, as a multiple of starting a shell"
    writeFileSync(
      join(import.meta.dirname, "..", "..", "docs", "pictures", "guards.svg"),
      barsOf(title, bars)
    )
  }
  process.stdout.write(asJson ? `${JSON.stringify({ guards })}\n` : `${guardRows(guards).join("\n")}\n`)
  process.exit(0)
}

/** A part that is a list of figures: how many rounds it has where none are named, how it is measured, and how a figure is written. */
const list =
  <A>(usual: number, measure: (many: number) => Promise<readonly A[]>, row: (figure: A) => string) =>
  async (name: string): Promise<string> => {
    const [many = usual] = process.argv.filter((argument) => /^\d+$/.test(argument)).map(Number)
    const figures = await measure(many)
    return asJson ? JSON.stringify({ [name]: figures }) : figures.map(row).join("\n")
  }
const lists: Readonly<Record<string, (name: string) => Promise<string>>> = {
  memory: list(150, measureMemory, memoryRow),
  // The browser's library is loaded where it is wanted.
  inspector: list(1, async () => (await import("./inspector.ts")).measureInspector(), seenRow),
  dev: list(10, measureDev, seenRow),
  watched: list(3, async (sessions) => (await import("./watched.ts")).measureWatched(sessions), seenRow),
  reach: list(200, measureReach, reachRow),
  timeline: list(100_000, measureTimeline, lookedRow)
}
const named = Object.keys(lists).find((name) => process.argv.includes(name))
if (named !== undefined) {
  process.stdout.write(`${await lists[named]?.(named)}\n`)
  process.exit(0)
}

const [rounds = 60, facts = 1_000_000, calls = 100_000] = process.argv
  .filter((argument) => /^\d+$/.test(argument))
  .map(Number)

const stage = makeStage()
const { client, cold, common, spool, typed, warm } = commands(stage)
const commonNames = new Set(common.map(({ name }) => name))

/** Candidates of one run, each with the floors of that very run. */
const run = (candidates: readonly Candidate[], bytes: number, share = 1, off = false): readonly Timed[] =>
  interleave(candidates, {
    runner: join(import.meta.dirname, "runner.c"),
    rounds: Math.ceil(rounds * share),
    warmup: 3,
    payload: stage.payload(bytes),
    floors,
    env: off ? { ...stage.env, HOOKTAPE_HOST: "off" } : stage.env,
    cwd: stage.project
  })

const own = (timed: readonly Timed[]): readonly Timed[] => timed.filter(({ name }) => !commonNames.has(name))

/** Calls are on the log from the warm-up on: the entrypoint leaves them, and the first command takes them in. */
const measureTyped = (): readonly Timed[] => run(typed, 4096, 0.5, true)
if (process.argv.includes("typed")) {
  own(run(warm, 4096, 0.1, true))
  const timed = measureTyped()
  stage.remove()
  process.stdout.write(
    asJson ? `${JSON.stringify({ typed: timed })}\n` : `${[timeHead, ...timed.map(timeRow)].join("\n")}\n`
  )
  process.exit(0)
}

/** The cold candidate leaves a warm cache behind, so the two are measured in runs of their own. */
const inProcess = run(warm, 4096, 1, true)
const commandsTyped = own(measureTyped())
const coldly = own(run(cold, 4096, 0.5, true))

const leftBehind = (): readonly Timed[] => {
  const putBack = takeHostAway(stage)
  try {
    return own(run(spool, 4096))
  } finally {
    putBack()
  }
}
const spooled = leftBehind()

const withHost = async (): Promise<readonly Timed[]> => {
  const host = await startHost(stage)
  try {
    return [1024, usualPayload, 100 * 1024].flatMap((bytes) =>
      own(run(client, bytes, bytes === usualPayload ? 1 : 0.5)).flatMap((timed) => {
        const name = withPayload(timed.name, bytes)
        return name === undefined ? [] : [{ ...timed, name }]
      })
    )
  } finally {
    await host.stop()
  }
}
const hosted = await withHost()
const host = await measureHost(stage, calls)
const crowds = await measureCrowds()
const guards = await measureGuards(rounds)
const memory = await measureMemory(150)
const rates = await measureRates(facts)
stage.remove()

const timed = [...inProcess, ...commandsTyped, ...coldly, ...spooled, ...hosted]
const machine = { node: process.version, cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length }
if (asJson) {
  process.stdout.write(
    `${JSON.stringify({ machine, rounds, timed, guards, host, crowds, memory, rates, classifiers })}\n`
  )
} else {
  const lines = [
    `${machine.cores} × ${machine.cpu}, Node ${machine.node}; ${rounds} interleaved rounds, PreToolUse of 4 KB unless said, one handler`,
    "",
    timeHead,
    ...timed.map(timeRow),
    "",
    ...hostRows(host),
    ...crowds.map(crowdRow),
    "",
    ...guardRows(guards),
    "",
    ...memory.map(memoryRow),
    "",
    ...rates.map(rateRow),
    "",
    ...classifierRows(classifiers)
  ]
  process.stdout.write(`${lines.join("\n")}\n`)
}
