/** The rows of a file, one after the other, in bounded memory: a transcript may have gigabytes. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs"
import type { Json, JsonObject } from "../../../events/intents.ts"
import { isObject } from "../../agents/shape.ts"

export interface FileRow {
  readonly row: JsonObject
  /** Where it begins, and where the next one does. */
  readonly offset: number
  readonly end: number
}

export interface RowProblem {
  readonly kind: "no JSON" | "too long"
  readonly offset: number
  /** How far the file was read by then. */
  readonly read: number
}

export interface RowsOptions {
  /** Rows that end behind it are not looked for: a line may have no end for gigabytes. */
  readonly to?: number
  readonly mostAtOnce?: number
}

/** Enough for the rows by which a file is known. */
export const headBytes = 65_536
const chunkBytes = 1_048_576
/** A row that is longer is passed over: it would be read, and redacted, in one go. */
export const maxRowBytes = 16 * 1_048_576
/** A file that is one document is read as a whole. */
const maxDocumentBytes = 64 * 1_048_576

const newline = 10

const parsed = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** A document over several lines, as an older Gemini CLI keeps it; undefined where it is none. */
export const readDocument = (file: string): JsonObject | undefined => {
  const descriptor = openSync(file, "r")
  try {
    const head = Buffer.alloc(4096)
    const text = head.toString("utf8", 0, readSync(descriptor, head, 0, head.length, 0))
    const first = text.slice(0, text.indexOf("\n") < 0 ? undefined : text.indexOf("\n"))
    // A first line that is whole begins a file of rows.
    if (!text.trimStart().startsWith("{") || parsed(first) !== undefined) return undefined
    // So is a line that goes on: a row may be long. Only what begins as a document does is read as a whole then.
    if (!text.includes("\n") && !/^\s*\{\s*"(?:sessionId|projectHash|messages|startTime)"/.test(text))
      return undefined
    if (fstatSync(descriptor).size > maxDocumentBytes) return undefined
    const whole = parsed(readFileSync(descriptor, "utf8"))
    return isObject(whole) ? whole : undefined
  } finally {
    closeSync(descriptor)
  }
}

const textOf = (pieces: readonly Buffer[]): string => {
  const [only, ...more] = pieces
  return more.length === 0 ? (only?.toString("utf8") ?? "") : Buffer.concat(pieces).toString("utf8")
}

/**
 * From `from` on. What stands at the end without a newline is a row if it is one, else it is not finished: the next time begins there.
 */
export function* fileRows(
  file: string,
  from: number,
  problem: (one: RowProblem) => void,
  { mostAtOnce = chunkBytes, to = Number.POSITIVE_INFINITY }: RowsOptions = {}
): Generator<FileRow, void> {
  const descriptor = openSync(file, "r")
  try {
    /** What was read of a row whose end was not. */
    let pieces: Buffer[] = []
    let held = 0
    /** Where that row begins. */
    let at = from
    let read = from
    let isSkipping = false
    // What is read is all that is looked at.
    const chunk = Buffer.allocUnsafe(
      Math.min(mostAtOnce, Math.max(headBytes, fstatSync(descriptor).size - from))
    )
    for (;;) {
      // Where the file goes on, what stands at the end of what was read is not whole.
      if (read >= to && read < fstatSync(descriptor).size) return
      const got = readSync(descriptor, chunk, 0, chunk.length, read)
      if (got === 0) break
      const base = read
      read += got
      let start = 0
      for (let end = chunk.indexOf(newline); end >= 0 && end < got; end = chunk.indexOf(newline, start)) {
        const next = base + end + 1
        if (!isSkipping && next - at > 1) {
          const row = parsed(textOf([...pieces, chunk.subarray(start, end)]))
          if (isObject(row)) yield { row, offset: at, end: next }
          else problem({ kind: "no JSON", offset: at, read: next })
        }
        isSkipping = false
        pieces = []
        held = 0
        at = next
        start = end + 1
      }
      if (isSkipping || start >= got) continue
      pieces.push(Buffer.from(chunk.subarray(start, got)))
      held += got - start
      if (held <= maxRowBytes) continue
      problem({ kind: "too long", offset: at, read })
      isSkipping = true
      pieces = []
      held = 0
    }
    if (held === 0 || isSkipping) return
    const row = parsed(textOf(pieces))
    if (isObject(row)) yield { row, offset: at, end: at + held }
  } finally {
    closeSync(descriptor)
  }
}
