/** One request to a sink: where nobody is followed elsewhere, the token is read anew, and what is refused says so alike. */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { messageOf } from "../../state/messageOf.ts"
import type { Sink } from "./Sink.ts"

export class ShipError extends Schema.TaggedError<ShipError>()("ShipError", {
  detail: Schema.String,
  /** When the receiver wants to be asked again. */
  retryAfterMs: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The batch was too large for it. */
  tooLarge: Schema.Boolean,
  /** No answer came in time: fewer at once may get through. */
  tooLate: Schema.optionalWith(Schema.Boolean, { exact: true })
}) {
  override get message(): string {
    return this.detail
  }
}

export const failure = (cause: unknown): ShipError =>
  cause instanceof ShipError ? cause : new ShipError({ detail: messageOf(cause), tooLarge: false })

const longestWaitMs = 3_600_000

/** Seconds or a date; whatever else stands there says nothing. */
export const retryAfter = (header: string | null, now: number): number | undefined => {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestWaitMs) : undefined
}

export interface Sent {
  readonly to: string
  readonly tokenFile: string | undefined
  readonly type: string
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly packed?: boolean
}

export const request = (
  { body, packed = false, to, tokenFile, type }: Sent,
  signal: AbortSignal
): Promise<Response> => {
  const token = tokenFile === undefined ? undefined : readFileSync(tokenFile, "utf8").trim()
  return fetch(to, {
    method: "POST",
    // Whoever answers decides nothing about where else it goes.
    redirect: "error",
    headers: {
      "content-type": type,
      ...(packed ? { "content-encoding": "gzip" } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
    },
    body,
    signal
  })
}

/** The beginning of an answer: whoever answers without an end is not listened to. */
export const beginningOf = async ({ body }: Response, most: number): Promise<string> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    // Leaving the loop lets go of the rest.
    if (length >= most) break
  }
  return Buffer.concat(chunks).subarray(0, most).toString("utf8")
}

/** Why an answer was none of success. */
export const refusal = ({ headers, status }: Response, who: string, reason = ""): ShipError => {
  const wait = retryAfter(headers.get("retry-after"), Date.now())
  return new ShipError({
    detail: `${who} answered ${status}${reason}`,
    tooLarge: status === 413,
    ...(wait === undefined ? {} : { retryAfterMs: wait })
  })
}

/** Fails after `timeoutMs` at the latest. */
export const asking = <A>(
  act: (signal: AbortSignal) => Promise<A>,
  timeoutMs: number
): Effect.Effect<A, ShipError> =>
  Effect.tryPromise({ try: act, catch: failure }).pipe(
    Effect.timeoutFail({
      duration: timeoutMs,
      onTimeout: () =>
        new ShipError({ detail: `no answer within ${timeoutMs} ms`, tooLarge: false, tooLate: true })
    })
  )

/** Why nothing may be sent there, as what was added may have been edited since. */
export const unfit = (sink: Pick<Sink, "to">, problem: string): ShipError =>
  new ShipError({ detail: `${sink.to} ${problem}`, tooLarge: false })
