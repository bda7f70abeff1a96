/** A state directory as an installation leaves it, and hook calls made the way an agent makes them: real processes, real bytes. */
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { build as compile } from "esbuild"
import type { InvocationFact } from "../../events/facts.ts"
import type { Recorded } from "../../events/Recorded.ts"
import { EventLog } from "../../src/log/EventLog.ts"
import { ingest } from "../../src/log/spool/ingest.ts"
import { layerSqlite } from "../../src/log/sqlite/SqliteLog.ts"
import { layout, layoutFile } from "../../src/state/layout.ts"
import { digestKey, installationId, openState, privateDirectory } from "../../src/state/state.ts"
import { buildHooks } from "../../src/tools/build/build.ts"
import { findCore } from "../../src/tools/build/core.ts"
import { launcher } from "../../src/tools/install/launcher.ts"

export interface Fired {
  readonly pid: number
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Firing {
  readonly agent?: string
  readonly event?: string
  /** Written to standard input, which is then closed. */
  readonly input?: string | Buffer
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** A redirection for the agent's command line, such as `<&-`. */
  readonly redirect?: string
}

/** One invocation as the log has it. */
export interface Run {
  readonly id: string
  readonly facts: readonly Recorded[]
  readonly types: readonly string[]
}

export const payloadOf = (event: string, more: object = {}): string =>
  JSON.stringify({ session_id: "s-1", transcript_path: "", hook_event_name: event, ...more })

export const bash = (command: string, more: object = {}): string =>
  payloadOf("PreToolUse", { tool_name: "Bash", tool_input: { command }, ...more })

/** The facts of a run of one type, as they were written. */
export const dataOf = <T extends InvocationFact["type"]>(
  run: Run,
  type: T
): readonly Extract<InvocationFact, { type: T }>[] =>
  run.facts
    .filter((fact) => fact.type === type)
    .map(({ data }) => data as unknown as Extract<InvocationFact, { type: T }>)

/** All that left through a stream, in one piece. */
export const heardOn = (run: Run, stream: "stdout" | "stderr"): string =>
  dataOf(run, "NOISE_CAPTURED")
    .filter((noise) => noise.stream === stream)
    .map(({ text }) => text)
    .join("")

/** Collects what a process writes and how it ends. */
export const outcomeOf = (child: ChildProcess): Promise<Fired> =>
  new Promise((resolve, reject) => {
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk))
    child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk))
    child.once("error", reject)
    child.once("close", (code, signal) =>
      resolve({
        pid: child.pid ?? 0,
        code,
        signal,
        stdout: Buffer.concat(stdout).toString("utf8"),
        stderr: Buffer.concat(stderr).toString("utf8")
      })
    )
  })

/** At most so many at once: a machine that is out of breath proves nothing. */
export const inTurns = async <A, B>(
  items: readonly A[],
  width: number,
  work: (item: A, index: number) => Promise<B>
): Promise<readonly B[]> => {
  const results: B[] = []
  let next = 0
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as A, at)
  }
  await Promise.all(Array.from({ length: width }, lane))
  return results
}

const put =
  (folder: string) =>
  (name: string, text: string): string => {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }

const texts = new Map<string, Promise<string>>()
/** A program of the entrypoint as the package ships it, from the sources as they are now. */
export const entryProgram = (name: "load" | "nodeLauncher"): Promise<string> => {
  const text = texts.get(name) ?? compileEntry(name)
  texts.set(name, text)
  return text
}

const compileEntry = (name: string): Promise<string> =>
  compile({
    entryPoints: [findCore().main.replace(/main(\.[jt]s)$/, `${name}$1`)],
    write: false,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    minify: true,
    tsconfigRaw: {},
    logLevel: "silent"
  }).then(({ outputFiles: [file] }) => file?.text ?? "")

/** What its agents start: `bin/hook`, or as on Windows Node with `bin/hook.cjs`. */
export type Launches = "hook" | "hook.cjs"

