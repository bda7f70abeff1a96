/** A state directory with the native client in it, and stand-ins for what it starts. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { digestKey } from "../../../src/state/state.ts"
import { type Fired, outcomeOf } from "../entrypoint.ts"

const built = fileURLToPath(
  new URL(`../../../dist/client/${process.platform}-${process.arch}/hook`, import.meta.url)
)

export interface Client {
  readonly program: string
  /** Where a sanitizer writes what it finds. */
  readonly reports?: string
}

/** As `npm run build` made it. */
export const builtClient = (): Client => ({ program: built })

/** One that watches its own memory: any report of it fails the test. */
export const watchfulClient = (): Client => {
  const folder = mkdtempSync(join(homedir(), "watchful-"))
  const program = join(folder, "hook")
  const reports = join(folder, "reports")
  mkdirSync(reports)
  const build = readFileSync(fileURLToPath(new URL("../../../dist/build-id", import.meta.url)), "utf8").trim()
  const script = fileURLToPath(new URL("../../../.ci/programs.mjs", import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [script, "client", program, build], {
    encoding: "utf8"
  })
  if (status !== 0) throw new Error(`no client with sanitizers: ${stderr}`)
  return { program, reports }
}

/** All at once, but for a turn of the loop in between: starting a process takes time in which nobody else is answered. */
export const atOnce = async <A, B>(
  items: readonly A[],
  work: (item: A, at: number) => Promise<B>
): Promise<readonly B[]> => {
  const going: Promise<B>[] = []
  for (const [at, item] of items.entries()) {
    going.push(work(item, at))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return Promise.all(going)
}

export interface Shot {
  readonly agent?: string
  readonly event?: string
  readonly input?: string | Buffer
  /** Standard input is left open after that. */
  readonly open?: boolean
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  readonly redirect?: string
  /** What stands in the place of `exec '<path>'`. */
  readonly hook?: string
}

/** Writes down that it was called, then answers with what it was given. */
const entryScript = `#!/bin/sh
here=\${0%/bin/entry}
printf '%s %s %s\\n' "$1" "$2" "\${HOOKTAPE_CALL%% *}" >>"$here/entered"
if [ -n "\${TAKE-}" ]; then head -c "$TAKE"; else cat; fi
printf ' from the entrypoint' >&2
exit 3
`

export const stage = (client: Client, folder = mkdtempSync(join(homedir(), "client-"))) => {
  const state = join(folder, "state")
  for (const part of ["bin", "run", "spool"]) mkdirSync(join(state, part), { recursive: true, mode: 0o700 })
  digestKey(state)
  const project = join(folder, "project")
  mkdirSync(project)
  copyFileSync(client.program, join(state, "bin", "hook"))
  const script = (name: string, text: string) =>
    writeFileSync(join(state, "bin", name), text, { mode: 0o700 })
  script("entry", entryScript)
  const env: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    HOME: folder,
    ...(client.reports === undefined
      ? {}
      : {
          ASAN_OPTIONS: `detect_leaks=0:exitcode=99:log_path=${join(client.reports, "found")}`,
          UBSAN_OPTIONS: `print_stacktrace=1:exitcode=99:log_path=${join(client.reports, "found")}`
        })
  }

  const start = (shot: Shot = {}): ChildProcess => {
    const {
      agent = "claude-code",
      event = "PreToolUse",
      redirect = "",
      hook = `exec '${state}/bin/hook'`
    } = shot
    return spawn("sh", ["-c", `${hook} ${agent} ${event} ${redirect}`], {
      cwd: shot.cwd ?? project,
      env: { ...env, ...shot.env },
      stdio: "pipe"
    })
  }

  const fire = async (shot: Shot = {}): Promise<Fired> => {
    const child = start(shot)
    child.stdin?.on("error", () => undefined)
    if (shot.open) child.stdin?.write(shot.input ?? "")
    else child.stdin?.end(shot.input ?? "")
    const outcome = await outcomeOf(child)
    child.stdin?.destroy()
    return outcome
  }

  const lines = (...path: readonly string[]): readonly string[] => {
    const file = join(state, ...path)
    return existsSync(file)
      ? readFileSync(file, "utf8")
          .split("\n")
          .filter((line) => line !== "")
      : []
  }

  return {
    folder,
    env,
    state,
    project,
    script,
    start,
    fire,
    /** `agent event call` of each run of the entrypoint. */
    entered: () => lines("entered"),
    /** How many calls nobody handled. */
    unreached: () => lines("run", "unreachable").length,
    spooled: () => readdirSync(join(state, "spool")).sort(),
    /** What a sanitizer had to say. */
    reports: () =>
      client.reports === undefined
        ? []
        : readdirSync(client.reports).map((name) => readFileSync(join(client.reports ?? "", name), "utf8"))
  }
}
export type Stage = ReturnType<typeof stage>
