/** What a log that may be damaged still says of its positions: which were taken away, which facts were sealed, and how far it goes. */
import type { Database } from "better-sqlite3"
import { attempt } from "./attempt.ts"

export interface Break {
  readonly kind: string
  readonly first: number
  readonly last: number
  readonly at: number
  readonly note: string
}

interface Covered {
  readonly first: number
  readonly last: number
  readonly facts: number
}

export const breaksIn = (db: Database): readonly Break[] =>
  db.prepare("SELECT kind, first, last, at, note FROM breaks ORDER BY id").all() as readonly Break[]

/** Those of a log that may be damaged; none where they cannot be read. */
export const breaksOf = (db: Database): readonly Break[] => attempt(() => breaksIn(db), [])

/** Asked of one position after the other, upwards. */
const makeCovering = (ranges: readonly Covered[]) => {
  let at = 0
  return (position: number): Covered | undefined => {
    while ((ranges[at]?.last ?? Number.POSITIVE_INFINITY) < position) at++
    const one = ranges[at]
    return one !== undefined && one.first <= position ? one : undefined
  }
}

const maxAhead = 100_000

/** No further than there are facts for: one that was put far away by hand would stand behind a billion that never were. */
const plausibleEnd = (db: Database, known: number, end: number): number => {
  const facts = attempt(
    () => Number(db.prepare("SELECT count(*) FROM recorded WHERE position > ?").pluck().get(known)),
    0
  )
  const furthest = known + facts + maxAhead
  if (end <= furthest) return end
  const last = attempt((): unknown =>
    db.prepare("SELECT max(position) FROM recorded WHERE position <= ?").pluck().get(furthest)
  )
  return Math.max(known, Number(last ?? 0))
}

export const accountOf = (db: Database, breaks: readonly Break[]) => {
  const seals = attempt(
    () => db.prepare("SELECT first, last, facts FROM seals ORDER BY last").all() as readonly Covered[],
    []
  )
  const began = breaks.flatMap(({ first, kind }) => (kind === "began" ? [first] : []))
  const start = Math.min(Number.POSITIVE_INFINITY, ...began, ...seals.slice(0, 1).map(({ first }) => first))
  const forgotten = new Set(breaks.flatMap(({ first, kind }) => (kind === "forgotten" ? [first] : [])))
  const noted = breaks
    .filter(({ kind }) => kind === "unsealed")
    .map(({ first, last }): Covered => ({ first, last, facts: last - first + 1 }))
    .toSorted((a, b) => a.last - b.last)
  const batchOf = makeCovering(seals)
  const sealOfFact = makeCovering(seals)
  const noteOf = makeCovering(noted)
  return {
    start,
    /** Holds nothing because somebody took it away, as far as that can still be read. */
    isTaken: (position: number): boolean => {
      const batch = batchOf(position)
      const isShortened = batch !== undefined && batch.facts < batch.last - batch.first + 1
      return position < start || forgotten.has(position) || isShortened
    },
    /** A fact that no seal speaks of, and nobody said why. */
    isAdded: (position: number): boolean =>
      position >= start && sealOfFact(position) === undefined && noteOf(position) === undefined,
    /** `end`: as far as it says it goes. `told`: what the file beside it says. */
    endOf: (end: number, told: number): number => {
      const known = Math.max(
        told,
        ...[seals.at(-1)?.last ?? 0, noted.at(-1)?.last ?? 0].filter((at) => at <= end)
      )
      return Math.max(told, plausibleEnd(db, known, end))
    }
  }
}

/** Where nothing of it can be read. */
export const nothingAccounted: ReturnType<typeof accountOf> = {
  start: 1,
  isTaken: () => false,
  isAdded: () => false,
  endOf: (_, told) => told
}
