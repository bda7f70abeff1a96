/** Handling where no code but our own can be asked, of shipped hooks and of commands: planned in the host, and run there where it is over at once. */
import * as Micro from "effect/Micro"
import type { InvocationFact, Planned } from "../../../events/facts.ts"
import { isInstant } from "../../features/instant.ts"
import { loadBundle, shareAlike } from "../../runtime/builds/loadBundle.ts"
import type { EntryOptions } from "../../runtime/builds/options.ts"
import { type Handling, makeHandling } from "../../runtime/handling.ts"
import { FallbackRequired } from "../../runtime/host/declined.ts"
import type { Isolation } from "../../runtime/isolate.ts"
import { noNoise } from "../../runtime/noise.ts"
import { started } from "../../runtime/start.ts"
import { unwatched, watched } from "../../runtime/watchdog.ts"
import { type Environment, provideEnvironment } from "../../state/callEnvironment.ts"
import { messageOf } from "../../state/messageOf.ts"
import { leasedWorld } from "./leasedWorld.ts"
import { makeRemoteHandling, type RemoteHandling, type RemoteOptions } from "./remoteHandling.ts"
import type { Workers } from "./workers.ts"

export interface HostOptions extends Omit<RemoteOptions, "workers"> {
  /** Where those of them run that take their time. */
  readonly atWork: Workers
  /** Where the guards of a session run that the build does not have. */
  readonly workers: Workers
  readonly state: string
}

/** Our own code throws into nobody's call but its own, and ends no process. */
const open: Isolation = { attribute: (_, work) => work(), release: () => undefined }

/** Of the call whose hook runs right now on this thread. */
let environment: Environment | undefined
provideEnvironment(() => environment)
shareAlike()

const within =
  (own: Environment) =>
  <A>(work: () => A): A => {
    const before = environment
    environment = own
    try {
      return work()
    } finally {
      environment = before
    }
  }

/** So many characters our own hooks read in a moment, whatever they are. */
const shortPayload = 4096

const loaded = (bundle: string): EntryOptions => {
  try {
    return loadBundle(bundle)
  } catch (error) {
    throw new FallbackRequired(messageOf(error))
  }
}

export const makeHostHandling = (options: HostOptions): Handling & Pick<RemoteHandling, "end"> => {
  const { atWork, elapsed, isDisconnected, lease, state, workers } = options
  /** The session began with a guard that only a process of its own may load. */
  let isLacking = false
  const bundle: EntryOptions = {
    ...loaded(lease.bundle),
    retain: () => () => {
      isLacking = true
      return { registered: [], complaints: [] }
    }
  }
  let text = ""
  const here = makeHandling({
    ...within(lease.environment)(() => leasedWorld(lease, bundle, state)),
    ranIn: { kind: "host", pid: process.pid },
    noise: noNoise,
    isolation: open,
    around: within(lease.environment),
    watch: (milliseconds, work) => (text.length > shortPayload ? watched : unwatched)(milliseconds, work)
  })
  let handlers: readonly Planned[] | undefined
  let away: RemoteHandling | undefined
  const awayFrom = (pool: Workers): RemoteHandling => {
    if (away) return away
    away = makeRemoteHandling({ ...options, workers: pool })
    if (handlers) away.resume(handlers)
    away.take({ text })
    return away
  }
  const planned = (facts: readonly InvocationFact[]): readonly InvocationFact[] => {
    handlers = facts.find((fact) => fact.type === "HANDLERS_PLANNED")?.handlers
    return facts
  }
  return {
    take: (taken) => {
      text = taken.text
      here.take(taken)
    },
    interpret: (command) => {
      if (away) return away.interpret(command)
      switch (command.type) {
        case "PLAN":
          return Micro.flatMap(here.interpret(command), (facts) =>
            isLacking ? awayFrom(workers).interpret(command) : Micro.succeed(planned(facts))
          )
        case "START_HANDLER":
          return started(
            command,
            () => lease.deadlineMs - elapsed(),
            () => (isDisconnected?.() ? "nobody waits for the answer any more" : undefined)
          )
        case "RUN_HANDLER":
          return isInstant(command.planned.source)
            ? here.interpret(command)
            : awayFrom(atWork).interpret(command)
      }
    },
    drainNoise: () => [],
    end: () => away?.end() ?? Promise.resolve()
  }
}
