/** Runs a program for a handler: no shell, bounded in time and output, and gone with everything it started when the handler is. */
import type { Ran, RunOptions } from "../hooks/Services.ts"
import { callEnvironment, type Environment } from "../state/callEnvironment.ts"
import { bounded, kindAt } from "../state/readFiles.ts"
import { unrefOwn } from "./ownTimer.ts"
import { plainEnvironment } from "./plainEnvironment.ts"
import { startProcess } from "./startProcess.ts"

const usualMs = 10_000
const longestMs = 600_000
export const usualOutput = 65_536
export const maxOutput = 1_048_576

/** As they are before any hook is loaded. */
const later = setTimeout
const cancel = clearTimeout

const collector = (most: number) => {
  const chunks: Buffer[] = []
  let length = 0
  let truncated = false
  return {
    take: (chunk: Buffer): void => {
      const kept = chunk.subarray(0, most - length)
      if (kept.length > 0) chunks.push(kept)
      length += kept.length
      if (kept.length < chunk.length) truncated = true
    },
    isTruncated: () => truncated,
    text: (): string => {
      const text = Buffer.concat(chunks).toString("utf8")
      return truncated ? text.replace(/\ufffd+$/, "") : text
    }
  }
}

const defined = (environment: Environment): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined)
  )

const nothing = { exitCode: null, stdout: "", stderr: "", truncated: false } as const

/** `onEnd` is given how to end it, and tells how to stop caring. */
export const runCommand = (
  command: string,
  args: readonly string[],
  options: Required<Pick<RunOptions, "cwd">> & RunOptions & { readonly callEnvironment?: Environment },
  onEnd: (end: () => void) => () => void
): Promise<Ran> => {
  if (kindAt(options.cwd) !== "directory")
    return Promise.reject(new Error(`there is no directory ${options.cwd}`))
  const most = bounded(options.maxOutput, usualOutput, maxOutput)
  const environment = options.callEnvironment ?? callEnvironment()
  const timeout = Math.max(1, bounded(options.timeout, usualMs, longestMs))
  return new Promise((resolve) => {
    const written = { stdout: collector(most), stderr: collector(most) }
    let failure: Ran["failure"]
    let code: number | null = null
    let done = false
    const ran = (): Ran => ({
      exitCode: code,
      stdout: written.stdout.text(),
      stderr: written.stderr.text(),
      truncated: written.stdout.isTruncated() || written.stderr.isTruncated(),
      ...(failure === undefined ? {} : { failure })
    })
    const finish = (how: Ran): void => {
      if (done) return
      done = true
      cancel(timer)
      forget()
      started.leave()
      resolve(how)
    }
    const started = startProcess(
      {
        program: command,
        args,
        cwd: options.cwd,
        environment: defined({
          ...(options.environment === undefined
            ? environment
            : plainEnvironment(options.environment.outside, environment)),
          ...options.env
        }),
        input: options.input ?? ""
      },
      {
        output: (stream, chunk) => written[stream].take(chunk),
        refused: (why) => finish({ ...nothing, failure: why }),
        exited: (exitCode) => {
          code = exitCode
          if (exitCode === null) failure ??= "killed"
          // What it left running may hold its streams open: nobody waits for that.
          if (failure !== undefined) started.end()
          else unrefOwn(later(() => finish(ran()), drainMs))
        },
        closed: () => finish(ran())
      }
    )
    const endAs = (why: Ran["failure"]) => (): void => {
      failure ??= why
      started.end()
    }
    const forget = onEnd(endAs("killed"))
    const timer = later(endAs("timed-out"), timeout)
  })
}

/** What was written before the end is read by then. */
const drainMs = 1000
