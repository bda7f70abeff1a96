/** The jobs that are not over yet, folded from their facts: which may begin, which wait and until when, and who runs the others. */
import type { AnyMachineSnapshot } from "xstate"
import type { JobFact } from "../../events/facts.ts"
import type { FactId, JobId } from "../../events/ids.ts"
import type { Marks, Recorded } from "../../events/Recorded.ts"
import { type JobCommand, type JobContext, job as machine, type Owner } from "../../machines/job.ts"
import { evolve, start } from "../../machines/step.ts"

/** One job as far as its facts were seen. */
export interface OpenJob {
  readonly job: JobId
  readonly stream: string
  readonly version: number
  /** Position of the fact that made it ask for its command. */
  readonly since: number
  /** When it came to its state, milliseconds since 1970. */
  readonly movedAt: number
  readonly enqueuedAt: number
  readonly cause: FactId
  readonly marks: Marks
  readonly snapshot: AnyMachineSnapshot
  /** What the machine asks for where the job stands; a job that asks for nothing is over. */
  readonly command: JobCommand | undefined
}

export const contextOf = ({ snapshot }: Pick<OpenJob, "snapshot">): JobContext =>
  snapshot.context as JobContext

export const ownerOf = (open: OpenJob): Owner | undefined => contextOf(open).owner

/** The next fact of a job. One that its state refuses, or that no build of this version knows, changes nothing but the version. */
export const follows = (open: OpenJob | undefined, recorded: Recorded): OpenJob => {
  const { agent, agentEvent, at, event, id, position, project, session, stream, toolUseId, version } =
    recorded
  const snapshot = open?.snapshot ?? start(machine).snapshot
  const step = recorded.known ? evolve(machine, snapshot, recorded.data as JobFact) : undefined
  const moved = step !== undefined && !step.refused
  return {
    job: stream.slice("job/".length) as JobId,
    stream,
    version,
    movedAt: open === undefined || (step && snapshot.value !== step.snapshot.value) ? at : open.movedAt,
    since: moved ? position : (open?.since ?? position),
    enqueuedAt: open?.enqueuedAt ?? position,
    cause: id,
    marks: open?.marks ?? { agent, agentEvent, event, session, project, toolUseId },
    snapshot: step?.snapshot ?? snapshot,
    command: moved ? step?.command : open?.command
  }
}

/** Whether what is asked for is the same, though a fact came in between that said so again. */
const isSame = (one: JobCommand | undefined, other: JobCommand | undefined): boolean => {
  if (one?.type === "START") return other?.type === "START" && one.attempt === other.attempt
  if (one?.type !== "WAIT") return one === other
  return other?.type === "WAIT" && one.attempt === other.attempt && one.until === other.until
}

/** Of jobs with one key, one runs at a time; a job without one has only itself to wait for. */
const laneOf = (open: OpenJob): string => {
  const key = contextOf(open).enqueued?.key
  return key === undefined ? open.stream : `key ${key}`
}

const put = (lanes: Map<string, Set<string>>, lane: string, stream: string): void => {
  const there = lanes.get(lane)
  if (there === undefined) lanes.set(lane, new Set([stream]))
  else there.add(stream)
}

const take = (lanes: Map<string, Set<string>>, lane: string, stream: string): void => {
  const there = lanes.get(lane)
  there?.delete(stream)
  if (there?.size === 0) lanes.delete(lane)
}

/** Told of each fact that was taken in, and of the job as it stood before. */
export type JobObserver = (before: OpenJob | undefined, recorded: Recorded) => void

export const makeOpenJobs = (observe: JobObserver = () => undefined) => {
  const jobs = new Map<string, OpenJob>()
  /** What may begin, in the order in which it came to that. */
  const ready = new Map<string, Set<string>>()
  const running = new Map<string, Set<string>>()
  const waiting = new Map<string, number>()
  /** No waiting job is due before. */
  let earliest = Number.POSITIVE_INFINITY

  const forget = (open: OpenJob): void => {
    const lane = laneOf(open)
    jobs.delete(open.stream)
    take(ready, lane, open.stream)
    take(running, lane, open.stream)
    waiting.delete(open.stream)
  }

  /** Puts a job where its command belongs. */
  const set = (open: OpenJob): void => {
    const before = jobs.get(open.stream)
    const { command } = open
    // It keeps its place among those of its lane.
    if (before && isSame(before.command, command)) {
      jobs.set(open.stream, open)
      return
    }
    if (before) forget(before)
    if (command === undefined) return
    jobs.set(open.stream, open)
    if (command.type === "START") put(ready, laneOf(open), open.stream)
    else if (command.type === "WAIT") {
      waiting.set(open.stream, command.until)
      earliest = Math.min(earliest, command.until)
    } else put(running, laneOf(open), open.stream)
  }

  const wake = (now: number): void => {
    if (earliest > now) return
    earliest = Number.POSITIVE_INFINITY
    for (const [stream, until] of waiting) {
      if (until > now) earliest = Math.min(earliest, until)
      else {
        waiting.delete(stream)
        put(ready, laneOf(jobs.get(stream) as OpenJob), stream)
      }
    }
  }

  return {
    get: (stream: string): OpenJob | undefined => jobs.get(stream),
    set,
    /** Takes the next fact of a job in. False where facts before it were not seen. */
    apply: (recorded: Recorded): boolean => {
      const open = jobs.get(recorded.stream)
      if (open === undefined && recorded.version !== 1) return false
      if (open !== undefined && recorded.version <= open.version) return true
      if (open !== undefined && recorded.version !== open.version + 1) return false
      set(follows(open, recorded))
      observe(open, recorded)
      return true
    },
    /** The next job that may begin and is not among those spoken for; lanes take turns. */
    next: (now: number, isTaken: (open: OpenJob) => boolean): OpenJob | undefined => {
      wake(now)
      for (const [lane, streams] of ready) {
        const [stream = ""] = streams
        const open = jobs.get(stream)
        // The first of its lane may have been chosen and not have begun on the log yet: the others wait for it.
        if (open === undefined || running.has(lane) || isTaken(open)) continue
        ready.delete(lane)
        ready.set(lane, streams)
        return open
      }
      return undefined
    },
    /** Whether another job with its key had begun before. */
    isBarred: (open: OpenJob): boolean =>
      [...(running.get(laneOf(open)) ?? [])].some(
        (stream) => stream !== open.stream && (jobs.get(stream)?.since ?? 0) < open.since
      ),
    /** Those that run somewhere, or were left between their last failure and their end. */
    begun: (): readonly OpenJob[] =>
      [...running.values()].flatMap((streams) => [...streams].flatMap((stream) => jobs.get(stream) ?? [])),
    /** When the next waiting job is due. */
    dueAt: (): number => earliest,
    /** Every job enqueued below this position is over. */
    floor: (seen: number): number => {
      let floor = seen
      for (const { enqueuedAt } of jobs.values()) floor = Math.min(floor, enqueuedAt - 1)
      return floor
    },
    /** How many run, here or elsewhere. */
    running: (): number => [...running.values()].reduce((total, { size }) => total + size, 0),
    counts: () => {
      const sum = (lanes: Map<string, Set<string>>) =>
        [...lanes.values()].reduce((total, { size }) => total + size, 0)
      return { queued: sum(ready), running: sum(running), waiting: waiting.size }
    },
    values: () => jobs.values()
  }
}
