/** Runs a hook file's top level in a process of its own, to learn its exports: it may hang, crash or exit there. */
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import type { Problem } from "../../hooks/Problem.ts"
import { BuildError } from "./BuildError.ts"
import type { Inspected } from "./inspect.ts"
import type { DescribedExport, Report } from "./report.ts"

/** What a file may do while it loads is declare its hooks; that takes milliseconds. */
export const loadTimeoutMs = 5000
const keptNoise = 4000
/** What the process said may be read only after its end was heard of. Children of the file may hold its streams open for ever. */
const lastWordsMs = 1000

interface Ran {
  readonly report: string
  readonly noise: string
  readonly how: string
}

const run = (script: string, cwd: string, timeoutMs: number, done: (ran: Ran) => void): (() => void) => {
  const { NODE_OPTIONS: _, ...env } = process.env
  const child = spawn(process.execPath, ["--enable-source-maps", script], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    windowsHide: true
  })
  let report = ""
  let noise = ""
  let how = ""
  const hear = (chunk: Buffer): void => {
    if (noise.length < keptNoise) noise += chunk.toString("utf8")
  }
  child.stdout?.on("data", hear)
  child.stderr?.on("data", hear)
  const channel = child.stdio[3]
  channel?.on("data", (chunk: Buffer) => {
    report += chunk.toString("utf8")
  })
  // All is said: what the file left running has no part in it.
  channel?.on("end", () => report !== "" && child.kill("SIGKILL"))
  const timer = setTimeout(() => {
    how = `did not finish loading within ${timeoutMs / 1000} s`
    child.kill("SIGKILL")
  }, timeoutMs)
  child.on("error", (error) => {
    how = `could not be loaded: ${error.message}`
  })
  child.on("exit", (code, signal) => {
    clearTimeout(timer)
    if (how === "") {
      how =
        signal === null
          ? `ended the process with code ${code} while loading`
          : `crashed with ${signal} while loading`
    }
    const end = () => {
      clearTimeout(last)
      for (const stream of [child.stdout, child.stderr, channel]) stream?.destroy()
      done({ report, noise, how })
    }
    const last = setTimeout(end, lastWordsMs)
    child.once("close", end)
  })
  return () => {
    clearTimeout(timer)
    child.kill("SIGKILL")
  }
}

/** The first place of a stack that lies in one of the author's own files. */
const placeIn = (
  stack: string,
  locals: ReadonlyMap<string, string>
): Pick<Problem, "file" | "line" | "column"> | undefined => {
  for (const [, file = "", line, column] of stack.matchAll(/\(?(?:file:\/\/)?([^\s()]+):(\d+):(\d+)\)?$/gm)) {
    if (locals.has(file)) return { file, line: Number(line), column: Number(column) }
  }
  return undefined
}

const remedies = (how: string): string =>
  /did not finish/.test(how)
    ? "Do the work inside `run`: a hook file only declares hooks when it is loaded."
    : "A hook file must not end its process. Do the work inside `run`."

const lastLine = (noise: string): string => noise.trim().split("\n").at(-1) ?? ""

const read = (inspected: Inspected, { how, noise, report }: Ran): readonly DescribedExport[] | Problem => {
  let parsed: Report | undefined
  try {
    parsed = JSON.parse(report) as Report
  } catch {
    const said = lastLine(noise)
    return {
      file: inspected.file,
      reason: said === "" ? how : `${how}; it said: ${said}`,
      remedy: remedies(how)
    }
  }
  if ("exports" in parsed) return parsed.exports
  const { message, name, stack } = parsed.error
  return {
    ...(placeIn(stack, inspected.locals) ?? { file: inspected.file }),
    reason: `throws while loading: ${name}: ${message}`,
    remedy: "Do what can fail inside `run`, where a failure ends one hook call and no build."
  }
}

export const evaluate = Effect.fn("build.evaluate")(function* (
  inspected: Inspected,
  scratch: string,
  timeoutMs = loadTimeoutMs
) {
  const source = yield* inspected.script
  const script = join(scratch, `${randomBytes(6).toString("hex")}.cjs`)
  const ran = yield* Effect.async<Ran>((resume) => {
    writeFileSync(script, source, { mode: 0o600 })
    // Where it runs later is anywhere: what needs one place is found out now.
    const stop = run(script, dirname(script), timeoutMs, (result) => resume(Effect.succeed(result)))
    return Effect.sync(stop)
  }).pipe(Effect.ensuring(Effect.sync(() => rmSync(script, { force: true }))))
  const answer = read(inspected, ran)
  if ("reason" in answer) return yield* new BuildError({ op: "load", problems: [answer] })
  return answer
})
