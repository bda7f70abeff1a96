/** What came in on standard input, made into one JSON object or turned down with the reason. */
import { isUtf8 } from "node:buffer"
import type { JsonObject } from "../../events/intents.ts"
import { cut, cutWindow } from "../redact/cut.ts"
import { messageOf } from "../state/messageOf.ts"
import type { ReceivedPayload } from "./stdin.ts"

/** The largest payload that is handled, in bytes. Agents send file contents; 10 MB and a little are taken. */
export const payloadLimit = 10 * 1024 * 1024 + 64 * 1024

export type Parsed =
  | { readonly text: string; readonly payload: JsonObject }
  | {
      readonly rejected: "empty" | "malformed" | "too-large" | "timed-out" | "not-a-hook-payload"
      readonly detail: string
      readonly excerpt?: string
    }

const excerptBytes = 2048

/** What the redactor could not read it could not redact: bytes that are no text are written out one by one, never encoded. */
const excerptOf = (bytes: Buffer): string => {
  let end = Math.min(bytes.length, excerptBytes + cutWindow)
  // Not in the middle of a character: that would make binary of it.
  for (let back = 0; back < 3 && ((bytes[end] ?? 0) & 0xc0) === 0x80; back++) end--
  const head = bytes.subarray(0, end)
  if (isUtf8(head) && !head.includes(0)) return cut(head.toString("utf8"), excerptBytes)
  const hex = (byte: string) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`
  return cut(head.toString("latin1").replace(/[^\t\n\r\x20-\x7e]/g, hex), excerptBytes)
}

export const parsePayload = (received: ReceivedPayload): Parsed => {
  const { bytes } = received
  const rejected = (why: Exclude<Parsed, { text: string }>["rejected"], detail: string): Parsed =>
    bytes.length === 0 ? { rejected: why, detail } : { rejected: why, detail, excerpt: excerptOf(bytes) }
  if (received.kind === "timed-out") {
    return rejected(
      "timed-out",
      `standard input held ${bytes.length} bytes and no complete JSON value at the deadline`
    )
  }
  if (received.kind === "unreadable") {
    return rejected(
      bytes.length === 0 ? "empty" : "malformed",
      `standard input could not be read: ${received.detail}`
    )
  }
  if (received.kind === "too-large")
    return rejected("too-large", `${received.total} bytes; at most ${payloadLimit} are taken`)
  if (bytes.length === 0) return rejected("empty", "standard input was empty")
  if (!isUtf8(bytes)) return rejected("malformed", "standard input is not UTF-8 text")
  // A byte order mark says nothing, and JSON.parse refuses it.
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "")
  if (text.trim() === "") return rejected("empty", "standard input held only white space")
  let payload: unknown
  try {
    payload = JSON.parse(text)
  } catch (error) {
    // The message quotes the text, line breaks included; a reason is one line.
    return rejected("malformed", messageOf(error).replace(/\s+/g, " ").slice(0, 200))
  }
  if (typeof payload === "object" && payload !== null && !Array.isArray(payload)) {
    return { text, payload: payload as JsonObject }
  }
  const what = Array.isArray(payload) ? "a list" : payload === null ? "null" : typeof payload
  return rejected("not-a-hook-payload", `a JSON object is expected, not ${what}`)
}
