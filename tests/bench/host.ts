/** What the warm host can do: per call, at several connections, over HTTP, and what it needs of memory. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { Agent as KeepAlive, request } from "node:http"
import { createConnection } from "node:net"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { hostStatus } from "../../src/runtime/host/askHost.ts"
import { hostAddress } from "../../src/runtime/host/hostAddress.ts"
import { parseReply, requestFrame } from "../../src/runtime/host/wireProtocol.ts"
import { median } from "./interleave.ts"
import type { Others, Stage } from "./stage.ts"

export interface BenchHost {
  readonly child: ChildProcess
  readonly port: number | null
  readonly stop: () => Promise<void>
}

export const startHost = async ({ state, env }: Stage): Promise<BenchHost> => {
  const child = spawn(join(state, "bin", "host"), [], { env, stdio: "ignore" })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const { port } = await Effect.runPromise(Effect.retry(hostStatus(state), Schedule.spaced("10 millis")))
  return {
    child,
    port,
    stop: () => {
      child.kill("SIGTERM")
      return ended
    }
  }
}

/** With a program in the host's place that does nothing, the next call finds none again. What is returned puts it back. */
export const takeHostAway = ({ state }: Stage): (() => void) => {
  const file = join(state, "bin", "host")
  const script = readFileSync(file, "utf8")
  writeFileSync(file, "#!/bin/sh\n", { mode: 0o700 })
  return () => writeFileSync(file, script)
}

const tokenOf = (state: string): string => readFileSync(join(state, "run", "token"), "utf8")

/** One call over a connection of its own, as a client makes it; milliseconds until the answer is there. */
const exchange =
  (path: string, request: Buffer, isAnswer: (reply: Buffer) => boolean): (() => Promise<number>) =>
  () =>
    new Promise((resolve, reject) => {
      const began = performance.now()
      const socket = createConnection(path, () => socket.write(request))
      const got: Buffer[] = []
      socket.on("data", (data) => got.push(data))
      socket.on("error", reject)
      socket.on("end", () => {
        socket.end()
        if (isAnswer(Buffer.concat(got))) resolve(performance.now() - began)
        else reject(new Error("there was no answer"))
      })
    })

const overSocket = (stage: Stage, event: string, payload: Buffer): (() => Promise<number>) => {
  const { state, env, project } = stage
  const head = { token: tokenOf(state), agent: "claude-code", event, call: "", cwd: project, build: "" }
  return exchange(
    hostAddress(state).path,
    requestFrame(head, env, payload),
    (reply) => parseReply(reply)?.kind === 0
  )
}

/** What no host in Node can be faster than: a server that reads as much, does nothing and answers. */
const bareServer = (path: string, bytes: number): string => `
  const server = require("node:net").createServer({ allowHalfOpen: true }, (socket) => {
    let read = 0
    socket.on("data", (data) => (read += data.length) >= ${bytes} && socket.end("ok"))
    socket.on("error", () => undefined)
  })
  server.listen(${JSON.stringify(path)}, () => process.send("ready"))
  process.once("disconnect", () => process.exit())`

const withBareServer = async <A>(
  { home, env }: Stage,
  use: (call: () => Promise<number>) => Promise<A>
): Promise<A> => {
  const path = join(home, "bare.sock")
  const request = Buffer.alloc(4096, "x")
  const script = bareServer(path, request.length)
  const child = spawn(process.execPath, ["-e", script], {
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })
  try {
    await once(child, "message")
    return await use(exchange(path, request, (reply) => reply.toString() === "ok"))
  } finally {
    child.disconnect()
  }
}

const overHttp = (stage: Stage, port: number, payload: string): (() => Promise<number>) => {
  const agent = new KeepAlive({ keepAlive: true, maxSockets: 1 })
  const options = {
    agent,
    host: "127.0.0.1",
    port,
    path: "/v1/hooks/claude-code/PostToolUse",
    method: "POST",
    headers: {
      authorization: `Bearer ${readFileSync(join(stage.state, "run", "http-token"), "utf8").trim()}`,
      "content-type": "application/json"
    }
  }
  return () =>
    new Promise((resolve, reject) => {
      const began = performance.now()
      const sent = request(options, (answer) => {
        answer.on("data", () => undefined)
        answer.on("end", () =>
          answer.statusCode === 200
            ? resolve(performance.now() - began)
            : reject(new Error(`HTTP ${answer.statusCode}`))
        )
      })
      sent.on("error", reject)
      sent.end(payload)
    })
}

