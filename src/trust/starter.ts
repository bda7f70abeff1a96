/**
 * The native starter: a small program beside this process that starts commands for it. Node needs several times as long for that, the longer
 * the larger it is. `src/programs/starter/starter.c` is the other side of what is said here.
 */
import type { ChildProcess } from "node:child_process"
import type { Socket } from "node:net"
import { dirname } from "node:path"
import { nativeProgram } from "../state/nativeProgram.ts"
import { unrefOwn } from "./ownTimer.ts"
import {
  type ProcessListener,
  type ProcessRequest,
  type StartedProcess,
  type StartProcess,
  startWithNode
} from "./startProcess.ts"

/** As they are before any hook is loaded. */
const later = setTimeout
const cancel = clearTimeout
const { alloc, byteLength, concat, from } = Buffer

/** The length counts what follows it: a kind, the command's number, and what the kind brings. */
const lengthBytes = 4
const headBytes = 5
const kinds = { run: "r", end: "e", leave: "l" } as const
/** What else is told says that nothing was started. */
const told = { stdout: "o", stderr: "w", exited: "x", closed: "c" } as const
type Asked = (typeof kinds)[keyof typeof kinds]
/** A quarter of what the starter takes: larger input is Node's to hand over. */
const longestInput = 16 * 1024 * 1024
const noCode = 0xff_ff_ff_ff

const frameOf = (kind: Asked, number: number, rest: Buffer = alloc(0)): Buffer => {
  const head = alloc(lengthBytes + headBytes)
  head.writeUInt32LE(headBytes + rest.length)
  head.write(kind, lengthBytes, "latin1")
  head.writeUInt32LE(number, lengthBytes + 1)
  return concat([head, rest])
}

const texts = (all: readonly string[]): string => all.map((one) => `${one}\0`).join("")

/** Undefined where the starter cannot be told: Node says what is wrong with it. */
const requestOf = ({ args, cwd, environment, input, program }: ProcessRequest): Buffer | undefined => {
  const words = [program, ...args]
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const all = [cwd, ...words, ...variables]
  if (program === "" || all.some((text) => text.includes("\0")) || byteLength(input) > longestInput)
    return undefined
  const counts = alloc(8)
  counts.writeUInt32LE(words.length)
  counts.writeUInt32LE(variables.length, 4)
  return concat([counts, from(texts(all), "utf8"), from(input, "utf8")])
}

interface Run {
  readonly request: ProcessRequest
  readonly listener: ProcessListener
  isExited: boolean
  /** Where the starter could not begin it. */
  byNode?: StartedProcess
  isEnded: boolean
}

interface Heard {
  readonly kind: string
  readonly number: number
  readonly rest: Buffer
}

/** Takes what comes in whatever pieces. */
const makeReader = (hear: (heard: Heard) => void) => {
  let pieces: Buffer = alloc(0)
  return (data: Buffer): void => {
    pieces = pieces.length === 0 ? data : concat([pieces, data])
    let at = 0
    while (pieces.length - at >= lengthBytes) {
      const length = pieces.readUInt32LE(at)
      const start = at + lengthBytes
      if (pieces.length - start < length) break
      at = start + length
      hear({
        kind: pieces.toString("latin1", start, start + 1),
        number: pieces.readUInt32LE(start + 1),
        rest: pieces.subarray(start + headBytes, at)
      })
    }
    pieces = pieces.subarray(at)
  }
}

interface Serving {
  readonly pid: number | undefined
  readonly start: StartProcess
}

