/** What hooks and a transcript both told of, once. Pure. */
import type { Placed } from "./Moment.ts"

/** So near to each other, what a hook told and what the transcript has of the same kind are one. */
const nearMs = 5000

const isOnce = ({ moment }: Placed): boolean => moment.kind === "prompt" || moment.kind === "interrupt"

/** Prompts and interrupts of the transcript that a hook told of as well: each hook's takes the nearest one away. */
const toldTwice = (moments: readonly Placed[]): ReadonlySet<Placed> => {
  const found = new Set<Placed>()
  for (const one of moments) {
    if (one.source !== "hooks" || !isOnce(one)) continue
    const near = moments.filter(
      (other) =>
        other.source === "transcript" &&
        other.moment.kind === one.moment.kind &&
        other.subagent === one.subagent &&
        !found.has(other) &&
        Math.abs(other.at - one.at) <= nearMs
    )
    const [nearest] = near.sort((a, b) => Math.abs(a.at - one.at) - Math.abs(b.at - one.at))
    if (nearest !== undefined) found.add(nearest)
  }
  return found
}

const useOf = ({ moment }: Placed): string | undefined => ("use" in moment ? moment.use : undefined)

const withUses = (moments: readonly Placed[], names: ReadonlyMap<string, string>): readonly Placed[] =>
  names.size === 0
    ? moments
    : moments.map((one) => {
        const other = names.get(useOf(one) ?? "")
        return other === undefined
          ? one
          : { ...one, moment: { ...one.moment, use: other } as Placed["moment"] }
      })

/** Of agents that give their hooks no id of a call: an end belongs to the oldest open call of its tool. */
const paired = (moments: readonly Placed[]): readonly Placed[] => {
  const open = new Map<string, string[]>()
  const names = new Map<string, string>()
  for (const { moment } of moments) {
    if (moment.kind === "call-started" && moment.isUnnamed)
      open.set(moment.name, [...(open.get(moment.name) ?? []), moment.use])
    else if (moment.kind === "call-ended" && moment.isUnnamed) {
      const [first, ...rest] = open.get(moment.name) ?? []
      if (first === undefined) continue
      names.set(moment.use, first)
      open.set(moment.name, rest)
    }
  }
  return withUses(moments, names)
}

/** Such a call is the transcript's call of the same tool that began nearest to it. */
const named = (moments: readonly Placed[]): readonly Placed[] => {
  const begun = moments.flatMap(({ at, moment, source }) =>
    source === "transcript" && moment.kind === "call-started" ? [{ at, moment }] : []
  )
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const { at, moment } of moments) {
    if (moment.kind !== "call-started" && moment.kind !== "call-ended") continue
    if (!moment.isUnnamed || names.has(moment.use)) continue
    const [nearest] = begun
      .filter((one) => one.moment.name === moment.name && !taken.has(one.moment.use))
      .map((one) => ({ use: one.moment.use, apart: Math.abs(one.at - at) }))
      .filter(({ apart }) => apart <= nearMs)
      .sort((a, b) => a.apart - b.apart)
    if (nearest === undefined) continue
    taken.add(nearest.use)
    names.set(moment.use, nearest.use)
  }
  return withUses(moments, names)
}

/** `moments`: in the order in which they happened. */
export const joined = (moments: readonly Placed[]): readonly Placed[] => {
  const hooks = moments.some(({ moment }) => "isUnnamed" in moment) ? paired(moments) : moments
  if (new Set(moments.map(({ source }) => source)).size < 2) return hooks
  const twice = toldTwice(hooks)
  return named(hooks.filter((one) => !twice.has(one)))
}
