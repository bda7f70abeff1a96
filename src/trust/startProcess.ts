/** Starting a program, and hearing of it: the port that has two ways behind it, Node's own and the native starter. */
import { endGroup, endTree } from "./processTree.ts"
import { programFor } from "./programOnPath.ts"

export interface ProcessRequest {
  /** A path, or a name that is looked for along the environment's `PATH`. */
  readonly program: string
  readonly args: readonly string[]
  /** Absolute; it exists. */
  readonly cwd: string
  /** All of it. */
  readonly environment: Readonly<Record<string, string>>
  /** Its standard input, which then ends. */
  readonly input: string
}

export interface ProcessListener {
  readonly output: (stream: "stdout" | "stderr", chunk: Buffer) => void
  /** Nothing was started: the program is missing, or may not be executed. The last that is heard. */
  readonly refused: (why: "missing" | "refused") => void
  /** Null where a signal ended it. What it left running may go on, and hold its streams open. */
  readonly exited: (code: number | null) => void
  /** It has exited, and nobody holds its streams any more. The last that is heard. */
  readonly closed: () => void
}

export interface StartedProcess {
  /** Ends it with its process group and all below it: what `timeout` or `setsid` started for it is in a group of its own. */
  readonly end: () => void
  /** Closes its streams; nothing more of it is of interest. */
  readonly leave: () => void
}

/** Throws where a request can be no process's, such as a word with a zero in it. */
export type StartProcess = (request: ProcessRequest, listener: ProcessListener) => StartedProcess

export const startWithNode: StartProcess = ({ args, cwd, environment, input, program }, listener) => {
  const file = programFor(program, environment)
  if (file === undefined) {
    // Whoever asked does not have its answer yet.
    queueMicrotask(() => listener.refused("missing"))
    return { end: () => undefined, leave: () => undefined }
  }
  // Loaded where it is needed: most hooks start nothing.
  const { spawn } = process.getBuiltinModule("node:child_process")
  const child = spawn(file, [...args], {
    cwd,
    env: environment,
    stdio: ["pipe", "pipe", "pipe"],
    // A group of its own: what it started is ended with it.
    detached: process.platform !== "win32",
    windowsHide: true
  })
  child.stdout.on("data", (chunk) => listener.output("stdout", chunk))
  child.stderr.on("data", (chunk) => listener.output("stderr", chunk))
  child.stdin.on("error", () => undefined)
  child.stdin.end(input)
  child.on("error", (error: NodeJS.ErrnoException) => {
    if (child.pid === undefined) listener.refused(error.code === "ENOENT" ? "missing" : "refused")
  })
  child.on("exit", (code) => listener.exited(code))
  child.on("close", () => {
    if (child.pid !== undefined) listener.closed()
  })
  return {
    end: () => {
      if (child.pid === undefined) return
      // Of one that has exited the number may be another's by now; its group is its own as long as anybody is in it.
      if (child.exitCode === null && child.signalCode === null) endTree(child.pid)
      else endGroup(child.pid)
    },
    leave: () => {
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
    }
  }
}

/** By name: the process that has another way and a bundle that starts something have a copy of this module each. */
const slot = Symbol.for("hooktape/start-process")

/** From now on programs are started this way in this process, for good. */
export const startProcessesBy = (start: StartProcess): void =>
  void Object.defineProperty(globalThis, slot, { value: start })

export const startProcess: StartProcess = (request, listener) => {
  const { [slot]: start = startWithNode } = globalThis as { [slot]?: StartProcess }
  return start(request, listener)
}
