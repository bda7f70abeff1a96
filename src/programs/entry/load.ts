/** What `bin/hook` starts: finds the build for this directory, runs its bundle for this event, keeps the code cache. */
import { statSync, unlinkSync, writeSync } from "node:fs"
import { dirname, join } from "node:path"
import { exitCodes } from "../../../events/exitCodes.ts"
import { deadlineOf, marginOf, patienceOf } from "../../agents/deadline.ts"
import { placeOf } from "../../agents/place.ts"
import { compile } from "../../runtime/builds/compiled.ts"
import { type Refreshed, refresh } from "../../runtime/builds/refresh.ts"
import { requireFor } from "../../runtime/builds/requireFor.ts"
import { handOver, taken } from "../../runtime/call.ts"
import { clientOf } from "../../runtime/clientTime.ts"
import { goneDirectory } from "../../runtime/directory.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import { bundleOf, eventOf, partOf } from "../../state/manifest.ts"
import { findProject } from "../../state/project.ts"
import { agentStreams, closeStreams, openHold } from "./hold.ts"
import { remade, shippedAlone } from "./remake.ts"

const began = monotonic()
const [, script = "", agent = "", agentEvent = ""] = process.argv
const state = dirname(dirname(script))
const noise = process.env["HOOKTAPE_NOISE"]
const holder = process.env["HOOKTAPE_HOLD"]
const { stdout, stderr } =
  agentStreams(holder) ?? (noise === undefined ? { stdout: 1, stderr: 2 } : { stdout: 3, stderr: 4 })
const hold = openHold(holder)

const { reallyExit } = process as NodeJS.Process & { reallyExit: (code: number) => never }

/**
 * A launcher becomes this process, and what makes the code cache is its parent: either names itself. Started by hand it would run
 * whatever lies beside its path as a build, and hold no decided block against hooks that end it; docs/decisions/0085.
 */
const isLaunched = [process.pid, process.ppid].map(String).includes(process.env["HOOKTAPE_LAUNCHER"] ?? "")
// What hooks start is launched by nobody.
delete process.env["HOOKTAPE_LAUNCHER"]

let isGone = false

const giveUp = (message: string): never => {
  try {
    const line = `hooktape: ${message}\n`
    if (hold) hold.say("stderr", line)
    else writeSync(stderr, line)
    if (noise !== undefined) for (const stream of [1, 2]) unlinkSync(`${noise}.${stream}`)
  } catch {
    // Nobody reads, or the files are taken over already: the exit code says it.
  }
  // Before a hook can run at all: the one case for which 1 is the answer.
  return reallyExit.call(process, exitCodes.failure)
}

/**
 * A library that looks at a stack as it loads costs a millisecond: V8 then counts the lines of the whole bundle. The bundle says when
 * all libraries are loaded, before the first of the user's files is.
 */
const withoutTraces = (run: () => void): void => {
  const { stackTraceLimit } = Error
  const restore = () => {
    Error.stackTraceLimit = stackTraceLimit
  }
  ;(globalThis as unknown as Record<symbol, () => void>)[Symbol.for("hooktape/loaded")] = restore
  Error.stackTraceLimit = 0
  try {
    run()
  } finally {
    restore()
  }
}

const start = (
  { manifest, lost, rebuilt, warnings, hints }: Refreshed,
  project: string,
  cwd: string
): void => {
  const bundle = bundleOf(manifest, eventOf(manifest, agent, agentEvent))
  // One that is gone is as if the bundle were: what needs it would find out too late.
  for (const name of manifest.beside ?? []) statSync(join(dirname(bundle), name))
  const compiled = compile(bundle, partOf(manifest, agent))
  const ran = [compiled]
  const [, id, start, from] =
    /^([0-9a-f-]{36})(?: (\d{1,16}) (\d{1,16}))?$/.exec(process.env["HOOKTAPE_CALL"] ?? "") ?? []
  // The time-outs that agents are given leave room for a rebuild; the handlers' share of the time is not spent on it.
  const takenIn = rebuilt ? monotonic() : began
  const client = clientOf(Number(start), Number(from), takenIn)
  const waitedMs = (client?.beforeUs ?? 0) / 1000
  const deadlineMs = deadlineOf({ agent, agentEvent }, manifest, waitedMs)
  hold?.begins(deadlineMs - (monotonic() - takenIn) + marginOf({ agent, agentEvent }, waitedMs))
  if (hold && manifest.throughClient) closeStreams({ stdout, stderr })
  handOver({
    agent,
    agentEvent,
    id,
    client,
    state,
    project,
    cwd,
    build: manifest.build,
    config: manifest.config,
    deadlineMs,
    stdout,
    stderr,
    noise,
    hold: holder,
    began: takenIn,
    directory: isGone ? goneDirectory : undefined,
    guards: [...(manifest.guards ?? []), ...(lost ?? [])],
    lost,
    remarks: warnings,
    hints,
    ended: () => {
      for (const one of ran) one.keep()
    }
  })
  delete process.env["HOOKTAPE_NOISE"]
  delete process.env["HOOKTAPE_HOLD"]
  // A hook may start an agent, whose calls are others.
  delete process.env["HOOKTAPE_CALL"]
  const unit = { exports: {} }
  withoutTraces(() =>
    compiled.run(requireFor(bundle, { loaded: (file) => void ran.push(file) }), unit, unit.exports)
  )
  if (!taken()) throw new Error("the bundle does nothing")
}

const whyOf = (error: unknown): string =>
  String((error as Error | undefined)?.message ?? error).split("\n")[0] ?? ""

/** A bundle that is gone or damaged has taken no call: another one can. */
const tried = (found: Refreshed | undefined, project: string, cwd: string): string | undefined => {
  if (!found) return `nothing is built for ${project}`
  try {
    start(found, project, cwd)
    return undefined
  } catch (error) {
    if (taken()) throw error
    return `the build of ${project} cannot be run: ${whyOf(error)}`
  }
}

/** Somebody may have removed it: what needs none works from the root. */
const here = (): string => {
  try {
    return process.cwd()
  } catch {
    isGone = true
    process.chdir("/")
    return "/"
  }
}

if (!isLaunched) giveUp("only a launcher starts this file. Start bin/hook beside it.")
let project = "this directory"
try {
  const cwd = placeOf(agent, here(), (name) => process.env[name])
  project = findProject(cwd)
  const patience = patienceOf({ agent, agentEvent })
  const why = tried(refresh(state, project, patience), project, cwd)
  if (
    why !== undefined &&
    tried(remade(state, project, patience), project, cwd) !== undefined &&
    tried(shippedAlone(state, project), project, cwd) !== undefined
  )
    giveUp(`${why}. Run "hooktape build".`)
} catch (error) {
  // A hook file fails as soon as it is loaded.
  giveUp(`the build of ${project} cannot be run: ${whyOf(error)}. Run "hooktape build".`)
}
