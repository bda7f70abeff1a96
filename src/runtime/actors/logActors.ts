/** Actors as the log has them: each folded from its facts, as replay does it. */
import type { AnyMachineSnapshot } from "xstate"
import type { InvocationFact, JobFact } from "../../../events/facts.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { type AnyMachine, machineOf } from "../../../machines/machines.ts"
import { evolve, isFinal, start, stateOf } from "../../../machines/step.ts"
import type { ActorFrame, ActorView, Subject } from "./ActorView.ts"

const iso = (at: number): string => new Date(at).toISOString()

export interface LogActor {
  readonly stream: string
  readonly machine: AnyMachine
  readonly snapshot: AnyMachineSnapshot
  /** How many facts of its stream were seen. */
  readonly version: number
  /** When it came to its state, milliseconds since 1970. */
  readonly since: number
  readonly subject: Subject
}

/** What a fact tells of whom an actor is about. */
const subjectOf = ({ agent, agentEvent, data, project, session, type }: Recorded): Subject => {
  const name =
    type === "JOB_ENQUEUED"
      ? ((data as Extract<JobFact, { type: "JOB_ENQUEUED" }>).handler ?? null)
      : type === "PAYLOAD_BUFFERED"
        ? ((data as Extract<InvocationFact, { type: "PAYLOAD_BUFFERED" }>).tool?.name ?? null)
        : null
  return {
    ...(agent === null ? {} : { agent }),
    ...(agentEvent === null ? {} : { agentEvent }),
    ...(session === null ? {} : { session }),
    ...(project === null ? {} : { project }),
    ...(name === null ? {} : { name })
  }
}

/** The actor after its next fact, and the step as a frame. Undefined where no machine folds the stream. */
export const followed = (
  actor: LogActor | undefined,
  recorded: Recorded
): { readonly actor: LogActor; readonly frame: ActorFrame | undefined } | undefined => {
  const { at, known, stream, version } = recorded
  const machine = actor?.machine ?? machineOf(stream)
  if (machine === undefined) return undefined
  const before = actor?.snapshot ?? start(machine).snapshot
  const subject = { ...actor?.subject, ...(known ? subjectOf(recorded) : {}) }
  // What no build of this version knows moves nothing.
  if (!known) {
    const since = actor?.since ?? at
    return { actor: { stream, machine, snapshot: before, version, since, subject }, frame: undefined }
  }
  const fact = recorded.data as { readonly type: string }
  const { command, refused, snapshot } = evolve(machine, before, fact)
  const since = actor === undefined || before.value !== snapshot.value ? at : actor.since
  return {
    actor: { stream, machine, snapshot, version, since, subject },
    frame: {
      at: iso(at),
      stream,
      machine: machine.id,
      ...subject,
      fact: fact.type,
      before: stateOf(before),
      after: stateOf(snapshot),
      command: command?.type ?? null,
      refused
    }
  }
}

export const viewOf = ({ machine, since, snapshot, stream, subject }: LogActor): ActorView => ({
  stream,
  machine: machine.id,
  state: stateOf(snapshot),
  since: iso(since),
  ...subject
})

/** States in which nothing is left to do, though the machine could take up the actor again. */
const over: Readonly<Record<string, readonly string[]>> = { job: ["dead", "dropped"], session: ["ended"] }

/** Whether an actor is over for now. */
export const isOver = ({ machine, snapshot }: Pick<LogActor, "machine" | "snapshot">): boolean =>
  isFinal(snapshot) || (over[machine.id] ?? []).includes(stateOf(snapshot))

/** Every actor whose facts are among these, in the order of their first. */
export const actorsIn = (facts: Iterable<Recorded>): readonly LogActor[] => {
  const actors = new Map<string, LogActor>()
  for (const fact of facts) {
    const step = followed(actors.get(fact.stream), fact)
    if (step) actors.set(fact.stream, step.actor)
  }
  return [...actors.values()]
}
