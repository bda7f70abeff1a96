/** Hands events to a sink: lines of a file, or one batch over HTTP. */
import { constants, readFileSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { messageOf } from "../../state/messageOf.ts"
import type { CloudEvent } from "./cloudEvent.ts"
import { isUrl, type Sink, targetProblem } from "./Sink.ts"

export class ShipError extends Schema.TaggedError<ShipError>()("ShipError", {
  detail: Schema.String,
  /** When the receiver wants to be asked again. */
  retryAfterMs: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The batch was too large for it. */
  tooLarge: Schema.Boolean
}) {
  override get message(): string {
    return this.detail
  }
}

export const failure = (cause: unknown): ShipError =>
  cause instanceof ShipError ? cause : new ShipError({ detail: messageOf(cause), tooLarge: false })

/** Whoever was killed amid a line left it without its end: the next one begins on its own. */
const isAtLineStart = async (file: FileHandle): Promise<boolean> => {
  const { size } = await file.stat()
  if (size === 0) return true
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return bytesRead === 1 && buffer[0] === 10
}

/** Off the thread that answers calls: a disk may take its time until it has it. */
const toFile = async (path: string, events: readonly CloudEvent[]): Promise<void> => {
  // A pipe that nobody reads would not be opened before somebody does.
  const { O_APPEND, O_CREAT, O_NONBLOCK = 0, O_RDWR } = constants
  const file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, 0o600)
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is not a file`)
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("")
    await file.writeFile((await isAtLineStart(file)) ? lines : `\n${lines}`)
    await file.sync()
  } finally {
    await file.close()
  }
}

const longestWaitMs = 3_600_000

/** Seconds or a date; whatever else stands there says nothing. */
export const retryAfter = (header: string | null, now: number): number | undefined => {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestWaitMs) : undefined
}

const post = async (sink: Sink, events: readonly CloudEvent[], signal: AbortSignal): Promise<void> => {
  const token = sink.tokenFile === undefined ? undefined : readFileSync(sink.tokenFile, "utf8").trim()
  const answer = await fetch(sink.to, {
    method: "POST",
    // Whoever answers decides nothing about where else it goes.
    redirect: "error",
    headers: {
      "content-type": "application/cloudevents-batch+json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
    },
    body: JSON.stringify(events),
    signal
  })
  await answer.body?.cancel()
  if (answer.ok) return
  const wait = retryAfter(answer.headers.get("retry-after"), Date.now())
  throw new ShipError({
    detail: `the receiver answered ${answer.status}`,
    tooLarge: answer.status === 413,
    ...(wait === undefined ? {} : { retryAfterMs: wait })
  })
}

/** Fails after `timeoutMs` at the latest. That it was taken is known only when this succeeds. */
export const deliver = (
  sink: Sink,
  events: readonly CloudEvent[],
  timeoutMs: number
): Effect.Effect<void, ShipError> => {
  // What was added may have been edited since.
  const problem = targetProblem(sink.to)
  if (problem !== undefined) return new ShipError({ detail: `${sink.to} ${problem}`, tooLarge: false })
  if (!isUrl(sink.to)) return Effect.tryPromise({ try: () => toFile(sink.to, events), catch: failure })
  return Effect.tryPromise({ try: (signal) => post(sink, events, signal), catch: failure }).pipe(
    Effect.timeoutFail({
      duration: timeoutMs,
      onTimeout: () => new ShipError({ detail: `no answer within ${timeoutMs} ms`, tooLarge: false })
    })
  )
}
