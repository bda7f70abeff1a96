/** Reads one transcript, from where it was left the last time, and tells whoever listens what happened. */
import type { Listener, Seen, TranscriptFormat } from "../../agents/transcripts/Transcript.ts"
import { fileRows, maxRowBytes, type RowProblem, readDocument } from "./fileRows.ts"
import { makePlausible, noTime } from "./plausible.ts"

export interface Reading {
  /** From where on it has to be read again once it has grown. */
  readonly resumeAt: number
  readonly rows: number
  /** How far it was read. */
  readonly bytes: number
}

export interface ReadingOptions {
  readonly format: TranscriptFormat
  readonly file: string
  readonly from: number
  /** Rows that end behind it are left for the next time. */
  readonly to?: number
  /** Nobody writes it any more. */
  readonly isOver: boolean
  /** Nothing that it tells is later, milliseconds since 1970: by now it has been read. */
  readonly now: number
  readonly unknown: (kind: string) => void
}

/**
 * Gives what was seen, in the order of the file, together with how far the file was read. The answer comes at the end.
 */
export function* readTranscript({
  file,
  format,
  from,
  isOver,
  now,
  to = Number.POSITIVE_INFINITY,
  unknown
}: ReadingOptions): Generator<{ readonly seen: readonly Seen[]; readonly bytes: number }, Reading> {
  let seen: Seen[] = []
  const { isSeen, withoutEnd } = makePlausible(now)
  const listener: Listener = {
    seen: (one) => {
      if (!isSeen(one)) return unknown(noTime)
      const rest = withoutEnd(one)
      if (rest !== undefined) unknown(noTime)
      seen.push(rest ?? one)
    },
    unknown
  }
  const reader = format.open(listener)
  const document = readDocument(file)
  let rows = 0
  let bytes = from
  const broken = ({ kind, read }: RowProblem): void => {
    unknown(kind === "no JSON" ? "line that is no JSON" : "line that is too long")
    // What is left of it is no row either: the next time need not begin with it again.
    if (kind === "too long") bytes = read
  }
  if (document !== undefined) {
    reader.take(document, 0)
    rows = 1
  } else {
    if (from > 0) {
      let left = format.headRows
      for (const { end, offset, row } of fileRows(file, 0, () => {}, {
        to: Math.min(from, format.headRows * maxRowBytes)
      })) {
        if (left-- <= 0 || end > from) break
        reader.take(row, offset)
      }
    }
    for (const { end, offset, row } of fileRows(file, from, broken, { to })) {
      if (end > to) break
      reader.take(row, offset)
      rows++
      bytes = end
      if (seen.length === 0) continue
      yield { seen, bytes }
      seen = []
    }
  }
  reader.end(isOver)
  if (seen.length > 0) yield { seen, bytes }
  // What is not over begins there; where all is over, the last turn may go on.
  return { resumeAt: document === undefined ? Math.min(reader.resumeAt(), bytes) : 0, rows, bytes }
}
