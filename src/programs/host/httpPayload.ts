/** The body of an HTTP call, as the invocation takes payloads, and the directory that it speaks of. */
import { realpathSync, statSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { homedir } from "node:os"
import { isAbsolute } from "node:path"
import type { ArrivingPayload } from "../../runtime/leftCalls/arrivingPayload.ts"
import type { ReceivedPayload } from "../../runtime/stdin.ts"

/** What is too large is counted to its end, and its beginning kept: the fact says how large it was. */
export const readBody = (
  message: IncomingMessage,
  limit: number,
  withinMs: number
): Promise<ReceivedPayload> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let total = 0
    const taken = (kind: "buffered" | "timed-out"): ReceivedPayload => {
      const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      return total > limit ? { kind: "too-large", bytes, total } : { kind, bytes }
    }
    const settle = (kind: "buffered" | "timed-out") => {
      clearTimeout(timer)
      resolve(taken(kind))
    }
    const timer = setTimeout(settle, withinMs, "timed-out")
    message.on("data", (bytes: Buffer) => {
      total += bytes.length
      if (total <= limit) chunks.push(bytes)
      else if (chunks.length > 1) chunks.length = 1
    })
    message.on("end", () => settle("buffered"))
    // Cut off: what came of it is judged like a standard input that ended early.
    message.on("close", () => settle("buffered"))
    message.on("error", () => settle("buffered"))
  })

/** All of it is there. */
export const arrived = (received: ReceivedPayload): ArrivingPayload => ({
  chunk: () => undefined,
  end: () => undefined,
  broken: () => undefined,
  received: () => Promise.resolve(received)
})

const parsed = ({ kind, bytes }: ReceivedPayload): unknown => {
  try {
    return kind === "buffered" ? JSON.parse(bytes.toString("utf8")) : undefined
  } catch {
    // Turned down where all payloads are judged.
    return undefined
  }
}

/** Where the handlers are to run: the payload's own directory as a process in it would see it, or the user's home. */
export const placeOf = (received: ReceivedPayload): string => {
  const payload = parsed(received)
  const cwd = typeof payload === "object" && payload !== null && "cwd" in payload ? payload.cwd : undefined
  try {
    if (typeof cwd === "string" && isAbsolute(cwd) && statSync(cwd).isDirectory()) return realpathSync(cwd)
  } catch {
    // Gone, or not to be entered.
  }
  return homedir()
}
