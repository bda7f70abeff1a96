/** Reads a point in time as people write it: `10m`, `2h`, `3d`, a date, `today`, or `0` for the beginning. */
import * as Either from "effect/Either"
import { CliError } from "./CliError.ts"

const units: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000
}

/** Milliseconds since 1970. */
export const parseSince = (text: string, now: number): Either.Either<number, CliError> => {
  const word = text.trim()
  if (word === "today") return Either.right(new Date(now).setHours(0, 0, 0, 0))
  const relative = /^(\d+(?:\.\d+)?)\s*(s|m|h|d|w)$/.exec(word)
  if (relative) return Either.right(now - Number(relative[1]) * (units[relative[2] ?? ""] ?? 0))
  if (/^\d+$/.test(word)) return Either.right(Number(word))
  const date = /^\d{4}-\d{2}-\d{2}/.test(word)
    ? Date.parse(word.length === 10 ? `${word}T00:00:00` : word)
    : Number.NaN
  if (!Number.isNaN(date)) return Either.right(date)
  return Either.left(
    new CliError({
      what: "--since",
      reason: `"${text}" is no time`,
      remedy: 'Write "10m", "2h", "3d", "today", "2026-01-31", "2026-01-31T09:00" or 0.'
    })
  )
}
