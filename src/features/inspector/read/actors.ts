/** Actors in their states: as their facts say, at any moment, and beside them those that only the host knows. */
import type { Recorded } from "../../../../events/Recorded.ts"
import type { ActorView } from "../../../runtime/actors/ActorView.ts"
import { actorsIn, followed, isOver, type LogActor, viewOf } from "../../../runtime/actors/logActors.ts"
import { tell } from "../../timeline/factWords.ts"
import { shortId, shortSession } from "../../timeline/words.ts"
import type { Actor, ActorHistory, ActorKind, Actors } from "../contract/actors.ts"
import { factsOf, lastPosition } from "./facts.ts"
import { NotThere, rows, type Source } from "./Source.ts"

const hourMs = 3_600_000
/** Of more than so many the newest are looked at. */
const maxStreams = 1000
const maxShown = 30

/** Streams that moved in the hour before. */
const movedBefore = (source: Source, at: number): readonly string[] =>
  rows<{ readonly name: string }>(
    source,
    `SELECT streams.name FROM recorded JOIN streams ON streams.id = recorded.stream
      WHERE recorded.position > (SELECT coalesce(max(position), 0) FROM recorded) - 200000
        AND occurred_at >= ? AND occurred_at <= ?
      GROUP BY recorded.stream ORDER BY max(recorded.position) DESC LIMIT ?`,
    at - hourMs,
    at,
    maxStreams
  ).map(({ name }) => name)

/** Jobs wait for hours. */
const openJobs = (source: Source): readonly string[] =>
  rows<{ readonly name: string }>(
    source,
    "SELECT 'job/' || job AS name FROM timeline_jobs WHERE state IN ('queued', 'running', 'waiting') LIMIT ?",
    maxStreams
  ).map(({ name }) => name)

/** `claude-code·83eb PreToolUse Bash`: its session as a terminal shows it, since an agent alone tells no two apart. */
const subjectText = (view: ActorView): string => {
  const { agent, agentEvent, name, session, stream } = view
  const whose = agent && session ? `${agent}·${shortSession(session)}` : agent
  const said = [whose, agentEvent, name].filter((one) => one !== undefined && one !== null)
  return said.length > 0 ? said.join(" ") : (session ?? shortId(stream.slice(stream.indexOf("/") + 1)))
}

/** The one that it is, or that led to its job. */
const invocationOf = (source: Source, stream: string): string | null => {
  const [kind, id = ""] = stream.split("/")
  if (kind === "invocation") return id
  if (kind !== "job") return null
  const sql = "SELECT invocation FROM timeline_jobs WHERE job = ?"
  return rows<{ readonly invocation: string | null }>(source, sql, id)[0]?.invocation ?? null
}

const actorOf = (source: Source, view: ActorView): Actor => ({
  stream: view.stream,
  state: view.state,
  since: Date.parse(view.since),
  subject: subjectText(view),
  invocation: invocationOf(source, view.stream),
  session: view.session ?? null
})

interface Seen {
  readonly view: ActorView
  readonly isOver: boolean
}

const seenOnLog = (source: Source, at: number): readonly Seen[] => {
  const streams = new Set([...movedBefore(source, at), ...openJobs(source)])
  const facts = [...streams].flatMap((stream) => factsOf(source, stream).filter((fact) => fact.at <= at))
  return actorsIn(facts).map((actor) => ({ view: viewOf(actor), isOver: isOver(actor) }))
}

const kindOf = (
  source: Source,
  machine: string,
  seen: readonly Seen[],
  known: ActorKind["known"]
): ActorKind => {
  const states: Record<string, number> = {}
  for (const { view } of seen) states[view.state] = (states[view.state] ?? 0) + 1
  const newestFirst = [...seen].sort(
    (a, b) => Number(a.isOver) - Number(b.isOver) || Date.parse(b.view.since) - Date.parse(a.view.since)
  )
  return {
    machine,
    alive: seen.filter((one) => !one.isOver).length,
    total: seen.length,
    states,
    actors: newestFirst.slice(0, maxShown).map(({ view }) => actorOf(source, view)),
    known,
    note:
      known === "live"
        ? "As the host says now."
        : "As their facts say: those that moved in the hour before, and jobs that are not done."
  }
}

/** `live`: what the host says, where one runs and now is asked about. */
export const actors = (
  source: Source,
  { at = source.now, live }: { readonly at?: number; readonly live?: readonly ActorView[] | undefined }
): Actors => {
  const fromHost = new Map((live ?? []).map((view) => [view.stream, view]))
  const seen = seenOnLog(source, at)
  const all: Seen[] = [
    ...seen.filter(({ view }) => !fromHost.has(view.stream)),
    ...[...fromHost.values()].map((view) => ({ view, isOver: false }))
  ]
  const machines = [...new Set(all.map(({ view }) => view.machine))].sort()
  return {
    at,
    position: lastPosition(source),
    kinds: machines.map((machine) => {
      const its = all.filter(({ view }) => view.machine === machine)
      return kindOf(source, machine, its, its.some(({ view }) => fromHost.has(view.stream)) ? "live" : "log")
    })
  }
}

const maxSteps = 500

const says = (fact: Recorded): string =>
  fact.known ? tell(fact.data as never).text : "unknown to this version"

export const history = (source: Source, stream: string): ActorHistory => {
  const steps: ActorHistory["steps"][number][] = []
  let actor: LogActor | undefined
  for (const fact of factsOf(source, stream)) {
    const step = followed(actor, fact)
    if (step === undefined) break
    actor = step.actor
    if (step.frame === undefined) continue
    const { after, before, refused } = step.frame
    const { ms } = fact.data as { readonly ms?: number }
    steps.push({
      position: fact.position,
      at: fact.at,
      type: fact.type,
      before,
      after,
      refused,
      says: says(fact),
      ...(typeof ms === "number" ? { ms } : {})
    })
  }
  if (actor === undefined) throw new NotThere(`the log has no actor ${stream}`)
  return {
    stream,
    machine: actor.machine.id,
    subject: subjectText(viewOf(actor)),
    steps: steps.slice(-maxSteps)
  }
}
