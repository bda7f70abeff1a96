/** The log as commands ask for it: what was spooled is taken in first, so that whatever happened is there. */
import { join, resolve } from "node:path"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { invocationStream } from "../../../events/invocationOf.ts"
import { observedPrefix } from "../../../events/observedStream.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { type Checkpoint, checkpointsIn, checkpointTypes } from "../../features/checkpoints/Checkpoint.ts"
import {
  evidenceIn,
  evidenceTypes,
  type LogEvidence,
  maxEvidence
} from "../../features/checkpoints/evidence.ts"
import { askTimeline } from "../../features/timeline/catchUp.ts"
import { type Candidate, callsNamed, lastCall } from "../../features/timeline/find.ts"
import type { TranscriptFile } from "../../features/transcripts/findFiles.ts"
import type { Imported, ImportOptions } from "../../features/transcripts/importFile.ts"
import { callOf, replacedBy } from "../../history/calls.ts"
import type { Job } from "../../jobs/Job.ts"
import { type Damage, describeDamage } from "../../log/Damage.ts"
import { deniedBy } from "../../log/denied.ts"
import { EventLog, EventLogError, type EventLogShape, type Filter, type Stats } from "../../log/EventLog.ts"
import type { Asked } from "../../log/reader.ts"
import { type Shares, sharesOf } from "../../log/retainImported.ts"
import { layerSqlite } from "../../log/sqlite/SqliteLog.ts"
import { isFileDamage } from "../../log/sqlite/sqliteErrors.ts"
import type { ActorFrame, ActorView } from "../../runtime/actors/ActorView.ts"
import { jobStream } from "../../runtime/enqueue.ts"
import { type Note, noteFacts, notesIn } from "../../runtime/services/Note.ts"
import { messageOf } from "../../state/messageOf.ts"
import { installationId, openState } from "../../state/state.ts"
import type { Affected, Target } from "../../tools/forget/forget.ts"
import { type Backlog, backlogOf } from "../../tools/shipping/position.ts"
import type { Sink } from "../../tools/shipping/Sink.ts"
import { CliError } from "./CliError.ts"
import { ingestSpool, tellBusy, turns } from "./ingestSpool.ts"
import { findPlaces } from "./places.ts"
import { digitsOf, resolveRef } from "./refs.ts"
import { Screen } from "./Screen.ts"
import { unwritable } from "./unwritable.ts"

export interface Query {
  readonly invocation?: string
  readonly session?: string
  /** The canonical name or the agent's own. */
  readonly event?: string
  readonly agent?: string
  readonly project?: string
  readonly types?: readonly string[]
  /** Streams whose names begin so. */
  readonly streamPrefix?: string
  /** Milliseconds since 1970. */
  readonly since?: number
  /** Only the newest so many. */
  readonly last?: number
}

export interface LogbookShape {
  readonly read: (query: Query) => Stream.Stream<Recorded, EventLogError>
  /** Brings one transcript of an agent onto the log. */
  readonly importTranscript: (
    file: TranscriptFile,
    options: ImportOptions
  ) => Effect.Effect<Imported, EventLogError>
  /** Whether all of a transcript is on the log, as it is now. */
  readonly isImported: (file: TranscriptFile) => Effect.Effect<boolean, EventLogError>
  /** How the file is divided between what was recorded and what was imported; undefined where nothing was imported. */
  readonly shares: Effect.Effect<Shares | undefined, EventLogError>
  /** What is there, then what comes, until interrupted. */
  readonly follow: (query: Query) => Stream.Stream<Recorded, unknown>
  /** The facts of one invocation, in order. */
  readonly invocation: (id: string) => Effect.Effect<readonly Recorded[], EventLogError>
  /** What stands at this place of the log. */
  readonly factAt: (position: number) => Effect.Effect<Recorded | undefined, EventLogError>
  /** The invocation that took the place of this one, where one did. */
  readonly answeredBy: (facts: readonly Recorded[]) => Effect.Effect<string | undefined, EventLogError>
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
  /** The actors that are not over, as their facts say. */
  readonly actors: Effect.Effect<readonly ActorView[], EventLogError>
  /** The steps of all from now on, until interrupted. */
  readonly actorFrames: Stream.Stream<ActorFrame, unknown>
  readonly stats: Effect.Effect<Stats, EventLogError>
  /** What a sink has not got yet. */
  readonly unshipped: (sink: Sink) => Effect.Effect<Backlog, EventLogError>
  /** How many files of the spool are not on it, because another process writes it all the while; undefined where everything is. */
  readonly waiting: number | undefined
  /** What was not as it was recorded, of what was read so far. */
  readonly damage: () => readonly Damage[]
  /** `last` is the newest call in which a hook had something to say; where none had, the newest, and that is said. */
  readonly resolve: (ref: string) => Effect.Effect<string, EventLogError | CliError>
  /** What the timeline says, of all that was taken in. */
  readonly timeline: <A>(question: (db: Asked) => A) => Effect.Effect<A, EventLogError>
  /** Takes in what was spooled meanwhile. */
  readonly takeIn: Effect.Effect<void, unknown>
  /** Whether anything on the log is of this session. */
  readonly hasSession: (session: string) => Effect.Effect<boolean, EventLogError>
  /** What would go with it if it were forgotten. */
  readonly affectedBy: (target: Target) => Effect.Effect<readonly Affected[], EventLogError>
}

