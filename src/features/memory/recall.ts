/** Which past material has to do with a prompt: what shares enough with it, fits, is believed, and was not given before. Pure. */
import type { Hit } from "../search/find.ts"
import { shared, termsOf } from "../search/terms.ts"
import { clippedTo, fitting, tokensOf } from "./budget.ts"

export interface Recalled {
  /** What it is known by, so that a session gets it once. */
  readonly id: string
  readonly kind: string
  readonly text: string
}

/** A note stays the same note; anything else is the fact it came from. */
export const idOf = ({ note, position }: Pick<Hit, "note" | "position">): string =>
  note === null ? `fact ${position}` : `note ${note}`

/** One word in common is chance; of a prompt that has but one, it is all there is. */
const leastShared = 2
const longestItem = 220

export interface Recall {
  readonly prompt: string
  readonly hits: readonly Hit[]
  /** The session that asks: what it did itself it knows. */
  readonly session: string | null
  readonly given: ReadonlySet<string>
  readonly tokens: number
  readonly most: number
  /** Of the hits that are patterns, by the ids of their notes. */
  readonly patterns?: ReadonlyMap<string, Believed> | undefined
  /** Patterns that are believed less are left out. */
  readonly least?: number | undefined
}

export interface Believed {
  readonly text: string
  /** 0–1. */
  readonly confidence: number
}

const believedOf = ({ note }: Hit, { patterns }: Recall): Believed | undefined =>
  note === null ? undefined : patterns?.get(note)

/** Among patterns the best believed comes first; whatever else was found keeps its place. */
const preferred = (hits: readonly Hit[], recall: Recall): readonly Hit[] => {
  const isPattern = (hit: Hit): boolean => believedOf(hit, recall) !== undefined
  const confidence = (hit: Hit): number => believedOf(hit, recall)?.confidence ?? 0
  const best = hits.filter(isPattern).toSorted((one, other) => confidence(other) - confidence(one))
  return hits.map((hit) => (isPattern(hit) ? (best.shift() ?? hit) : hit))
}

const isRelevant = (terms: readonly string[], text: string): boolean =>
  shared(terms, text) >= Math.min(leastShared, terms.length)

export const recalled = (recall: Recall): readonly Recalled[] => {
  const { given, hits, least = 0, most, prompt, session, tokens } = recall
  const terms = termsOf(prompt)
  if (terms.length === 0) return []
  const relevant = hits
    .filter((hit) => (believedOf(hit, recall)?.confidence ?? 1) >= least)
    .filter((hit) => (hit.session === null || hit.session !== session) && !given.has(idOf(hit)))
    .filter(({ text }) => isRelevant(terms, text))
  const items = preferred(relevant, recall).map((hit): Recalled => {
    const pattern = believedOf(hit, recall)
    const text = clippedTo((pattern?.text ?? hit.text).trim(), longestItem)
    return { id: idOf(hit), kind: pattern === undefined ? hit.kind : "pattern", text }
  })
  return fitting(items, tokens - tokensOf(heading), itemText).slice(0, most)
}

const heading = "From earlier sessions of this project, as far as it has to do with this:"

const names: Readonly<Record<string, string>> = {
  fix: "fixed before",
  summary: "an earlier session",
  error: "seen before",
  pattern: "an earlier answer"
}

const itemText = ({ kind, text }: Recalled): string =>
  `- ${names[kind] ?? kind}: ${text.replace(/\n+/g, "\n  ")}`

export const recallText = (items: readonly Recalled[]): string | undefined =>
  items.length === 0 ? undefined : [heading, ...items.map(itemText)].join("\n")
