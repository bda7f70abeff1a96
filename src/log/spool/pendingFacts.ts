/** What waits in the spool and is not on the log yet, for readers that take nothing in. */
import type { Draft } from "../../../events/Recorded.ts"
import { inTodaysShape } from "../../../events/upcast.ts"
import type { FactQuery } from "../FactQuery.ts"
import { listSpool, parseLine, spoolBytes } from "./spoolFiles.ts"

/** The spool is emptied by whoever reads the log next; one that grew beyond this waits for that. */
const bounded = { files: 1000, bytes: 8_000_000 }
/** For whoever must not miss one, and has time. */
export const everything = { files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }

const holds = (
  draft: Draft,
  { types, stream, streamPrefix, session, project, event, handler, since }: FactQuery
): boolean =>
  (types === undefined || types.includes(draft.type)) &&
  (stream === undefined || stream === draft.stream) &&
  (streamPrefix === undefined || draft.stream.startsWith(streamPrefix)) &&
  (session === undefined || session === draft.session) &&
  (project === undefined || project === draft.project) &&
  (event === undefined || event === draft.event) &&
  (handler === undefined || (draft.data as { handler?: unknown }).handler === handler) &&
  (since === undefined || draft.at >= since)

const shaped = (draft: Draft): Draft => ({
  ...draft,
  data: inTodaysShape(draft.type, draft.schemaVersion, draft.data) as Draft["data"]
})

/** Most lines of a file are not asked for, and a line says its type in a way that needs no parsing. */
const mayHold = (line: string, { types }: FactQuery): boolean =>
  line !== "" && (types === undefined || types.some((type) => line.includes(`"${type}"`)))

/** In the order in which they were written; of a spool that holds too much the newest. */
export const pendingFacts = (
  state: string,
  query: FactQuery,
  most: typeof bounded = bounded
): { readonly facts: readonly Draft[]; readonly problem?: string } => {
  const files = listSpool(state)
  const read: Draft[][] = []
  let bytes = 0
  let left = files.length
  for (const file of [...files].reverse()) {
    bytes += file.size
    if (read.length === most.files || bytes > most.bytes) break
    left--
    const lines = spoolBytes(file)?.bytes.toString("utf8").split("\n") ?? []
    read.push(
      lines.flatMap((line) => {
        if (!mayHold(line, query)) return []
        const draft = parseLine(line)
        return typeof draft !== "string" && holds(draft, query) ? [shaped(draft)] : []
      })
    )
  }
  const facts = read.reverse().flat()
  return left === 0 ? { facts } : { facts, problem: `${left} files of the spool were not looked at` }
}
