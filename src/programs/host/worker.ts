/** One process that runs handlers, from the host's side: asked one thing at a time, and ended when it does not answer. */
import { type ChildProcess, spawn } from "node:child_process"
import { closeSync, fstatSync, openSync, readSync, unlinkSync } from "node:fs"
import type { Socket } from "node:net"
import { devNull } from "node:os"
import { join } from "node:path"
import { cutWindow } from "../../redact/cut.ts"
import { redactText } from "../../redact/redact.ts"
import { newFile } from "../../state/state.ts"
import { openChannel } from "./channel.ts"
import { checkMessage } from "./checkMessage.ts"
import type { ProcessLife } from "./handlerProcess.ts"
import { makeMailbox } from "./mailbox.ts"
import type { FromWorker, ToWorker } from "./messages.ts"
import { channelDescriptor, descriptorsOf } from "./workerDescriptors.ts"

/** The process is gone, or was ended because it did not answer in time. */
export class WorkerGone extends Error {
  override readonly name = "WorkerGone"
  readonly reason: "ended" | "late"
  /** The last it wrote to standard error. */
  readonly lastWords: string
  /** The last it wrote to standard output. */
  readonly printed: string
  constructor(reason: WorkerGone["reason"], message: string, lastWords: string, printed = "") {
    super(message)
    this.reason = reason
    this.lastWords = lastWords
    this.printed = printed
  }
}

/** What is said of one that was late. */
export const notWithin = (withinMs: number): string => `it did not answer within ${Math.round(withinMs)} ms`

export interface HandlerWorker {
  readonly pid: number | undefined
  readonly send: (message: ToWorker) => void
  /** The next message, or the end. Only one may be waited for at a time. */
  readonly next: (withinMs: number) => Promise<FromWorker>
  readonly kill: () => void
  readonly isGone: () => boolean
  /** Bytes that its handlers have written to its streams: the files grow as long as it lives. */
  readonly noiseBytes: () => number
  /** Where one is kept of it. */
  readonly life?: ProcessLife
}

export interface WorkerOptions {
  /** The compiled `workerMain`. */
  readonly program: string
  readonly state: string
  /** Of the handlers' heap, megabytes. */
  readonly memoryMb: number
  /** Hears of a handler that wrote to what is between it and us. */
  readonly note?: (problem: string) => void
  /** Told what becomes of it. */
  readonly life?: ProcessLife
}

let count = 0
const lastWordsBytes = 4096

const noiseFiles = (state: string) => {
  const prefix = join(state, "run", `noise.${process.pid}-${++count}`)
  const opened: number[] = []
  const open = (path: string, flags: string | number): number => {
    const descriptor = openSync(path, flags, 0o600)
    opened.push(descriptor)
    return descriptor
  }
  const anew = (path: string): number => {
    try {
      unlinkSync(path)
    } catch {
      // Nothing was left of a process with our number.
    }
    return open(path, newFile)
  }
  try {
    const write = [anew(`${prefix}.1`), anew(`${prefix}.2`)] as const
    return { prefix, write, read: [open(`${prefix}.1`, "r"), open(`${prefix}.2`, "r")] as const }
  } catch {
    // A disk that takes no file: handlers run all the same, and what is not written through Node's own streams is not heard.
    for (const descriptor of opened) closeSync(descriptor)
    return undefined
  }
}

/** Redacted while more than is kept is there: what was cut in two would not be known for a secret. */
const tail = (descriptor: number, from: number): string => {
  const { size } = fstatSync(descriptor)
  const read = Buffer.alloc(Math.min(Math.max(0, size - from), lastWordsBytes + cutWindow))
  const text = read.toString("utf8", 0, readSync(descriptor, read, 0, read.length, size - read.length))
  return redactText(text).slice(-lastWordsBytes)
}

const ending = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `its process ended with code ${code}` : `its process was ended by ${signal}`

const nullDevice = (): number | undefined => {
  try {
    return openSync(devNull, "r+")
  } catch {
    return undefined
  }
}

export const startWorker = ({ life, note, program, state, memoryMb }: WorkerOptions): HandlerWorker => {
  const files = noiseFiles(state)
  const nothing = nullDevice()
  const child: ChildProcess = spawn(
    process.execPath,
    [`--max-old-space-size=${memoryMb}`, program, String(process.pid), state],
    {
      stdio: descriptorsOf(files?.write ?? ["ignore", "ignore"], nothing ?? "ignore"),
      env: { ...process.env, ...(files ? { HOOKTAPE_NOISE: files.prefix } : {}) },
      // A group of its own: what a handler started is ended with it.
      detached: true,
      windowsHide: true
    }
  )
  for (const descriptor of files?.write ?? []) closeSync(descriptor)
  if (nothing !== undefined) closeSync(nothing)
  const mailbox = makeMailbox<FromWorker>((withinMs) => {
    leave("late", notWithin(withinMs))
    kill()
  })
  const sizeOf = (stream: 0 | 1): number => {
    try {
      return files ? fstatSync(files.read[stream]).size : 0
    } catch {
      return 0
    }
  }
  /** Where the words of this handler begin: those before it are told. */
  let told: readonly [number, number] = [0, 0]
  const lastOf = (stream: 0 | 1): string => (files ? tail(files.read[stream], told[stream]) : "")
  const leave = (reason: WorkerGone["reason"], message: string) => {
    if (mailbox.isEnded()) return
    mailbox.end(new WorkerGone(reason, message, lastOf(1), lastOf(0)))
    life?.ended(message)
    channel?.close()
    if (!files) return
    for (const descriptor of files.read) closeSync(descriptor)
    for (const stream of [1, 2]) {
      try {
        unlinkSync(`${files.prefix}.${stream}`)
      } catch {
        // The process took them away itself, as it should.
      }
    }
  }
  const kill = () => {
    const { pid } = child
    try {
      if (pid !== undefined && process.platform !== "win32") process.kill(-pid, "SIGKILL")
      else child.kill("SIGKILL")
    } catch {
      child.kill("SIGKILL")
    }
  }
  const spoilt = (why: string) => {
    const problem = `the channel to its process was spoilt: ${why}`
    note?.(`process ${child.pid} of handlers: ${problem}`)
    leave("ended", problem)
    kill()
  }
  life?.started(child.pid)
  const socket = child.stdio[channelDescriptor as 3] as Socket | null | undefined
  const channel =
    socket &&
    openChannel(socket, {
      message: (said) => {
        const message = checkMessage(said)
        if (message === undefined) return spoilt("a message is none that it may send")
        mailbox.put(message)
      },
      spoilt
    })
  child.on("error", (error) => leave("ended", error.message))
  child.on("exit", (code, signal) => leave("ended", ending(code, signal)))
  // The host lives as long as it serves, not as long as an idle process of its own.
  child.unref()
  socket?.unref()
  return {
    ...(life === undefined ? {} : { life }),
    pid: child.pid,
    send: (message) => {
      if (mailbox.isEnded()) return
      if (message.type !== "release") told = [sizeOf(0), sizeOf(1)]
      channel?.send(message)
    },
    next: mailbox.next,
    kill: () => {
      leave("ended", "it was ended")
      kill()
    },
    isGone: mailbox.isEnded,
    noiseBytes: () => (mailbox.isEnded() ? 0 : sizeOf(0) + sizeOf(1))
  }
}
