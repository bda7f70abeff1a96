/** Adds up what cases came to: by hook, by shape, and the first that differs in each turn. */
import type { Backtest, HookResult, Kind, Reason, Sample, ShapeResult, Times } from "./Backtest.ts"
import { type Case, type Judged, strictness } from "./Case.ts"
import { type Compared, compare, type HookCompared, type Names, turnOf } from "./compare.ts"

const maxSamples = 3

interface Divergence {
  readonly kind: Exclude<Kind, "same">
  readonly shape: string
  readonly sample: Sample
  readonly place: Pick<Case, "at" | "session" | "subagent" | "turn">
}

interface HookSum {
  runs: number
  same: number
  stricter: number
  looser: number
  notReplayable: number
  failed: number
  readonly ms: number[]
  readonly missing: Map<string, number>
  readonly failures: Map<string, number>
}

const nothing = (): HookSum => ({
  runs: 0,
  same: 0,
  stricter: 0,
  looser: 0,
  notReplayable: 0,
  failed: 0,
  ms: [],
  missing: new Map(),
  failures: new Map()
})

const timesOf = (ms: readonly number[]): Times | null => {
  if (ms.length === 0) return null
  const sorted = [...ms].sort((a, b) => a - b)
  const at = (share: number): number =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 1000) / 1000
  return { p50: at(0.5), p95: at(0.95) }
}

const addOne = (counted: Map<string, number>, what: string): void =>
  void counted.set(what, (counted.get(what) ?? 0) + 1)

const addTo = (sum: HookSum, { failed, missing, ms, now, before }: HookCompared): void => {
  sum.runs++
  if (ms !== undefined) sum.ms.push(ms)
  if (failed !== undefined) {
    sum.failed++
    addOne(sum.failures, failed)
  }
  if (missing !== undefined) {
    sum.notReplayable++
    // What was asked is beside the point where the same is missing each time.
    addOne(sum.missing, missing.replace(/\(.*$/s, "").trim())
    return
  }
  const apart = strictness[now] - strictness[before]
  if (apart === 0) sum.same++
  else if (apart > 0) sum.stricter++
  else sum.looser++
}

const most = (counted: ReadonlyMap<string, number>): readonly Reason[] =>
  [...counted].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([what, times]) => ({ what, times }))

const sampleOf = (one: Case, by: HookCompared): Sample => ({
  id: one.id,
  source: one.source,
  at: one.at,
  session: one.session,
  agent: one.agent,
  agentEvent: one.agentEvent,
  subject: one.subject,
  hook: by.hook,
  before: by.before,
  now: by.now,
  reason: by.reason
})

export interface Tally {
  /** `hooks`: only these were asked. */
  readonly add: (one: Case, judged: Judged, before: Case["before"]) => Compared
  /** When somebody asked for something in a session. */
  readonly prompt: (session: string, at: number) => void
  /** A call of which only what was decided is known. */
  readonly withoutPayload: () => void
  readonly result: () => Backtest
}

export const makeTally = (hooks: Names | undefined): Tally => {
  const kinds = { same: 0, stricter: 0, looser: 0, notReplayable: 0, untold: 0 }
  let unshipped = 0
  const sources = { hooks: 0, transcript: 0 }
  const byHook = new Map<string, HookSum>()
  const byShape = new Map<string, number>()
  const prompts = new Map<string, number[]>()
  const divergences: Divergence[] = []
  const ms: number[] = []

  const add: Tally["add"] = (one, judged, before) => {
    const compared = compare(before, judged, hooks)
    kinds[compared.kind]++
    sources[one.source]++
    byShape.set(one.shape, (byShape.get(one.shape) ?? 0) + 1)
    if (judged.hooks.length > 0) ms.push(judged.ms)
    for (const hook of compared.hooks) {
      const sum = byHook.get(hook.hook) ?? nothing()
      byHook.set(hook.hook, sum)
      addTo(sum, hook)
    }
    const { by, kind } = compared
    if (by !== undefined && (kind === "stricter" || kind === "looser")) {
      const { at, session, shape, subagent, turn } = one
      divergences.push({ kind, shape, sample: sampleOf(one, by), place: { at, session, subagent, turn } })
    }
    return compared
  }

  const firsts = (): ReadonlySet<Divergence> => {
    const found = new Map<string, Divergence>()
    for (const one of [...divergences].sort((a, b) => a.place.at - b.place.at)) {
      const key = turnOf(one.place, prompts.get(one.place.session ?? "") ?? [])
      if (!found.has(key)) found.set(key, one)
    }
    return new Set(found.values())
  }

  const shapesOf = (first: ReadonlySet<Divergence>): readonly ShapeResult[] => {
    const groups = new Map<string, Divergence[]>()
    for (const one of divergences) {
      const key = `${one.kind}\0${one.shape}`
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [one])
      else group.push(one)
    }
    const results = [...groups.values()].map((all): ShapeResult => {
      const [{ kind, shape }] = all as [Divergence, ...Divergence[]]
      // The first of their turns are those that would have come about.
      const ordered = [...all].sort((a, b) => Number(first.has(b)) - Number(first.has(a)))
      const distinct = new Map(ordered.map(({ sample }) => [sample.subject, sample]))
      return {
        shape,
        kind,
        calls: all.length,
        first: all.filter((one) => first.has(one)).length,
        of: byShape.get(shape) ?? all.length,
        samples: [...distinct.values()].slice(0, maxSamples)
      }
    })
    return results.sort(
      (a, b) =>
        Number(b.kind === "looser") - Number(a.kind === "looser") ||
        b.calls - a.calls ||
        (a.shape < b.shape ? -1 : 1)
    )
  }

  const hookResults = (): readonly HookResult[] =>
    [...byHook]
      .map(([hook, { failures, missing, ms: times, ...sum }]) => ({
        hook,
        ...sum,
        ms: timesOf(times),
        missing: most(missing),
        failures: most(failures)
      }))
      .sort(
        (a, b) =>
          b.looser - a.looser || b.stricter - a.stricter || b.runs - a.runs || (a.hook < b.hook ? -1 : 1)
      )

  return {
    add,
    prompt: (session, at) => {
      const known = prompts.get(session)
      if (known === undefined) prompts.set(session, [at])
      else known.push(at)
    },
    withoutPayload: () => {
      unshipped++
    },
    result: () => {
      const first = firsts()
      const firstOf = (kind: Kind): number => [...first].filter((one) => one.kind === kind).length
      return {
        calls: sources.hooks + sources.transcript,
        recorded: sources.hooks,
        imported: sources.transcript,
        ...kinds,
        unshipped,
        firstInTurn: { stricter: firstOf("stricter"), looser: firstOf("looser") },
        ms: timesOf(ms),
        hooks: hookResults(),
        shapes: shapesOf(first)
      }
    }
  }
}
