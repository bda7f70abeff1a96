/** The thread that works for the host: see thread.ts. */
import { AsyncLocalStorage } from "node:async_hooks"
import { parentPort } from "node:worker_threads"
import * as Micro from "effect/Micro"
import { loadBundle, shareAlike } from "../../runtime/builds/loadBundle.ts"
import { onlyOurs } from "../../runtime/dispatch/hooksFor.ts"
import { type LocalHandling, makeHandling } from "../../runtime/handling.ts"
import { noNoise } from "../../runtime/noise.ts"
import { withinHost } from "../../runtime/startHost.ts"
import { unwatched } from "../../runtime/watchdog.ts"
import { type Environment, provideEnvironment } from "../../state/callEnvironment.ts"
import { messageOf } from "../../state/messageOf.ts"
import { makeStarter, starterBeside } from "../../trust/starter.ts"
import { startProcessesBy } from "../../trust/startProcess.ts"
import { makeCompaction } from "./compactHeap.ts"
import { leasedWorld } from "./leasedWorld.ts"
import type { FromWorker, Lease, StoreNote, ToWorker } from "./messages.ts"
import type { FromThread, ToThread } from "./threadMessages.ts"

const [, program = "", state = ""] = process.argv
const port = parentPort
if (port === null) throw new Error("this is a thread of the host's")

const environments = new AsyncLocalStorage<Environment>()
provideEnvironment(() => environments.getStore())
startProcessesBy(makeStarter(starterBeside(program)).start)
onlyOurs()
withinHost()
shareAlike()

interface Seat {
  readonly environment: Environment
  readonly handling: LocalHandling
}

const seats = new Map<number, Seat>()

const compact = makeCompaction()
let isToCompact = false
/** What a job made is collected when it is done, not while it runs. */
const compactOnceIdle = (): void => {
  if (!isToCompact || seats.size > 0) return
  isToCompact = false
  compact()
}

const post = (message: FromThread): void => port.postMessage(message)
const send = (seat: number, message: FromWorker): void => post({ type: "from", seat, message })

const begin = (seat: number, lease: Lease): void => {
  const bundle = loadBundle(lease.bundle)
  const world = leasedWorld(lease, bundle, state)
  const handling = makeHandling({
    ...world,
    ranIn: { kind: "thread", pid: process.pid },
    // The plan was made where the call is answered, with all that its session brings.
    forSession: undefined,
    registry: bundle.registry,
    noise: noNoise,
    // What is ended half-way through the loading of a module leaves that module broken for whoever comes after. The host gives up at the
    // deadline by itself, and a thread that does nothing any more is ended as a whole.
    watch: unwatched,
    isolation: { attribute: (_, work) => work(), release: () => undefined }
  })
  const payload = JSON.parse(lease.text) as Record<string, never>
  handling.take({ text: lease.text, decoded: world.adapter.decode(lease.agentEvent, payload) })
  handling.resume(lease.handlers ?? [])
  seats.set(seat, { environment: lease.environment, handling })
}

const remember = async (seat: number, { note }: StoreNote): Promise<void> => {
  const { storeNote } = await import("../../features/notes/storeNote.ts")
  const stored = await storeNote({ ...note, state })
  const result = "refused" in stored ? { refusedBy: stored.refused.handler } : { note: stored.note.note }
  send(seat, { type: "stored", result })
}

const receive = async (seat: number, message: ToWorker): Promise<void> => {
  try {
    if (message.type === "lease") return begin(seat, message)
    if (message.type === "note") return await remember(seat, message)
    if (message.type === "release") {
      seats.delete(seat)
      return send(seat, { type: "released", facts: [], goodFor: "any" })
    }
    const there = seats.get(seat)
    if (there === undefined) throw new Error("there is no invocation to handle")
    send(seat, { type: "facts", facts: await Micro.runPromise(there.handling.interpret(message.command)) })
  } catch (error) {
    send(seat, { type: "failed", message: messageOf(error) })
  }
}

const environmentOf = (seat: number, message: ToWorker): Environment =>
  message.type === "lease" || message.type === "note"
    ? message.environment
    : (seats.get(seat)?.environment ?? process.env)

port.on("message", (message: ToThread) => {
  switch (message.type) {
    case "alive":
      return post({ type: "alive" })
    case "compact":
      isToCompact = true
      return compactOnceIdle()
    case "leave":
      seats.get(message.seat)?.handling.abandon()
      seats.delete(message.seat)
      return compactOnceIdle()
    case "for":
      return environments.run(environmentOf(message.seat, message.message), () => {
        void receive(message.seat, message.message)
      })
  }
})
// Whatever a hook of ours left behind ends no other's work.
for (const event of ["uncaughtException", "unhandledRejection"] as const)
  process.on(event, (error: unknown) => post({ type: "trouble", problem: messageOf(error) }))
