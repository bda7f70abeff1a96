/** What a repair could not keep: positions that hold nothing now, and ends of the log that were gone before it. */
import { attempt } from "./attempt.ts"

export type Range = readonly [first: number, last: number]

/** What a repair leaves in the log of itself, as JSON in its row of `breaks`. */
export interface RepairNote {
  readonly kept?: number
  /** Positions of which facts were lost, the first hundred ranges. */
  readonly lost?: readonly Range[]
  /** How many were lost. */
  readonly facts?: number
  /** For how many of them the new chain has an empty place. Absent where an earlier version wrote it. */
  readonly places?: number
  /** What was kept though no seal spoke of it and nobody had said why, the first hundred ranges. */
  readonly unsealed?: readonly Range[]
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0

const isRange = (value: unknown): value is Range =>
  Array.isArray(value) && value.length === 2 && value.every(isCount)

const areRanges = (value: unknown): value is readonly Range[] => Array.isArray(value) && value.every(isRange)

/** What such a row says; of one that says something else, nothing. */
export const repairNote = (text: unknown): RepairNote => {
  const said = attempt((): unknown => JSON.parse(String(text)), undefined)
  if (typeof said !== "object" || said === null) return {}
  const { facts, kept, lost, places, unsealed } = said as Readonly<Record<string, unknown>>
  return {
    ...(isCount(kept) ? { kept } : {}),
    ...(areRanges(lost) ? { lost } : {}),
    ...(areRanges(unsealed) ? { unsealed } : {}),
    ...(isCount(facts) ? { facts } : {}),
    ...(isCount(places) ? { places } : {})
  }
}

interface Break {
  readonly kind: string
  readonly first: number
  readonly last: number
  readonly at: number
}

export const rangesOf = (positions: readonly number[]): readonly Range[] => {
  const found: [number, number][] = []
  for (const position of positions) {
    const last = found.at(-1)
    if (last?.[1] === position - 1) last[1] = position
    else found.push([position, position])
  }
  return found
}

/** Those that overlap or follow each other as one. */
const merged = (found: readonly Range[]): readonly Range[] => {
  const all: [number, number][] = []
  for (const [first, last] of found.toSorted((a, b) => a[0] - b[0])) {
    const before = all.at(-1)
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else all.push([first, last])
  }
  return all
}

/** Of which no repair has told yet. Others went on from there, at the same positions. */
const cutSince = (breaks: readonly Break[]): readonly Break[] => {
  const repaired = Math.max(-1, ...breaks.flatMap(({ at, kind }) => (kind === "repaired" ? [at] : [])))
  return breaks.filter(({ at, kind }) => kind === "cut" && at > repaired)
}

/** `gone`: positions, in order, that hold nothing, and should. */
export const lostFacts = (gone: readonly number[], breaks: readonly Break[]) => {
  const cuts = cutSince(breaks)
  /** What stands nowhere is among those that are gone. */
  const again = cuts.reduce(
    (sum, { first, last }) => sum + last - first + 1 - gone.filter((at) => at >= first && at <= last).length,
    0
  )
  return {
    lost: merged([...rangesOf(gone), ...cuts.map(({ first, last }): Range => [first, last])]),
    facts: gone.length + again
  }
}
