/** Sessions as actors: what their calls tell of them, one call after the other; kept first, and then shown. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { canonicalEvents } from "../../../events/agentEvents.ts"
import type { SessionFact } from "../../../events/facts.ts"
import { newFactId, type Sources } from "../../../events/ids.ts"
import { makeDraft } from "../../../events/makeDraft.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { session } from "../../../machines/session.ts"
import { start, stateOf } from "../../../machines/step.ts"
import type { EventLogShape } from "../../log/EventLog.ts"
import { silentMs } from "../../log/lost.ts"
import { type RedactedDraft, redactDraft } from "../../redact/redact.ts"
import type { ActorView } from "../../runtime/actors/ActorView.ts"
import { followed, isOver, type LogActor, viewOf } from "../../runtime/actors/logActors.ts"
import { rehydrated } from "../../runtime/actors/logFeed.ts"
import type { Registry } from "../../runtime/actors/registry.ts"
import { ready } from "../../runtime/host/requests.ts"
import { messageOf } from "../../state/messageOf.ts"
import { untilQuiet } from "./untilQuiet.ts"

const pauses: readonly string[] = ["turn.stop", "turn.error", "turn.interrupt"]
/** What only an agent at work does. What follows from work may come late. */
const works: readonly string[] = [
  "session.start",
  "prompt.submit",
  "prompt.expand",
  "model.before",
  "tool.before",
  "tool.permission",
  "subagent.start",
  "compact.before"
]

/** What a call says of its session, which stands in this state. */
export const toldBy = (state: string, event: string): SessionFact["type"] | undefined => {
  if (event === "session.end") return state === "open" || state === "idle" ? "SESSION_ENDED" : undefined
  if (state === "unseen")
    return (canonicalEvents as readonly string[]).includes(event) ? "SESSION_OPENED" : undefined
  if (state === "open") return pauses.includes(event) ? "SESSION_IDLED" : undefined
  return works.includes(event) ? "SESSION_RESUMED" : undefined
}

export interface SessionActorsOptions {
  readonly log: EventLogShape
  readonly registry: Registry
  readonly sources: Sources
  readonly isIdle: () => boolean
  readonly note: (problem: string) => void
  /** After this long it is tried again where the log could not be read or written. */
  readonly againMs?: number
}

export interface SessionActors {
  /** `ready`, or why sessions are not followed at the moment. */
  readonly state: () => string
}

/** How far calls were heard, in the log itself. */
const mark = "sessions"
/** Of more sessions that wait for their users the newest are shown. */
const mostResting = 200

/** Lives as long as its scope. */
export const startSessionActors = Effect.fn("host.sessionActors")(function* (options: SessionActorsOptions) {
  const { againMs = 10_000, isIdle, log, note, registry, sources } = options
  const live = new Map<string, LogActor>()
  /** When each of them was heard of last, milliseconds since 1970: some work for days without a fact of their own. */
  const heardAt = new Map<string, number>()
  /** Let go of: the log has all that is known of them, and this is what is shown. */
  const resting = new Map<string, ActorView>()
  let state: string = ready

  const hold = (actor: LogActor, at: number): void => {
    live.set(actor.stream, actor)
    heardAt.set(actor.stream, at)
  }

  const letGo = (actor: LogActor): void => {
    live.delete(actor.stream)
    heardAt.delete(actor.stream)
    if (isOver(actor)) return
    resting.set(actor.stream, viewOf(actor))
    for (const stream of [...resting.keys()].slice(0, -mostResting)) resting.delete(stream)
  }

  const moved = (before: LogActor | undefined, recorded: Recorded): LogActor | undefined => {
    const step = followed(before, recorded)
    if (step === undefined) return before
    resting.delete(recorded.stream)
    if (step.frame?.command === "LET_GO") letGo(step.actor)
    else hold(step.actor, recorded.at)
    if (step.frame !== undefined && registry.isWatched()) registry.publish(step.frame)
    return step.actor
  }

  /** Undefined where its facts are no longer those that it was made of: somebody had it forgotten. */
  const append = (stream: string, actor: LogActor | undefined, draft: RedactedDraft) =>
    log.append(stream, actor === undefined ? "no-stream" : { exact: actor.version }, [draft]).pipe(
      Effect.catchIf(
        ({ reason }) => reason === "version",
        () => Effect.succeed<readonly Recorded[]>([])
      )
    )

  /** A call of a session nobody saw may tell two things: that it is there, and that it waits. */
  const heard = Effect.fnUntraced(function* (call: Recorded) {
    const { agent, at, event, id, position, project, session: name } = call
    if (agent === null || event === null || name === null) return
    const stream = `${session.id}/${agent}/${name}`
    let actor = live.get(stream) ?? (yield* rehydrated(log, { stream }))
    for (;;) {
      const told = toldBy(stateOf(actor?.snapshot ?? start(session).snapshot), event)
      if (told === undefined) {
        if (actor !== undefined && stateOf(actor.snapshot) === "open") hold(actor, at)
        return
      }
      yield* untilQuiet(isIdle)
      const fact: SessionFact = { type: told, because: event }
      const draft = redactDraft(
        makeDraft(fact, {
          id: newFactId(sources.now(), sources.random),
          stream,
          at,
          cause: id,
          marks: { agent, session: name, project }
        })
      )
      const [recorded] = yield* append(stream, actor, draft)
      actor = recorded === undefined ? yield* rehydrated(log, { stream }) : moved(actor, recorded)
      // What was heard and told nothing is heard again without harm.
      if (recorded !== undefined) yield* log.setCheckpoint(mark, position)
    }
  })

  const listen = Effect.gen(function* () {
    live.clear()
    heardAt.clear()
    resting.clear()
    yield* untilQuiet(isIdle)
    const since = sources.now() - silentMs
    const recent = log.read({ streamPrefix: `${session.id}/`, since })
    const streams = yield* Stream.runFold(recent, new Set<string>(), (seen, { stream }) => seen.add(stream))
    for (const stream of streams) {
      const actor = yield* rehydrated(log, { stream })
      if (actor === undefined || isOver(actor)) continue
      if (stateOf(actor.snapshot) === "open") hold(actor, actor.since)
      else letGo(actor)
    }
    // A log that no host heard yet may be long: of what is older than a day every session is over.
    const after = yield* log.checkpoint(mark)
    const calls = log.follow(after, { types: ["EXITED"], since })
    yield* Stream.runForEach(calls, (call) => Effect.zipRight(heard(call), Effect.sync(on)))
  })

  registry.source(() => {
    const silent = sources.now() - silentMs
    return [
      ...[...live.values()].filter(({ stream }) => (heardAt.get(stream) ?? 0) > silent).map(viewOf),
      ...[...resting.values()].filter(({ since }) => Date.parse(since) > silent)
    ]
  })
  /** The call that failed is heard again first: what follows a call that was heard is well. */
  const on = (): void => {
    if (state !== ready) note("sessions are followed")
    state = ready
  }
  /** A disk may be full for days: it is said once, and `doctor` says it as long. */
  const off = (problem: string): void => {
    if (state !== problem) note(`sessions are not followed: ${problem}`)
    state = problem
  }
  yield* listen.pipe(
    Effect.catchAllCause((cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.failCause(cause)
        : Effect.sync(() => off(messageOf(Cause.squash(cause))))
    ),
    Effect.zipRight(Effect.sleep(againMs)),
    Effect.forever,
    Effect.forkScoped
  )
  return { state: () => state } satisfies SessionActors
})
