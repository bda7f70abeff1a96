/** Which past material has to do with a prompt: what shares enough with it, fits, and was not given before. Pure. */
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
}

const isRelevant = (terms: readonly string[], text: string): boolean =>
  shared(terms, text) >= Math.min(leastShared, terms.length)

export const recalled = ({ given, hits, most, prompt, session, tokens }: Recall): readonly Recalled[] => {
  const terms = termsOf(prompt)
  if (terms.length === 0) return []
  const items = hits
    .filter((hit) => (hit.session === null || hit.session !== session) && !given.has(idOf(hit)))
    .filter(({ text }) => isRelevant(terms, text))
    .map(
      (hit): Recalled => ({ id: idOf(hit), kind: hit.kind, text: clippedTo(hit.text.trim(), longestItem) })
    )
  return fitting(items, tokens - tokensOf(heading), itemText).slice(0, most)
}

const heading = "From earlier sessions of this project, as far as it has to do with this:"

const names: Readonly<Record<string, string>> = {
  fix: "fixed before",
  summary: "an earlier session",
  error: "seen before"
}

const itemText = ({ kind, text }: Recalled): string =>
  `- ${names[kind] ?? kind}: ${text.replace(/\n+/g, "\n  ")}`

export const recallText = (items: readonly Recalled[]): string | undefined =>
  items.length === 0 ? undefined : [heading, ...items.map(itemText)].join("\n")
