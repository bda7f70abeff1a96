/** How a session stood at a checkpoint, worked out from its own facts and kept with it. */
import type { MemoryFact } from "../../../events/facts.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import type { Reader, ReadFact } from "../../log/reader.ts"
import { keep } from "../../runtime/dispatch/keep.ts"
import { dispatchSources as sources } from "../../runtime/dispatch/sources.ts"
import { measuresOf } from "./compute.ts"
import type { Placed, SessionMoments } from "./Moment.ts"
import { type Buffered, momentsOf } from "./momentsOf.ts"
import { traceOf } from "./trace.ts"

export interface Standing {
  readonly state: string
  readonly project: string
  readonly session: string | null
  readonly checkpoint: string
}

export interface Kept {
  /** Why nothing was kept. */
  readonly off?: string
  readonly figures?: number
}

const maxFacts = 10_000

type Metrics = Extract<MemoryFact, { type: "METRICS_RECORDED" }>

const isOwnCheckpoint = ({ data, type }: ReadFact, session: string | null): boolean =>
  type === "CHECKPOINT_RECORDED" && ((data as { readonly session?: string }).session ?? null) === session

/** A session whose beginning nobody saw counts from its checkpoint before this one; where there is none, from now. */
const sinceOf = (
  facts: readonly ReadFact[],
  moments: readonly Placed[],
  { checkpoint, session }: Standing
): number => {
  const start = moments.find(({ moment }) => moment.kind === "start")
  if (start !== undefined) return start.at
  const before = facts.findLast(
    (fact) =>
      isOwnCheckpoint(fact, session) &&
      (fact.data as { readonly checkpoint?: string }).checkpoint !== checkpoint
  )
  return before?.at ?? sources.now()
}

const momentsIn = (facts: readonly ReadFact[], session: string): SessionMoments => {
  const moments: Placed[] = []
  for (const { agent, at, data, stream, type } of facts) {
    if (type !== "PAYLOAD_BUFFERED") continue
    const told = momentsOf(data as unknown as Buffered, agent, stream.slice(stream.indexOf("/") + 1))
    for (const moment of told?.moments ?? [])
      moments.push({ moment, at, source: "hooks", subagent: told?.subagent ?? null })
  }
  const first = facts.find((fact) => fact.type === "PAYLOAD_BUFFERED") as Recorded | undefined
  return { agent: first?.agent ?? null, session, project: first?.project ?? null, moments }
}

/** Those that one session can tell, and that are known. */
export const figuresOf = (session: SessionMoments): Metrics["figures"] =>
  measuresOf(
    { traces: [traceOf(session)], hooks: { calls: [], runs: [] }, checkpoints: [] },
    { hourOf: (at) => new Date(at).getHours() }
  ).flatMap(({ group, id, n, value }) =>
    group === "hooks" || group === "usage" || value === null ? [] : [{ metric: id, value, n }]
  )

export const recordMetrics = (reader: Reader, standing: Standing): Kept => {
  const { checkpoint, project, session, state } = standing
  if (session === null) return { off: "the checkpoint belongs to no session" }
  const {
    facts: found,
    problem,
    unreadable
  } = reader.facts({
    types: ["PAYLOAD_BUFFERED", "CHECKPOINT_RECORDED"],
    session,
    newestFirst: true,
    limit: maxFacts
  })
  if (unreadable) return { off: problem ?? "the log cannot be read" }
  const facts = [...found].reverse()
  const whole = momentsIn(facts, session)
  const since = sinceOf(facts, whole.moments, standing)
  const figures = figuresOf({ ...whole, moments: whole.moments.filter(({ at }) => at >= since) })
  const fact: Metrics = { type: "METRICS_RECORDED", checkpoint, project, session, since, figures }
  keep(state, { stream: `checkpoint/${checkpoint}`, fact, marks: { project, session } }, sources)
  return { figures: figures.length }
}
