/** What there is, by session, day, project, agent or hook. Pure. */
import { byKey } from "../../state/byKey.ts"
import type { Scope } from "./compute.ts"
import type { CheckpointRow } from "./find.ts"
import type { HookCalls } from "./hookFigures.ts"
import type { SessionMoments } from "./Moment.ts"
import { traceOf } from "./trace.ts"

export const ways = ["session", "day", "project", "agent", "hook"] as const
export type Way = (typeof ways)[number]

export interface Gathered {
  readonly sessions: readonly SessionMoments[]
  readonly hooks: HookCalls
  readonly checkpoints: readonly CheckpointRow[]
}

export interface Named extends Scope {
  readonly name: string
}

export const whole = ({ checkpoints, hooks, sessions }: Gathered): Scope => ({
  traces: sessions.map(traceOf),
  hooks,
  checkpoints
})

const nothing = "–"

const bySessions = (
  gathered: Gathered,
  keyOf: (session: {
    readonly agent: string | null
    readonly session: string
    readonly project: string | null
  }) => string
): readonly Named[] => {
  const names = new Map(gathered.sessions.map((one) => [one.session, keyOf(one)]))
  const nameOf = (session: string | null): string => names.get(session ?? "") ?? nothing
  const calls = byKey(gathered.hooks.calls, ({ session }) => nameOf(session))
  const runs = byKey(gathered.hooks.runs, ({ session }) => nameOf(session))
  const checkpoints = byKey(gathered.checkpoints, ({ session }) => nameOf(session))
  return [...byKey(gathered.sessions, keyOf)].map(([name, sessions]) => ({
    name,
    ...whole({
      sessions,
      hooks: { calls: calls.get(name) ?? [], runs: runs.get(name) ?? [] },
      checkpoints: checkpoints.get(name) ?? []
    })
  }))
}

/** A session that goes on over midnight has a part in each of its days. */
const byDay = (
  { checkpoints, hooks, sessions }: Gathered,
  dayOf: (at: number) => string
): readonly Named[] => {
  const days = new Map<string, SessionMoments[]>()
  for (const session of sessions)
    for (const [day, moments] of byKey(session.moments, ({ at }) => dayOf(at)))
      days.set(day, [...(days.get(day) ?? []), { ...session, moments }])
  const calls = byKey(hooks.calls, ({ at }) => dayOf(at))
  const runs = byKey(hooks.runs, ({ at }) => dayOf(at))
  const points = byKey(checkpoints, ({ at }) => dayOf(at))
  return [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, of]) => ({
      name,
      ...whole({
        sessions: of,
        hooks: { calls: calls.get(name) ?? [], runs: runs.get(name) ?? [] },
        checkpoints: points.get(name) ?? []
      })
    }))
}

/** Of a hook there is what it cost, and whether its blocks held. */
const byHook = ({ hooks }: Gathered): readonly Named[] =>
  [...byKey(hooks.runs, ({ hook }) => hook)].map(([name, runs]) => ({
    name,
    traces: [],
    checkpoints: [],
    hooks: {
      runs,
      calls: hooks.calls.filter(
        ({ by, decision }) => by === name || decision === null || decision === "allow"
      )
    }
  }))

export const groupedBy = (gathered: Gathered, way: Way, dayOf: (at: number) => string): readonly Named[] => {
  switch (way) {
    case "day":
      return byDay(gathered, dayOf)
    case "hook":
      return byHook(gathered)
    case "session":
      return bySessions(gathered, ({ session }) => session)
    case "project":
      return bySessions(gathered, ({ project }) => project ?? nothing)
    case "agent":
      return bySessions(gathered, ({ agent }) => agent ?? nothing)
  }
}
