/** What came before the call of a fixture: for hooks that look back on their session. */
import * as Either from "effect/Either"

export interface EarlierCall {
  readonly event: string
  /** The exact text for standard input. */
  readonly payload: string
  readonly times: number
}

/** A text as it stands; undefined of what is nested so deep that nothing can write it out. */
export const payloadText = (payload: unknown): string | undefined => {
  if (typeof payload === "string") return payload
  try {
    return JSON.stringify(payload)
  } catch {
    return undefined
  }
}

/** Each takes as long as a call does. */
const most = 200

const shape = `its "before" is not [{"event", "payload", "times"?: 1 to ${most}}, …], at most ${most} calls in all`

const isTimes = (value: unknown): value is number | undefined =>
  value === undefined || (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most)

const earlierCall = (value: unknown): EarlierCall | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  const { event, payload, times, ...more } = value as Record<string, unknown>
  const text = payload === undefined ? undefined : payloadText(payload)
  const isCall = typeof event === "string" && event.trim() !== "" && text !== undefined
  if (!isCall || !isTimes(times) || Object.keys(more).length > 0) return undefined
  return { event, payload: text, times: times ?? 1 }
}

/** In their order; a text that says what is wrong with them. */
export const readEarlier = (before: unknown): Either.Either<readonly EarlierCall[], string> => {
  if (before === undefined) return Either.right([])
  if (!Array.isArray(before)) return Either.left(shape)
  const calls = before.map(earlierCall)
  const all = calls.flatMap((call) => (call === undefined ? [] : [call]))
  const isBounded = all.reduce((sum, { times }) => sum + times, 0) <= most
  return all.length === calls.length && isBounded ? Either.right(all) : Either.left(shape)
}
