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
}

const chunkBytes = 1_048_576
/** A row that is longer is passed over. */
const maxRowBytes = 64 * 1_048_576
/** A file that is one document is read as a whole. */
const maxDocumentBytes = 256 * 1_048_576

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
    if (!/^\s*\{\s*"(?:sessionId|projectHash|messages|startTime)"/.test(text)) return undefined
    if (fstatSync(descriptor).size > maxDocumentBytes) return undefined
    const whole = parsed(readFileSync(descriptor, "utf8"))
    return isObject(whole) ? whole : undefined
  } finally {
    closeSync(descriptor)
  }
}

/**
 * From `from` on. What stands at the end without a newline is a row if it is one, else it is not finished: the next time begins there.
 */
export function* fileRows(
  file: string,
  from: number,
  problem: (one: RowProblem) => void
): Generator<FileRow, void> {
  const descriptor = openSync(file, "r")
  try {
    let held: Buffer = Buffer.alloc(0)
    /** Where `held` begins. */
    let at = from
    let read = from
    let isSkipping = false
    const chunk = Buffer.alloc(chunkBytes)
    for (;;) {
      const got = readSync(descriptor, chunk, 0, chunkBytes, read)
      if (got === 0) break
      read += got
      held =
        held.length === 0
          ? Buffer.from(chunk.subarray(0, got))
          : Buffer.concat([held, chunk.subarray(0, got)])
      let start = 0
      for (let end = held.indexOf(newline, start); end >= 0; end = held.indexOf(newline, start)) {
        if (isSkipping) isSkipping = false
        else if (end > start) {
          const row = parsed(held.toString("utf8", start, end))
          if (isObject(row)) yield { row, offset: at + start, end: at + end + 1 }
          else problem({ kind: "no JSON", offset: at + start })
        }
        start = end + 1
      }
      at += start
      held = held.subarray(start)
      if (held.length > maxRowBytes) {
        if (!isSkipping) problem({ kind: "too long", offset: at })
        isSkipping = true
        at += held.length
        held = Buffer.alloc(0)
      }
    }
    if (held.length === 0 || isSkipping) return
    const row = parsed(held.toString("utf8"))
    if (isObject(row)) yield { row, offset: at, end: at + held.length }
  } finally {
    closeSync(descriptor)
  }
}