/** `ended` hears that it is gone, with what it had started, and whether that was because nobody asked for anything. */
const serve = (child: ChildProcess, idleMs: number, ended: (isIdle: boolean) => void): Serving => {
  // Pipes of a child are sockets, which Node's types do not say.
  const [stdin, stdout] = [child.stdin as Socket, child.stdout as Socket]
  const runs = new Map<number, Run>()
  let count = 0
  let isOver = false
  const ask = (kind: Asked, number: number, rest?: Buffer): void =>
    void stdin.write(frameOf(kind, number, rest))
  let idle: NodeJS.Timeout | undefined
  /** Of itself it is no reason for this process to go on. */
  const rest = (): void => {
    if (isOver) return
    stdout.unref()
    cancel(idle)
    idle = unrefOwn(later(() => over(true), idleMs))
  }
  const remember = (number: number, run: Run): void => {
    cancel(idle)
    runs.set(number, run)
    stdout.ref()
  }
  const forget = (number: number): boolean => {
    const isKnown = runs.delete(number)
    if (runs.size === 0) rest()
    return isKnown
  }
  const hear = ({ kind, number, rest }: Heard): void => {
    const run = runs.get(number)
    if (run === undefined) return
    const { listener, request } = run
    if (kind === told.stdout) listener.output("stdout", rest)
    else if (kind === told.stderr) listener.output("stderr", rest)
    else if (kind === told.exited) {
      const code = rest.readUInt32LE()
      run.isExited = true
      listener.exited(code === noCode ? null : code)
    } else {
      forget(number)
      if (kind === told.closed) listener.closed()
      else {
        // It could not: what is wrong is for Node to find out and to say.
        run.byNode = startWithNode(request, listener)
        if (run.isEnded) run.byNode.end()
      }
    }
  }
  const over = (isIdle: boolean): void => {
    if (isOver) return
    isOver = true
    cancel(idle)
    const left = [...runs.values()]
    runs.clear()
    ended(isIdle)
    stdin.end()
    for (const { isExited, listener } of left) {
      if (!isExited) listener.exited(null)
      listener.closed()
    }
  }
  const lost = (): void => over(false)
  stdout.on("data", makeReader(hear))
  stdout.on("close", lost)
  for (const stream of [stdin, stdout]) stream.on("error", lost)
  child.on("error", lost)
  child.on("exit", lost)
  child.unref()
  stdin.unref()
  rest()

  const start: StartProcess = (request, listener) => {
    const asked = isOver ? undefined : requestOf(request)
    if (asked === undefined) return startWithNode(request, listener)
    const number = ++count
    const run: Run = { request, listener, isExited: false, isEnded: false }
    remember(number, run)
    ask(kinds.run, number, asked)
    return {
      end: () => {
        run.isEnded = true
        if (run.byNode !== undefined) run.byNode.end()
        else if (runs.has(number)) ask(kinds.end, number)
      },
      leave: () => {
        if (run.byNode !== undefined) run.byNode.leave()
        else if (forget(number)) ask(kinds.leave, number)
      }
    }
  }
  return { pid: child.pid, start }
}

export interface Starter {
  readonly start: StartProcess
  /** Of the process that runs beside this one. */
  readonly pid: () => number | undefined
}

export interface StarterOptions {
  /** From the first command to the starter's begin, which is not on that command's time. */
  readonly afterMs?: number
  /** Of one that nobody asks: it ends, and begins anew with the next command. */
  readonly idleMs?: number
}

/** The compiled starter for this machine, where a program of this package lies. */
export const starterBeside = (program: string): string => nativeProgram(dirname(program), "starter")

/**
 * Begins after the first command: starting the starter is itself a start, and most processes never have another. Where it cannot be had
 * or is gone, Node starts what is asked for.
 */
export const makeStarter = (
  file: string,
  { afterMs = 50, idleMs = 60_000 }: StarterOptions = {}
): Starter => {
  let serving: Serving | undefined
  let isBegun = false
  const begin = (): void => {
    const { spawn } = process.getBuiltinModule("node:child_process")
    const child = spawn(file, [], {
      cwd: "/",
      env: {},
      stdio: ["pipe", "pipe", "ignore"],
      // It outlives this process by as long as it takes to end what it started.
      detached: true,
      windowsHide: true
    })
    serving = serve(child, idleMs, (isIdle) => {
      serving = undefined
      // One that ended by itself would do so again.
      isBegun = !isIdle
    })
  }
  return {
    start: (request, listener) => {
      if (serving !== undefined) return serving.start(request, listener)
      if (!isBegun) unrefOwn(later(begin, afterMs))
      isBegun = true
      return startWithNode(request, listener)
    },
    pid: () => serving?.pid
  }
}
