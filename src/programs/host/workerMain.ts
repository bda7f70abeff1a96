/**
 * A process that runs handlers for the host, one invocation at a time: in the call's own directory and environment, with its
 * standard streams in files, so that whatever handlers do stays theirs.
 */
import { Socket } from "node:net"
import { Worker } from "node:worker_threads"
import * as Micro from "effect/Micro"
import type { InvocationFact } from "../../../events/facts.ts"
import { givesModules, loadBundle } from "../../runtime/builds/loadBundle.ts"
import { type HandlingHere, handleHere } from "../../runtime/handleHere.ts"
import { captureFiles, captureStreams, type Noise } from "../../runtime/noise.ts"
import { withinHost } from "../../runtime/startHost.ts"
import { messageOf } from "../../state/messageOf.ts"
import { makeStarter, starterBeside } from "../../trust/starter.ts"
import { startProcessesBy } from "../../trust/startProcess.ts"
import { joinChannel } from "./channel.ts"
import { exitProcess } from "./exitProcess.ts"
import { leasedWorld } from "./leasedWorld.ts"
import type { FromWorker, Lease, RunMessage, StoreNote, ToWorker } from "./messages.ts"
import { restoreProcess } from "./processState.ts"
import { channelDescriptor } from "./workerDescriptors.ts"
import { lookAtItself, watchModule } from "./workerHealth.ts"

withinHost()
givesModules(watchModule)

const send = (message: FromWorker): void => channel.send(message)

/** As it is before handlers are kept from it; a host may be gone before it has seen us begin, so it says who it is. */
const { kill } = process
const [, program = "", host = String(process.ppid), state] = process.argv

const starter = makeStarter(starterBeside(program))
startProcessesBy(starter.start)

/** With what handlers started, as the host would do it. */
const endGroup = (): void => {
  try {
    if (process.platform !== "win32") kill.call(process, -process.pid, "SIGKILL")
  } catch {
    // We lead no group: only we end.
  }
  exitProcess()
}

/** The host's end is seen by an event, unless a handler spins: then by this thread, which nothing of a handler can hold up. */
const watchParent = (): void => {
  const source = `
    const { platform, pid } = process
    setInterval(() => {
      if (process.ppid === ${Number(host)}) return
      try {
        if (platform !== "win32") process.kill(-pid, "SIGKILL")
      } catch {}
      process.kill(pid, "SIGKILL")
    }, 1000)`
  // It writes nothing: neither are its streams led to ours, which would be made for that.
  new Worker(source, { eval: true, stdin: false, stdout: true, stderr: true }).unref()
}

/** The process's own streams, wherever a handler points them. */
const noise: Noise = (() => {
  const prefix = process.env["HOOKTAPE_NOISE"]
  delete process.env["HOOKTAPE_NOISE"]
  try {
    if (prefix !== undefined) return captureFiles(prefix)
  } catch {
    // The files are gone: what can still be kept apart is kept apart.
  }
  return captureStreams(process)
})()

const enter = ({ cwd, environment }: Pick<Lease, "cwd" | "environment">): void => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  for (const [name, value] of Object.entries(environment)) {
    if (process.env[name] !== value) process.env[name] = value
  }
  if (process.cwd() !== cwd) process.chdir(cwd)
  restoreProcess()
}

let current: HandlingHere | undefined

const begin = (lease: Lease): void => {
  // First: what a hook's file looks at when it is loaded is the call's, as in process.
  enter(lease)
  const world = leasedWorld(lease, loadBundle(lease.bundle), state)
  const { adapter } = world
  const { handling, release } = handleHere({ ...world, ranIn: { kind: "handler", pid: process.pid }, noise })
  const payload = JSON.parse(lease.text) as Record<string, never>
  handling.take({ text: lease.text, decoded: adapter.decode(lease.agentEvent, payload) })
  if (lease.handlers) handling.resume(lease.handlers)
  current = { handling, release }
}

const giveBack = (): void => {
  const facts = current?.handling.drainNoise() ?? []
  current?.release()
  current = undefined
  lookAtItself(starter.pid(), (goodFor) => send({ type: "released", facts, goodFor }))
}

const remember = async ({ environment, note }: StoreNote): Promise<void> => {
  if (state === undefined) throw new Error("there is no state directory")
  enter({ cwd: note.cwd, environment })
  const { storeNote } = await import("../../features/notes/storeNote.ts")
  const stored = await storeNote({ ...note, state })
  const result = "refused" in stored ? { refusedBy: stored.refused.handler } : { note: stored.note.note }
  send({ type: "stored", result })
}

/** Of a call without a plan, that: nothing else can come first. */
const answerTo = (message: Lease | RunMessage): Micro.Micro<readonly InvocationFact[]> | undefined => {
  if (message.type === "lease") begin(message)
  if (!current) throw new Error("there is no invocation to handle")
  const { handling } = current
  if (message.type === "lease") return message.handlers ? undefined : handling.interpret({ type: "PLAN" })
  return handling.interpret(message.command)
}

const receive = async (message: ToWorker): Promise<void> => {
  try {
    if (message.type === "release") return giveBack()
    if (message.type === "note") return await remember(message)
    const answer = answerTo(message)
    if (answer) send({ type: "facts", facts: await Micro.runPromise(answer) })
  } catch (error) {
    send({ type: "failed", message: messageOf(error) })
  }
}

watchParent()
const socket = new Socket({ fd: channelDescriptor, readable: true, writable: true })
// With the host, and where its words are not to be understood any more.
socket.on("close", endGroup)
const channel = joinChannel(socket, {
  joined: () => send({ type: "ready" }),
  message: (message) => void receive(message as ToWorker),
  spoilt: endGroup
})
