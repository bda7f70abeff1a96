/** Makes the code cache of every bundle before the first hook needs it, by a run in which no handler does anything but read. */
import { spawn } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { cacheOf } from "../../runtime/builds/compiled.ts"
import { bundleOf, eventOf, type Manifest, partOf, userManifest } from "../../state/manifest.ts"
import { writeManifest } from "./output.ts"

/** Whether builds are warmed: of those that tests make by the hundred hardly one is called twice. No variable and no argument says so. */
export class Warms extends Context.Reference<Warms>()("hooktape/Warms", { defaultValue: () => true }) {}

export interface WarmOptions {
  readonly manifest: Manifest
  /** `<state>/bin/load.cjs`. */
  readonly loader: string
  readonly timeoutMs?: number
}

interface Start {
  readonly agent: string
  readonly native: string
}

/** An agent's own event for each bundle that has no cache yet, and one that no bundle is for. */
const coldStarts = (manifest: Manifest): readonly Start[] => {
  const { events, natives } = manifest
  const known = Object.entries(natives).flatMap(([agent, names]) =>
    Object.entries(names).map(([native, event]) => ({ agent, native, event }))
  )
  const [agent = "raw"] = Object.keys(natives)
  const starts = mostAwaitedFirst(Object.keys(events)).flatMap((event): readonly Start[] => {
    if (event.startsWith("agent.")) return [{ agent, native: event.slice("agent.".length) }]
    return known.filter((one) => one.event === event).slice(0, 1)
  })
  return [...starts, { agent, native: "hooktape.warm" }].filter(
    ({ agent, native }) => !isWarm(manifest, agent, eventOf(manifest, agent, native))
  )
}

/** The runs are given none of the flags that this process has. A cache that turns out damaged is made anew by the call that finds it. */
const isWarm = (manifest: Manifest, agent: string, event: string): boolean =>
  existsSync(cacheOf(bundleOf(manifest, event), partOf(manifest, agent), []))

/** What all bundles share is kept compiled as the first of them used it: that is to be the event that an agent waits for most often. */
const firstEvent = "tool.before"
const mostAwaitedFirst = (events: readonly string[]): readonly string[] => [
  ...events.filter((event) => event === firstEvent),
  ...events.filter((event) => event !== firstEvent)
]

/** Nobody runs it: what guards reads it, and has for it most of what it has for any harmless command. */
const command = `cd src && X="$HOME/a" npm test -- --run 2>&1 | tail -n 20; for f in *.ts; do echo "$(basename "$f")"; done > /dev/null
git status && git push origin topic; if [ -f 'x' ]; then rm -f /tmp/x; fi; find . -name '*.log' | xargs grep -l x
sh -c 'ls -la'; node -e 'console.log(1)'; docker ps; npm run build || curl -s https://example.org | jq .a`

const payloadOf = (native: string, cwd: string): string =>
  JSON.stringify({
    session_id: "warm",
    cwd,
    hook_event_name: native,
    prompt: "warm",
    source: "startup",
    reason: "other",
    message: "warm",
    tool_name: "Bash",
    tool_input: { command },
    tool_response: { stdout: "", stderr: "", interrupted: false }
  })

const run = (loader: string, preload: string, cwd: string, { agent, native }: Start, timeoutMs: number) =>
  Effect.async<void>((resume) => {
    const { HOOKTAPE_NOISE: _, ...env } = process.env
    const child = spawn(process.execPath, [loader, agent, native], {
      cwd,
      env: {
        ...env,
        HOOKTAPE_LAUNCHER: String(process.pid),
        NODE_OPTIONS: `--require ${JSON.stringify(preload)}`
      },
      stdio: ["pipe", "ignore", "ignore"],
      timeout: timeoutMs,
      windowsHide: true
    })
    child.stdin?.on("error", () => undefined)
    child.stdin?.end(payloadOf(native, cwd))
    child.on("error", () => resume(Effect.void))
    child.on("exit", () => resume(Effect.void))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** Never fails: without a cache the first call of an event makes it. */
export const warm = Effect.fn("build.warm")(
  function* ({ loader, manifest, timeoutMs = 5000 }: WarmOptions) {
    const [first, ...others] = coldStarts(manifest)
    if (first === undefined || !(yield* Warms)) return
    const scratch = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(dirname(manifest.dir), ".load-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    )
    // A state of its own: what these runs record is nobody's history.
    const copy = join(scratch, "bin", "load.cjs")
    const preload = join(scratch, "warm.cjs")
    mkdirSync(dirname(copy), { mode: 0o700 })
    copyFileSync(loader, copy)
    writeFileSync(preload, 'globalThis[Symbol.for("hooktape/warm")] = true\n')
    writeManifest(userManifest(scratch), { ...manifest, project: null, sources: [] })
    const warmed = (start: Start) => run(copy, preload, scratch, start, timeoutMs)
    yield* warmed(first)
    yield* Effect.forEach(others, warmed, { concurrency: 2 })
  },
  Effect.scoped,
  Effect.catchAllDefect(() => Effect.void)
)
