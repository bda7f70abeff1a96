/** Runs a program for a handler: no shell, bounded in time and output, and gone with everything it started when the handler is. */
import type { Ran, RunOptions } from "../hooks/Services.ts"
import { callEnvironment, type Environment } from "../state/callEnvironment.ts"
import { bounded, kindAt } from "../state/readFiles.ts"
import { plainEnvironment } from "./plainEnvironment.ts"

const usualMs = 10_000
const longestMs = 600_000
export const usualOutput = 65_536
export const maxOutput = 1_048_576

/** As they are before any hook is loaded. */
const later = setTimeout
const cancel = clearTimeout
const { kill } = process

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
    // Loaded where it is needed: most hooks start nothing.
    const { spawn } = process.getBuiltinModule("node:child_process")
    const child = spawn(command, [...args], {
      cwd: options.cwd,
      env: {
        ...(options.environment === undefined
          ? environment
          : plainEnvironment(options.environment.outside, environment)),
        ...options.env
      },
      stdio: ["pipe", "pipe", "pipe"],
      // A group of its own: what it started is ended with it.
      detached: process.platform !== "win32",
      windowsHide: true
    })
    const stdout = collector(most)
    const stderr = collector(most)
    let failure: Ran["failure"]
    let done = false
    const finish = (ran: Ran): void => {
      if (done) return
      done = true
      cancel(timer)
      forget()
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
      resolve(ran)
    }
    const end = (): void => {
      try {
        if (child.pid !== undefined && process.platform !== "win32") kill.call(process, -child.pid, "SIGKILL")
        else child.kill("SIGKILL")
      } catch {
        child.kill("SIGKILL")
      }
    }
    const ran = (exitCode: number | null): Ran => ({
      exitCode,
      stdout: stdout.text(),
      stderr: stderr.text(),
      truncated: stdout.isTruncated() || stderr.isTruncated(),
      ...(failure === undefined ? {} : { failure })
    })
    const forget = onEnd(() => {
      failure ??= "killed"
      end()
    })
    const timer = later(() => {
      failure = "timed-out"
      end()
    }, timeout)
    child.stdout?.on("data", stdout.take)
    child.stderr?.on("data", stderr.take)
    child.stdin?.on("error", () => undefined)
    child.stdin?.end(options.input ?? "")
    child.on("error", (error) => {
      const { code } = error as NodeJS.ErrnoException
      if (child.pid === undefined) finish({ ...nothing, failure: code === "ENOENT" ? "missing" : "refused" })
    })
    child.on("exit", (_, signal) => {
      if (signal !== null) failure ??= "killed"
      // What it left running may hold its streams open: nobody waits for that.
      if (failure !== undefined) end()
      else later(() => finish(ran(child.exitCode)), drainMs).unref()
    })
    child.on("close", (code) => finish(ran(code)))
  })
}

/** What was written before the end is read by then. */
const drainMs = 1000