export const station = async (launches: Launches = "hook") => {
  const home = realpathSync(mkdtempSync(join(homedir(), "station-")))
  const project = join(home, "project")
  const state = join(home, "state")
  const userFolder = join(home, ".config", "hooktape")
  mkdirSync(project)
  openState(state)
  for (const part of ["bin", "run"]) privateDirectory(join(state, part))
  digestKey(state)
  const source = installationId(state)
  writeFileSync(join(state, "bin", "load.cjs"), await entryProgram("load"), { mode: 0o600 })
  const nodeHook = join(state, "bin", "hook.cjs")
  if (launches === "hook.cjs") writeFileSync(nodeHook, await entryProgram("nodeLauncher"), { mode: 0o600 })
  const program = launches === "hook" ? `'${state}/bin/hook'` : `'${process.execPath}' '${nodeHook}'`
  writeFileSync(join(state, "bin", "hook"), launcher({ node: process.execPath, state }), { mode: 0o700 })
  writeFileSync(layoutFile(state), `${layout}\n`, { mode: 0o600 })
  const env: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    HOME: home,
    HOOKTAPE_HOME: state,
    XDG_CONFIG_HOME: join(home, ".config"),
    // A build puts the native client in place; a host that it starts would outlive the test.
    HOOKTAPE_HOST: "off",
    HOOKTAPE_DEFAULTS: "off"
  }

  /** Which process an agent started for a call: what opens the invocation may be a child of it. */
  const marks = new Map<string, number>()

  /** The process alone; whoever started it holds its pipes. */
  const start = (firing: Firing, stdio: StdioOptions = "pipe"): ChildProcess => {
    const { agent = "claude-code", event = "PreToolUse", redirect = "" } = firing
    const mark = `station-${marks.size}`
    const child = spawn("sh", ["-c", `exec ${program} ${agent} ${event} ${redirect}`], {
      cwd: firing.cwd ?? project,
      env: { ...env, TERM_PROGRAM: mark, ...firing.env },
      stdio
    })
    marks.set(mark, child.pid ?? 0)
    return child
  }

  const fire = (firing: Firing): Promise<Fired> => {
    const child = start(firing)
    // Whether all of it was read is the hook's business, and what the tests then look at.
    child.stdin?.on("error", () => undefined)
    child.stdin?.end(firing.input ?? "")
    return outcomeOf(child)
  }

  /** Everything on the log, spooled facts taken in first. */
  const facts = (): Promise<readonly Recorded[]> =>
    Effect.gen(function* () {
      const log = yield* EventLog
      yield* ingest(state, source)
      return [...(yield* Stream.runCollect(log.read()))]
    }).pipe(
      Effect.provide(Layer.fresh(layerSqlite({ file: join(state, "log.sqlite"), source }))),
      Effect.runPromise
    )

  const runs = async (): Promise<readonly Run[]> => {
    const byStream = new Map<string, Recorded[]>()
    for (const fact of await facts()) {
      if (!fact.stream.startsWith("invocation/")) continue
      const there = byStream.get(fact.stream)
      if (there === undefined) byStream.set(fact.stream, [fact])
      else there.push(fact)
    }
    return [...byStream].map(([stream, facts]) => ({
      id: stream.slice("invocation/".length),
      facts,
      types: facts.map(({ type }) => type)
    }))
  }

  const runsByPid = async (): Promise<ReadonlyMap<number, Run>> =>
    new Map(
      (await runs()).map((run) => {
        const [opened] = dataOf(run, "INVOCATION_OPENED")
        return [marks.get(opened?.env?.["TERM_PROGRAM"] ?? "") ?? opened?.pid ?? 0, run]
      })
    )

  const runOf = async ({ pid }: { readonly pid: number }): Promise<Run> => {
    const run = (await runsByPid()).get(pid)
    if (run === undefined) throw new Error(`process ${pid} left no invocation on the log`)
    return run
  }

  return {
    home,
    project,
    state,
    userFolder,
    env,
    /** Writes into the project. */
    put: put(project),
    putUser: put(userFolder),
    build: (own = false) => Effect.runPromise(buildHooks({ state, userFolder, ...(own ? { project } : {}) })),
    start,
    fire,
    facts,
    runs,
    runsByPid,
    runOf
  }
}
export type Station = Awaited<ReturnType<typeof station>>

/** A hook that answers whatever the environment says, to everything. */
export const probeHook = (events: readonly string[], name = "probe"): string =>
  `import { defineHook } from "hooktape"
  export default defineHook({
    name: ${JSON.stringify(name)},
    on: ${JSON.stringify(events)} as never,
    run: () => { const said = process.env["PROBE"]; return said === undefined ? undefined : JSON.parse(said) }
  })\n`
