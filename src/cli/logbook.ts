/** The log as commands ask for it: what was spooled is taken in first, so that whatever happened is there. */
import { randomBytes } from "node:crypto"
import { join, resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { ownEvents } from "../../events/agentEvents.ts"
import type { OperatorFact } from "../../events/facts.ts"
import { type FactId, type InvocationId, uuidv7 } from "../../events/ids.ts"
import { type Draft, noMarks, type Recorded } from "../../events/Recorded.ts"
import { schemaVersion } from "../../events/schemaVersion.ts"
import { type Checkpoint, checkpointsIn, checkpointTypes } from "../checkpoints/Checkpoint.ts"
import { evidenceIn, evidenceTypes, type LogEvidence, mostEvidence } from "../checkpoints/evidence.ts"
import { probeSession } from "../entry/probe.ts"
import { jobStream } from "../jobs/enqueue.ts"
import { type Job, jobsIn } from "../jobs/Job.ts"
import { retryJob } from "../jobs/retryJob.ts"
import { callOf, replacedBy } from "../log/calls.ts"
import { EventLog, type EventLogError, type Filter, type Stats } from "../log/EventLog.ts"
import { ingest } from "../log/ingest.ts"
import { messageOf } from "../log/messageOf.ts"
import { redact } from "../log/redact.ts"
import { layerSqlite } from "../log/SqliteLog.ts"
import { openSpool } from "../log/spoolWriter.ts"
import { installationId, openState } from "../log/state.ts"
import { upkeep } from "../log/upkeep.ts"
import { type Note, notesIn, noteTypes } from "../notes/Note.ts"
import type { Hit, Wanted } from "../search/find.ts"
import { searchLog } from "../search/searchLog.ts"
import { CliError } from "./CliError.ts"
import { findPlaces } from "./places.ts"
import { type Candidate, resolveRef } from "./refs.ts"

export interface Query {
  readonly invocation?: string
  readonly session?: string
  /** The canonical name or the agent's own. */
  readonly event?: string
  readonly agent?: string
  readonly project?: string
  readonly types?: readonly string[]
  /** Milliseconds since 1970. */
  readonly since?: number
  /** Only the newest so many. */
  readonly last?: number
}

export interface LogbookShape {
  readonly read: (query: Query) => Stream.Stream<Recorded, EventLogError>
  /** What is there, then what comes, until interrupted. */
  readonly follow: (query: Query) => Stream.Stream<Recorded, unknown>
  /** The facts of one invocation, in order. */
  readonly invocation: (id: string) => Effect.Effect<readonly Recorded[], EventLogError>
  /** The invocation that took the place of this one, where one did. */
  readonly answeredBy: (facts: readonly Recorded[]) => Effect.Effect<string | undefined, EventLogError>
  /** Every invocation, in order. */
  readonly candidates: Effect.Effect<readonly Candidate[], EventLogError>
  /** Every job, in the order in which they were enqueued. */
  readonly jobs: Effect.Effect<readonly Job[], EventLogError>
  /** Those of these, where they are on the log. */
  readonly jobsNamed: (ids: readonly string[]) => Effect.Effect<readonly Job[], EventLogError>
  /** Has a job tried again. False where it is neither dead nor waiting. */
  readonly retry: (job: string) => Effect.Effect<boolean, EventLogError>
  /** Every note, in the order in which they were stored. */
  readonly notes: Effect.Effect<readonly Note[], EventLogError>
  /** Every checkpoint of a project, in order, those that were refused among them. */
  readonly checkpoints: (project: string) => Effect.Effect<readonly Checkpoint[], EventLogError>
  /** What the log says of a project's work since its last checkpoint. */
  readonly evidence: (project: string) => Effect.Effect<LogEvidence, EventLogError>
  /** Past material that fits, best first. */
  readonly search: (wanted: Wanted) => Effect.Effect<readonly Hit[], CliError>
  readonly stats: Effect.Effect<Stats, EventLogError>
  readonly resolve: (ref: string) => Effect.Effect<string, EventLogError | CliError>
}

export class Logbook extends Context.Tag("hooktape/Logbook")<Logbook, LogbookShape>() {}

const filterOf = ({ invocation, agent, project, types, since }: Query): Filter => ({
  ...(invocation === undefined ? {} : { invocation }),
  ...(agent === undefined ? {} : { agent }),
  ...(project === undefined ? {} : { project: resolve(project) }),
  ...(types === undefined ? {} : { types }),
  ...(since === undefined ? {} : { since })
})

/**
 * Session and event are known from the payload on: what came before it in an invocation waits for it, so that an invocation is
 * shown from its first fact or not at all.
 */
const bySubject = (session: string | undefined, event: string | undefined) => {
  const held = new Map<string, Recorded[]>()
  const matches = (fact: Recorded): boolean =>
    (session === undefined || fact.session === session) &&
    (event === undefined || fact.event === event || fact.agentEvent === event)
  return (fact: Recorded): readonly Recorded[] => {
    const early = fact.type === "INVOCATION_OPENED" || (fact.type === "NOISE_CAPTURED" && fact.event === null)
    if (early && !matches(fact)) {
      held.set(fact.stream, [...(held.get(fact.stream) ?? []), fact])
      return []
    }
    const before = held.get(fact.stream) ?? []
    held.delete(fact.stream)
    return matches(fact) ? [...before, fact] : []
  }
}

const narrowed = <E>(
  { session, event }: Query,
  facts: Stream.Stream<Recorded, E>
): Stream.Stream<Recorded, E> =>
  session === undefined && event === undefined ? facts : Stream.mapConcat(facts, bySubject(session, event))

const candidateOf = ({ stream, at, agent, agentEvent }: Recorded): Candidate => ({
  invocation: stream.slice("invocation/".length),
  at,
  agent,
  agentEvent
})

/** Without what commands and handlers made of themselves; all there is where nothing else is there. */
const agentsOwn = (found: readonly Candidate[], probes: ReadonlySet<string>): readonly Candidate[] => {
  const isOwn = ({ agent, agentEvent }: Candidate): boolean =>
    agent === "raw" && (ownEvents as readonly (string | null)[]).includes(agentEvent)
  const left = found.filter((one) => !isOwn(one) && !probes.has(one.invocation))
  return left.length === 0 ? found : left
}

/** The two invocations of one call begin within the time a host is waited for; clocks are set. */
const apartMs = 86_400_000

/** How long what was spooled may lie there while someone looks on. */
const between = "200 millis"

const make = Effect.fn("cli.logbook")(function* (state: string) {
  const log = yield* EventLog
  const takeIn = ingest(state, installationId(state)).pipe(Effect.provideService(EventLog, log))
  yield* takeIn
  yield* upkeep(state, installationId(state)).pipe(Effect.provideService(EventLog, log))

  const read = (query: Query): Stream.Stream<Recorded, EventLogError> => {
    const facts = narrowed(query, log.read(filterOf(query)))
    return query.last === undefined ? facts : Stream.takeRight(facts, query.last)
  }

  const candidates = log.read({ types: ["INVOCATION_OPENED"] }).pipe(
    Stream.map(candidateOf),
    Stream.runCollect,
    Effect.map((found) => [...found])
  )

  const probes = log.read({ session: probeSession, types: ["PAYLOAD_BUFFERED"] }).pipe(
    Stream.map(({ stream }) => stream.slice("invocation/".length)),
    Stream.runCollect,
    Effect.map((found) => new Set(found))
  )

  return {
    read,
    follow: (query) => {
      const live = narrowed(query, log.follow(0, filterOf(query)))
      const later =
        query.last === undefined
          ? live
          : Stream.unwrap(
              Effect.map(log.stats, ({ last }) =>
                Stream.concat(read(query), narrowed(query, log.follow(last, filterOf(query))))
              )
            )
      return Stream.merge(
        later,
        Stream.drain(Stream.fromEffect(Effect.repeat(takeIn, Schedule.spaced(between)))),
        { haltStrategy: "left" }
      )
    },
    invocation: (id) => Effect.map(Stream.runCollect(log.read({ invocation: id })), (found) => [...found]),
    answeredBy: Effect.fnUntraced(function* ([opened]: readonly Recorded[]) {
      const call = opened && callOf(opened)
      if (!opened || call === undefined) return undefined
      const others = yield* log.read({ types: ["INVOCATION_OPENED"], since: opened.at - apartMs }).pipe(
        Stream.filter((one) => callOf(one) === call),
        Stream.runCollect
      )
      return replacedBy(others).get(opened.stream)?.slice("invocation/".length)
    }),
    candidates,
    jobs: Effect.map(Stream.runCollect(log.read({ streamPrefix: jobStream("") })), jobsIn),
    jobsNamed: (ids) =>
      Effect.map(
        Effect.forEach(ids, (id) => Stream.runCollect(log.read({ stream: jobStream(id) }))),
        (found) => found.flatMap((facts) => jobsIn(facts))
      ),
    retry: (job) => retryJob(job, "operator").pipe(Effect.provideService(EventLog, log)),
    notes: Effect.map(Stream.runCollect(log.read({ types: noteTypes })), notesIn),
    checkpoints: (project) =>
      Effect.map(Stream.runCollect(log.read({ types: checkpointTypes, project })), checkpointsIn),
    evidence: (project) =>
      Effect.map(
        Stream.runCollect(log.read({ types: evidenceTypes, project, reverse: true, limit: mostEvidence })),
        (facts) => evidenceIn([...facts].reverse())
      ),
    search: (wanted) =>
      Effect.try({
        try: () => searchLog(join(state, "log.sqlite"), wanted),
        catch: (cause) =>
          new CliError({
            what: "search",
            reason: messageOf(cause),
            remedy: 'Run "hooktape doctor".',
            cause
          })
      }),
    stats: log.stats,
    resolve: (ref) =>
      Effect.gen(function* () {
        const found = yield* candidates
        const among = ref === "last" ? agentsOwn(found, yield* probes) : found
        return yield* Either.match(resolveRef(ref, among), { onLeft: Effect.fail, onRight: Effect.succeed })
      })
  } satisfies LogbookShape
})

/** A log that nobody has written yet is an empty one. */
const source = (state: string): Effect.Effect<string, CliError> =>
  Effect.try({
    try: () => installationId(openState(state)),
    catch: (cause) =>
      new CliError({
        what: "the log cannot be opened",
        reason: messageOf(cause),
        remedy: "Check the state directory, or point HOOKTAPE_HOME at another.",
        cause
      })
  })

/** Opens the log of this user for one command. */
export const withLogbook = <A, E, R>(effect: Effect.Effect<A, E, R | Logbook>) =>
  Effect.suspend(() => {
    const { state } = findPlaces()
    const log = Layer.unwrapEffect(
      Effect.map(source(state), (id) => layerSqlite({ file: join(state, "log.sqlite"), source: id }))
    )
    return Effect.provide(effect, Layer.effect(Logbook, make(state)).pipe(Layer.provide(log)))
  })

/** A fact about the installation itself, on its own stream. */
export const appendOperatorFact = Effect.fn("cli.appendOperatorFact")(function* (
  state: string,
  fact: OperatorFact
) {
  const at = yield* Clock.currentTimeMillis
  const draft: Draft<OperatorFact> = {
    ...noMarks,
    id: uuidv7(at, randomBytes(10)) as FactId,
    stream: `operator/${installationId(state)}`,
    type: fact.type,
    schemaVersion,
    at,
    cause: null,
    agent: "agent" in fact ? fact.agent : null,
    project: "project" in fact ? fact.project : null,
    data: fact
  }
  // By the spool, like every other fact: no database is opened for it, and readers take it in first.
  yield* Effect.try({
    try: () => {
      const spool = openSpool(state, uuidv7(at, randomBytes(10)) as InvocationId)
      spool.append(redact(draft))
      spool.close()
    },
    catch: (cause) =>
      new CliError({
        what: "not recorded",
        reason: messageOf(cause),
        remedy: 'Run "hooktape doctor".',
        cause
      })
  })
})