export class Logbook extends Context.Tag("hooktape/Logbook")<Logbook, LogbookShape>() {}

const filterOf = ({ invocation, agent, project, types, streamPrefix, since }: Query): Filter => ({
  ...(invocation === undefined ? {} : { invocation }),
  ...(agent === undefined ? {} : { agent }),
  ...(project === undefined ? {} : { project: resolve(project) }),
  ...(types === undefined ? {} : { types }),
  ...(streamPrefix === undefined ? {} : { streamPrefix }),
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

const hasSubject = ({ event, session }: Query): boolean => session !== undefined || event !== undefined

/** What is read for a query: with what may come before the payload also that, by which an invocation's subject is known. */
const soughtFor = (query: Query): Filter => {
  const { types = [] } = query
  const isEarly = types.includes("INVOCATION_OPENED") || types.includes("NOISE_CAPTURED")
  return filterOf(isEarly && hasSubject(query) ? { ...query, types: [...types, "PAYLOAD_BUFFERED"] } : query)
}

const narrowed = <E>(query: Query, facts: Stream.Stream<Recorded, E>): Stream.Stream<Recorded, E> => {
  if (!hasSubject(query)) return facts
  const { event, session, types } = query
  const about = Stream.mapConcat(facts, bySubject(session, event))
  return types === undefined ? about : Stream.filter(about, ({ type }) => types.includes(type))
}

/** The last ones from the end, and then in order: what came before them may be a million. */
const newest = (log: EventLogShape, filter: Filter, last: number): Stream.Stream<Recorded, EventLogError> =>
  log.read({ ...filter, reverse: true, limit: last }).pipe(
    Stream.runCollect,
    Effect.map((found) => Stream.fromChunk(Chunk.reverse(found))),
    Stream.unwrap
  )

/** The two invocations of one call begin within the time a host is waited for; clocks are set. */
const apartMs = 86_400_000

/** How long what was spooled may lie there while someone looks on. */
const between = "200 millis"

const unnamed = (invocation: string): Candidate => ({ invocation, at: 0, agent: null, agentEvent: null })

/** What only some commands ask for is loaded when they do. */
const jobWork = Effect.promise(() => import("../../jobs/Job.ts"))
const imports = Effect.promise(() => import("../../features/transcripts/importFile.ts"))

const make = Effect.fn("cli.logbook")(function* (state: string, damage: Damages) {
  const log = yield* EventLog
  const { note } = yield* Screen
  const file = join(state, "log.sqlite")
  const takenIn = ingestSpool(state, installationId(state)).pipe(
    Effect.provideService(EventLog, log),
    // What waits in the spool is safe there; what is on the log can be read none the less.
    Effect.catchIf(isFileDamage, () => Effect.sync(() => damage.closed()))
  )
  const waiting = yield* takenIn

  const read = (query: Query): Stream.Stream<Recorded, EventLogError> => {
    const { last } = query
    const facts = narrowed(query, log.read(soughtFor(query)))
    if (last === undefined) return facts
    // Only an invocation that is looked at from its beginning on tells whether it is meant.
    return hasSubject(query) ? Stream.takeRight(facts, last) : newest(log, filterOf(query), last)
  }

  const timeline = <A>(question: (db: Asked) => A): Effect.Effect<A, EventLogError> =>
    Effect.try({
      try: () => askTimeline(file, question),
      catch: (cause) => new EventLogError({ op: "read", reason: "io", detail: messageOf(cause), cause })
    })

  const lastSpoken = Effect.flatMap(timeline(lastCall), (found) =>
    found === undefined || found.spoke
      ? Effect.succeed(found)
      : Effect.as(note("no hook had anything to say so far: this is the last call.\n"), found)
  )

  return {
    read,
    importTranscript: (file, options) =>
      Effect.flatMap(imports, ({ importFile }) => importFile(file, options)).pipe(
        Effect.provideService(EventLog, log)
      ),
    isImported: (file) =>
      Effect.flatMap(imports, ({ isImported }) => isImported(file)).pipe(
        Effect.provideService(EventLog, log)
      ),
    shares: Effect.gen(function* () {
      const [any] = yield* Stream.runCollect(log.read({ streamPrefix: observedPrefix, limit: 1 }))
      return any === undefined ? undefined : yield* sharesOf
    }).pipe(Effect.provideService(EventLog, log)),
    follow: (query) => {
      const live = narrowed(query, log.follow(0, soughtFor(query)))
      const later =
        query.last === undefined
          ? live
          : Stream.unwrap(
              Effect.map(log.stats, ({ last }) =>
                Stream.concat(read(query), narrowed(query, log.follow(last, soughtFor(query))))
              )
            )
      return Stream.merge(
        later,
        Stream.drain(Stream.fromEffect(Effect.repeat(takenIn, Schedule.spaced(between)))),
        { haltStrategy: "left" }
      )
    },
    invocation: (id) =>
      Effect.map(Stream.runCollect(log.read({ stream: invocationStream(id) })), (found) => [...found]),
    factAt: (position) =>
      Effect.map(
        Stream.runHead(log.read({ after: position - 1, before: position + 1 })),
        Option.getOrUndefined
      ),
    damage: damage.found,
    answeredBy: Effect.fnUntraced(function* ([opened]: readonly Recorded[]) {
      const call = opened && callOf(opened)
      if (!opened || call === undefined) return undefined
      const others = yield* log.read({ types: ["INVOCATION_OPENED"], since: opened.at - apartMs }).pipe(
        Stream.filter((one) => callOf(one) === call),
        Stream.runCollect
      )
      return replacedBy(others).get(opened.stream)?.slice("invocation/".length)
    }),
    jobs: Effect.flatMap(jobWork, ({ jobsIn }) =>
      Effect.map(Stream.runCollect(log.read({ streamPrefix: jobStream("") })), jobsIn)
    ),
    jobsNamed: (ids) =>
      ids.length === 0
        ? Effect.succeed([])
        : Effect.flatMap(jobWork, ({ jobsIn }) =>
            Effect.map(
              Effect.forEach(ids, (id) => Stream.runCollect(log.read({ stream: jobStream(id) }))),
              (found) => found.flatMap((facts) => jobsIn(facts))
            )
          ),
    retry: (job) =>
      Effect.flatMap(
        Effect.promise(() => import("../../jobs/retryJob.ts")),
        ({ retryJob }) => retryJob(job, "operator")
      ).pipe(Effect.provideService(EventLog, log)),
    notes: Effect.map(Stream.runCollect(log.read(noteFacts)), notesIn),
    checkpoints: (project) =>
      Effect.map(Stream.runCollect(log.read({ types: checkpointTypes, project })), checkpointsIn),
    evidence: (project) =>
      Effect.map(
        Stream.runCollect(log.read({ types: evidenceTypes, project, reverse: true, limit: maxEvidence })),
        (facts) => evidenceIn([...facts].reverse())
      ),
    actors: Effect.flatMap(
      Effect.promise(() => import("../../runtime/actors/unfinished.ts")),
      ({ unfinished }) => Effect.flatMap(Clock.currentTimeMillis, unfinished)
    ).pipe(Effect.provideService(EventLog, log)),
    actorFrames: Stream.merge(
      Stream.unwrap(
        Effect.zipWith(
          Effect.promise(() => import("../../runtime/actors/logFeed.ts")),
          log.stats,
          ({ logFrames }, { last }) => logFrames({ log, after: last })
        )
      ),
      Stream.drain(Stream.fromEffect(Effect.repeat(takenIn, Schedule.spaced(between)))),
      { haltStrategy: "left" }
    ),
    stats: log.stats,
    unshipped: (sink) => backlogOf(log, sink),
    hasSession: (session) =>
      Effect.map(Stream.runCollect(log.read({ session, limit: 1 })), (found) => found.length > 0),
    affectedBy: (target) =>
      Effect.flatMap(
        Effect.promise(() => import("../../tools/forget/forget.ts")),
        ({ affectedBy }) => affectedBy(target)
      ).pipe(Effect.provideService(EventLog, log)),
    waiting,
    resolve: (ref) =>
      Effect.gen(function* () {
        const last = ref === "last" ? yield* lastSpoken : yield* timeline(lastCall)
        if (ref === "last" && last !== undefined) return last.invocation
        const digits = digitsOf(ref)
        const named = digits === undefined ? [] : yield* timeline((db) => callsNamed(db, digits))
        // Without one that fits, any tells that there are others.
        const among = named.length > 0 || last === undefined ? named : [unnamed(last.invocation)]
        return yield* Either.match(resolveRef(ref, among), { onLeft: Effect.fail, onRight: Effect.succeed })
      }),
    timeline,
    takeIn: Effect.asVoid(takenIn)
  } satisfies LogbookShape
})

/** A log that nobody has written yet is an empty one. */
const source = (state: string): Effect.Effect<string, CliError> =>
  Effect.try({
    try: () => installationId(openState(state)),
    catch: (cause) =>
      new CliError({
        what: "the log cannot be opened",
        reason: unwritable(cause) ?? messageOf(cause),
        remedy: "Check the state directory, or point HOOKTAPE_HOME at another.",
        cause
      })
  })

/** What one command came upon. */
const makeDamages = () => {
  const found: Damage[] = []
  return {
    found: (): readonly Damage[] => found,
    add: (one: Damage): void => void found.push(one),
    closed: (): undefined => void found.push({ kind: "closed", first: 0, last: 0, facts: 0 })
  }
}
type Damages = ReturnType<typeof makeDamages>

const damaged = (cause: unknown): CliError =>
  new CliError({
    what: "the log is damaged",
    reason: messageOf(cause),
    remedy: 'Run "hooktape log verify", then "hooktape log repair".',
    cause
  })

/** What is taken in is written before it is read: nobody reads a log that they may not write. */
const barred = (cause: unknown): CliError | undefined => {
  const denied = deniedBy(cause, join(findPlaces().logState, "log.sqlite"))
  return denied && new CliError({ what: "the log cannot be opened", ...denied, cause })
}

/** Opens the log of this user for one command that says itself what could not be taken in, or is damaged. */
export const openLogbook = <A, E, R>(effect: Effect.Effect<A, E, R | Logbook>) =>
  Effect.suspend(() => {
    const { logState: state } = findPlaces()
    const damages = makeDamages()
    const log = Layer.unwrapEffect(
      Effect.map(source(state), (id) =>
        layerSqlite({
          file: join(state, "log.sqlite"),
          source: id,
          turns,
          waitsOnce: true,
          onDamage: damages.add,
          older: "refuse"
        })
      )
    )
    return Effect.provide(effect, Layer.effect(Logbook, make(state, damages)).pipe(Layer.provide(log)))
  })

const tellDamage = Effect.gen(function* () {
  const { damage } = yield* Logbook
  const { note, style } = yield* Screen
  const [first, ...rest] = [...new Set(damage().map(describeDamage))]
  if (first === undefined) return
  const more = rest.length === 0 ? "" : `, and ${rest.length} more`
  yield* note(`${style.bad("✖")} the log is damaged: ${first}${more}. Run "hooktape log verify".\n`)
})

/** The same, where that is said before anything else, or as soon as it is known. */
export const withLogbook = <A, E, R>(effect: Effect.Effect<A, E, R | Logbook>) =>
  openLogbook(
    Effect.gen(function* () {
      const { waiting } = yield* Logbook
      if (waiting !== undefined) yield* tellBusy(waiting)
      return yield* effect
    }).pipe(Effect.ensuring(tellDamage))
  ).pipe(Effect.mapError((error) => barred(error) ?? (isFileDamage(error) ? damaged(error) : error)))