export interface Latency {
  readonly name: string
  readonly p50: number
  readonly p99: number
}

const inRow = async (
  name: string,
  call: () => Promise<number>,
  count: number,
  apartMs = 0
): Promise<Latency> => {
  for (let at = 0; at < count / 5; at++) await call()
  const times: number[] = []
  for (let at = 0; at < count; at++) {
    if (apartMs > 0) await new Promise((resolve) => setTimeout(resolve, apartMs))
    times.push(await call())
  }
  times.sort((a, b) => a - b)
  return { name, p50: median(times), p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN }
}

export interface Throughput {
  readonly connections: number
  readonly perSecond: number
}

const atOnce = async (
  call: () => Promise<number>,
  connections: number,
  count: number
): Promise<Throughput> => {
  let left = count
  const began = performance.now()
  const lane = async () => {
    while (left-- > 0) await call()
  }
  await Promise.all(Array.from({ length: connections }, lane))
  return { connections, perSecond: (count / (performance.now() - began)) * 1000 }
}

const residentMb = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

/** Of the processes that it started: those that run handlers. */
const largestChildMb = (pid: number | undefined): number =>
  Math.max(
    ...readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .trim()
      .split(" ")
      .map((child) => residentMb(Number(child)))
  )

export interface HostFigures {
  /** The same of a server that does nothing. */
  readonly bare: readonly Throughput[]
  readonly latencies: readonly Latency[]
  readonly throughput: readonly Throughput[]
  /** `worker`: of a process that runs handlers, after it has. */
  readonly memoryMb: {
    readonly idle: number
    readonly worker: number
    readonly after: number
    readonly calls: number
  }
}

const allAtOnce = [1, 8, 64]

/** `calls`: how many in all, for the memory after them. */
export const measureHost = async (stage: Stage, calls: number): Promise<HostFigures> => {
  const host = await startHost(stage)
  try {
    const idle = residentMb(host.child.pid)
    const bytes = Buffer.from(stage.payload(4096))
    const plain = overSocket(stage, "Notification", bytes)
    const guarded = overSocket(stage, "PreToolUse", bytes)
    const bare: Throughput[] = []
    const latencies = await withBareServer(stage, async (call) => {
      const latency = await inRow("a bare server in Node", call, 2000)
      for (const connections of allAtOnce) bare.push(await atOnce(call, connections, 4000))
      return [latency]
    })
    latencies.push(
      await inRow("socket, no handler", plain, 2000),
      await inRow("socket, one handler", guarded, 1000)
    )
    const worker = largestChildMb(host.child.pid)
    if (host.port !== null) {
      const http = overHttp(stage, host.port, stage.payload(4096))
      latencies.push(await inRow("HTTP, back to back", http, 1000))
      latencies.push(await inRow("HTTP, 20 ms apart", http, 100, 20))
    }
    const throughput: Throughput[] = []
    for (const connections of allAtOnce) throughput.push(await atOnce(plain, connections, 4000))
    const done = 16_000
    if (calls > done) await atOnce(plain, 8, calls - done)
    return {
      bare,
      latencies,
      throughput,
      memoryMb: { idle, worker, after: residentMb(host.child.pid), calls: Math.max(calls, done) }
    }
  } finally {
    await host.stop()
  }
}

/** The p50 of a call in milliseconds, and how much of it is the hooks that have nothing to say. */
export interface Crowd {
  readonly name: string
  readonly alone: number
  readonly among: number
}

/** Two hosts that take turns: one with the guard alone, one with a crowd around it. */
export const measureCrowd = async (
  makeStage: (others?: Others) => Stage,
  name: string,
  others: Others,
  count: number
): Promise<Crowd> => {
  const stages = [makeStage(), makeStage(others)]
  const hosts: BenchHost[] = []
  try {
    for (const stage of stages) hosts.push(await startHost(stage))
    const calls = stages.map((stage) => overSocket(stage, "PreToolUse", Buffer.from(stage.payload(4096))))
    const times: number[][] = calls.map(() => [])
    for (let round = -count / 5; round < count; round++) {
      for (const [at, call] of calls.entries()) {
        const took = await call()
        if (round >= 0) times[at]?.push(took)
      }
    }
    const [alone = Number.NaN, among = Number.NaN] = times.map((of) => median(of))
    return { name, alone, among }
  } finally {
    for (const host of hosts) await host.stop()
    for (const stage of stages) stage.remove()
  }
}
