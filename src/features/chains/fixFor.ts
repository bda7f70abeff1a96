/** For the hook that follows errors: the chain of this one, and an earlier fix that this session does not know yet. */
import type { Reader } from "../../log/reader.ts"
import { fixText } from "./fix.ts"
import { chainsNow, type Observed } from "./now.ts"

export interface Fix {
  readonly chain: string
  readonly text: string
}

/** Under this name the hook keeps with its run which chain it told of. */
export const toldKey = "told"

const maxTold = 1000

const toldIn = (reader: Reader, session: string | null, handler: string): ReadonlySet<unknown> => {
  if (session === null) return new Set()
  const { facts } = reader.facts({
    types: ["HANDLER_SUCCEEDED"],
    handler,
    session,
    newestFirst: true,
    limit: maxTold
  })
  return new Set(
    facts.map(({ data }) => (data as { readonly patch?: { readonly [toldKey]?: unknown } }).patch?.[toldKey])
  )
}

/** Null where there is nothing to follow, or nothing to follow it with. */
export const fixFor = (
  reader: Reader,
  observed: Observed,
  handler: string
): { readonly chain: string; readonly fix: Fix | null } | null => {
  const view = chainsNow(reader, observed)
  if (view === undefined) return null
  const { chain, fixed } = view
  const found = fixed.filter(({ id }) => id !== chain.id)
  if (found.length === 0) return { chain: chain.id, fix: null }
  const told = toldIn(reader, observed.session, handler)
  const first = found.find(({ id }) => !told.has(id))
  return {
    chain: chain.id,
    fix: first === undefined ? null : { chain: first.id, text: fixText(first) }
  }
}
