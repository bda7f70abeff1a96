/** The body of an HTTP call, as the invocation takes payloads, and the directory that it speaks of. */
import { realpathSync, statSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { homedir } from "node:os"
import { isAbsolute } from "node:path"
import type { Inlet } from "../../runtime/stdin.ts"
import type { ArrivingPayload } from "./inlet.ts"

/** What is too large is counted to its end, and its beginning kept: the fact says how large it was. */
export const readBody = (message: IncomingMessage, limit: number, withinMs: number): Promise<Inlet> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let total = 0
    const taken = (kind: "buffered" | "timed-out"): Inlet => {
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
export const arrived = (inlet: Inlet): ArrivingPayload => ({
  chunk: () => undefined,
  end: () => undefined,
  broken: () => undefined,
  inlet: () => Promise.resolve(inlet)
})

const parsed = ({ kind, bytes }: Inlet): unknown => {
  try {
    return kind === "buffered" ? JSON.parse(bytes.toString("utf8")) : undefined
  } catch {
    // Turned down where all payloads are judged.
    return undefined
  }
}

/** Where the handlers are to run: the payload's own directory as a process in it would see it, or the user's home. */
export const placeOf = (inlet: Inlet): string => {
  const payload = parsed(inlet)
  const cwd = typeof payload === "object" && payload !== null && "cwd" in payload ? payload.cwd : undefined
  try {
    if (typeof cwd === "string" && isAbsolute(cwd) && statSync(cwd).isDirectory()) return realpathSync(cwd)
  } catch {
    // Gone, or not to be entered.
  }
  return homedir()
}
