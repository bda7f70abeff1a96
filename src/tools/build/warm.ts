/**
 * Makes the code cache of what all bundles share before the first hook needs it, by a run in which no handler does anything but read. What is an
 * event's own is a few kilobytes: the first call of the event compiles and keeps it, and takes some milliseconds for it.
 */
import { spawn } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { cacheOf } from "../../runtime/builds/compiled.ts"
import { type Manifest, userManifest } from "../../state/manifest.ts"
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

/** The event that an agent waits for most often: what all bundles share is kept compiled as it uses it. */
const firstEvent = "tool.before"

/** At the first agent's own event for it; where no bundle is for it, at one that no bundle is for. */
const startOf = ({ events, natives }: Manifest): Start => {
  const [agent = "raw"] = Object.keys(natives)
  const own = Object.hasOwn(events, firstEvent) ? Object.entries(natives[agent] ?? {}) : []
  const native = own.find(([, event]) => event === firstEvent)?.[0]
  return { agent, native: native ?? "hooktape.warm" }
}

/** The run is given none of the flags that this process has. A cache that turns out damaged is made anew by the call that finds it. */
const isWarm = ({ beside = [], dir }: Manifest): boolean =>
  beside.every((name) => existsSync(cacheOf(join(dir, name), "all", [])))

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

/** Never fails: without a cache the first call makes it. */
export const warm = Effect.fn("build.warm")(
  function* ({ loader, manifest, timeoutMs = 5000 }: WarmOptions) {
    if (isWarm(manifest) || !(yield* Warms)) return
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
    yield* run(copy, preload, scratch, startOf(manifest), timeoutMs)
  },
  Effect.scoped,
  Effect.catchAllDefect(() => Effect.void)
)
