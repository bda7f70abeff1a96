/** Looks up what earlier sessions have on a prompt, and what this session was given already. */

import type { Reader } from "../../log/reader.ts"
import { isHooked } from "../../runtime/dispatch/hooksFor.ts"
import { confidenceOf } from "../learning/confidence.ts"
import { mayBePattern, type PatternPlace, readPatterns } from "../learning/patternNotes.ts"
import { ask } from "../search/ask.ts"
import type { DocumentKind } from "../search/documents.ts"
import { findIn, type Hit } from "../search/find.ts"
import { type Believed, type Recalled, recalled } from "./recall.ts"

export interface Recalling {
  readonly state: string
  readonly project: string
  readonly cwd: string
  readonly session: string | null
  readonly prompt: string
  readonly tokens: number
  readonly most: number
  /** Patterns that are believed less are left out, 0 to 1. */
  readonly least: number
  /** Milliseconds since 1970. */
  readonly now: number
}

const kinds: readonly DocumentKind[] = ["note", "summary", "fix"]
const maxHits = 30
const maxGiven = 1000

/** Under this name the hook keeps with its run what it gave. */
export const givenKey = "recalled"

const givenIn = (reader: Reader, session: string | null, handler: string): ReadonlySet<string> => {
  if (session === null) return new Set()
  const { facts } = reader.facts({
    types: ["HANDLER_SUCCEEDED"],
    event: "prompt.submit",
    handler,
    session,
    newestFirst: true,
    limit: maxGiven
  })
  return new Set(
    facts.flatMap(({ data }) => {
      const { patch } = data as { readonly patch?: object }
      const ids = (patch as { readonly [givenKey]?: unknown } | undefined)?.[givenKey]
      return Array.isArray(ids) ? (ids as readonly string[]) : []
    })
  )
}

/** Nothing more is looked up where no hit can be a pattern. */
const believedAmong = (
  reader: Reader,
  place: PatternPlace,
  hits: readonly Hit[],
  now: number
): ReadonlyMap<string, Believed> => {
  const mayBe = mayBePattern(place)
  if (!hits.some(({ note }) => note !== null && mayBe(note))) return new Map()
  return new Map(
    [...readPatterns(reader, place).notes].map(([id, note]) => [
      id,
      { text: note.text, confidence: confidenceOf(note, now) }
    ])
  )
}

export const recallFor = async (
  reader: Reader,
  { cwd, least, most, now, project, prompt, session, state, tokens }: Recalling,
  handler: string
): Promise<readonly Recalled[]> => {
  // Most have no hook that wants to know; an invocation for each prompt would tell nobody anything.
  const asked = isHooked(state, project, "search.before")
    ? await ask({ state, project, cwd, query: prompt, session: session ?? undefined })
    : { query: prompt }
  if ("refused" in asked && asked.refused !== undefined) return []
  const hits = findIn(reader, { query: asked.query, match: "any", project, kinds, limit: maxHits })
  if (hits.length === 0) return []
  const given = givenIn(reader, session, handler)
  const patterns = believedAmong(reader, { state, project }, hits, now)
  return recalled({ prompt: asked.query, hits, session, given, tokens, most, patterns, least })
}
