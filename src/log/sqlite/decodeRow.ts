/**
 * The one decoder of the SQLite log's rows: what the texts beside a row say, the sum that the row must have, and the fact that it is.
 * Light: hooks read the log too.
 */
import type { Recorded } from "../../../events/Recorded.ts"
import { rowSum, textSum } from "../rowSum.ts"
import type { Stored } from "./sqliteSelect.ts"

/** With the sum of the text that it was made of: a fact's own sum speaks of it. */
interface Summed {
  readonly sum: number
}

export interface StreamName extends Summed {
  readonly name: string
}
export type Kind = Pick<Recorded, "type" | "schemaVersion"> & Summed
export type SharedMarks = Pick<
  Recorded,
  "source" | "agent" | "agentEvent" | "event" | "session" | "project"
> &
  Summed

/** What the numbers of a row stand for. */
export interface RowNames {
  readonly stream: StreamName
  readonly kind: Kind
  readonly marks: SharedMarks
}

/** Undefined where it is none of ours: the file is damaged, and so is every fact that refers to it. */
const membersOf = (text: string): readonly unknown[] | undefined => {
  try {
    const parts: unknown = JSON.parse(text)
    return Array.isArray(parts) ? parts : undefined
  } catch {
    return undefined
  }
}

export const streamNameOf = (text: unknown): StreamName | undefined =>
  typeof text === "string" ? { name: text, sum: textSum(text) } : undefined

export const kindOf = (text: unknown): Kind | undefined => {
  const parts = typeof text === "string" ? membersOf(text) : undefined
  if (parts === undefined) return undefined
  const [type, version] = parts as [string, number]
  return { type, schemaVersion: version, sum: textSum(text as string) }
}

export const marksOf = (text: unknown): SharedMarks | undefined => {
  const parts = typeof text === "string" ? membersOf(text) : undefined
  if (parts === undefined) return undefined
  const [source, agent = null, agentEvent = null, event = null, session = null, project = null] = parts as [
    string,
    ...(string | null)[]
  ]
  return { source, agent, agentEvent, event, session, project, sum: textSum(text as string) }
}

const columns = `recorded.position, recorded.id, recorded.stream, recorded.stream_version, recorded.kind,
  recorded.occurred_at, recorded.recorded_at, recorded.causation_id, recorded.marks, recorded.tool_use_id,
  coalesce(recorded.data, blobs.data) AS data, recorded.blob, recorded.sum,
  streams.name AS stream_text, kinds.kind AS kind_text, marks.marks AS marks_text`

const tables = (join: "JOIN" | "LEFT JOIN"): string => `${join} streams ON streams.id = recorded.stream
  ${join} kinds ON kinds.id = recorded.kind
  ${join} marks ON marks.id = recorded.marks
  LEFT JOIN blobs ON blobs.hash = recorded.blob`

/** Selects each as a `RowWithTexts`; conditions follow. What refers to something that is not there is left out. */
export const selectWithTexts = `SELECT ${columns} FROM recorded ${tables("JOIN")}`

/** The same for rows that another statement selects, and nothing is left out. `more`: a column behind the others. */
export const withTexts = (selection: string, more: string): string =>
  `SELECT ${columns}, ${more} FROM (${selection}) AS recorded ${tables("LEFT JOIN")}`

/** A row with its data, wherever that lies, and the texts that its numbers stand for. */
export type RowWithTexts = readonly [...Stored, stream: unknown, kind: unknown, marks: unknown, ...unknown[]]

/** A row, whatever was asked for behind its own columns. */
type Columns = readonly [...Stored, ...unknown[]]

/** Undefined where what a damaged number refers to is not there. */
export const namesOf = (row: RowWithTexts): RowNames | undefined => {
  const { 13: streamText, 14: kindText, 15: marksText } = row
  const stream = streamNameOf(streamText)
  const kind = kindOf(kindText)
  const marks = marksOf(marksText)
  return stream && kind && marks && { stream, kind, marks }
}

/** The sum that a row has as it was recorded, with the sums of the texts that its numbers stand for. */
export const sumOf = (s: Columns, stream: number, kind: number, marks: number, data: string): number =>
  rowSum(s[0], s[3], s[5], s[6], s[1], s[7], s[9], stream, kind, marks, data)

/** Whether it is what was recorded; of what was recorded before there were sums nothing is known. */
export const isWhole = (s: Columns, stream: Summed, kind: Summed, marks: Summed, data: string): boolean =>
  s[12] === null || s[12] === sumOf(s, stream.sum, kind.sum, marks.sum, data)

/** The fact. Member by member in a literal: the fastest way there is to make a million of them. */
export const factOf = (
  s: Columns,
  stream: StreamName,
  kind: Kind,
  marks: SharedMarks,
  decoded: Pick<Recorded, "data" | "known">
): Recorded =>
  ({
    position: s[0],
    id: s[1],
    source: marks.source,
    stream: stream.name,
    version: s[3],
    type: kind.type,
    schemaVersion: kind.schemaVersion,
    at: s[5],
    recordedAt: s[6],
    cause: s[7],
    agent: marks.agent,
    agentEvent: marks.agentEvent,
    event: marks.event,
    session: marks.session,
    project: marks.project,
    toolUseId: s[9],
    known: decoded.known,
    data: decoded.data
  }) as Recorded
