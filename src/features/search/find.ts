/** Finds past material in the search tables. Only asks: whoever wants the newest brings them up to date before. */
import type { Asked, Reader } from "../../log/reader.ts"
import type { DocumentKind } from "./documents.ts"
import { allOf, anyOf } from "./terms.ts"

export interface Wanted {
  readonly query: string
  /** `all` (default): every word of it, or where that finds nothing, any. `any`: whatever has to do with it. */
  readonly match?: "all" | "any"
  readonly project?: string | undefined
  readonly kinds?: readonly DocumentKind[] | undefined
  readonly limit?: number
}

export interface Hit {
  readonly kind: DocumentKind
  readonly position: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly project: string | null
  readonly session: string | null
  /** The id, where it is a note. */
  readonly note: string | null
  readonly text: string
  /** The part that fits best, with what was looked for between « and ». */
  readonly excerpt: string
}

/** What helped is worth more than what was asked. */
const weights =
  "CASE kind WHEN 'note' THEN 1.4 WHEN 'fix' THEN 1.3 WHEN 'summary' THEN 1.2 WHEN 'error' THEN 1.0 ELSE 0.8 END"

const select = `SELECT kind, position, at, project, session, key, search_documents.text AS text,
    snippet(search_text, 0, '«', '»', '…', 24) AS excerpt
  FROM search_text JOIN search_documents ON search_documents.id = search_text.rowid
  WHERE search_text MATCH ?
    AND (? IS NULL OR project IS ?)
    AND (? IS NULL OR kind IN (SELECT value FROM json_each(?)))
  ORDER BY bm25(search_text) * (${weights}), position DESC
  LIMIT ?`

interface Row extends Omit<Hit, "note"> {
  readonly key: string | null
}

const usualLimit = 10
const maxHits = 200

const hit = ({ key, ...row }: Row): Hit => ({
  ...row,
  note: key?.startsWith("note ") ? key.slice("note ".length) : null
})

/** Best first. Throws where there are no search tables yet. */
export const find = (
  db: Asked,
  { kinds, limit = usualLimit, match = "all", project, query }: Wanted
): readonly Hit[] => {
  const run = (expression: string | undefined): readonly Hit[] => {
    if (expression === undefined) return []
    const of = kinds === undefined ? null : JSON.stringify(kinds)
    const within = project ?? null
    const most = Math.max(0, Math.min(maxHits, Math.trunc(limit)))
    return (db.prepare(select).all(expression, within, within, of, of, most) as readonly Row[]).map(hit)
  }
  const found = match === "all" ? run(allOf(query)) : []
  return found.length > 0 ? found : run(anyOf(query))
}

const isSearchable = (db: Asked): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'search_documents'").all().length > 0

/** Past material that fits, best first; what the host or a search has not yet made ready is not found. */
export const findIn = (reader: Reader, wanted: Wanted): readonly Hit[] => {
  try {
    return reader.ask((db) => (isSearchable(db) ? find(db, wanted) : [])).answer ?? []
  } catch {
    // What cannot be read has nothing to remind of.
    return []
  }
}
