/** How long something may take or stays so, as authors write it. */
import type { LongDuration } from "./hookOptions.ts"

const whileWaited = {
  ms: 1,
  milli: 1,
  millis: 1,
  millisecond: 1,
  milliseconds: 1,
  s: 1000,
  sec: 1000,
  second: 1000,
  seconds: 1000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  minutes: 60_000
}

const units: Readonly<Record<string, number>> = {
  ...whileWaited,
  h: 3_600_000,
  hour: 3_600_000,
  hours: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  days: 86_400_000
}

const written = (names: object): RegExp =>
  new RegExp(`^(\\d+(?:\\.\\d+)?) ?(${Object.keys(names).join("|")})$`)

/** How long something may take, as a text. */
export const shortText = written(whileWaited)

/** How long something stays so, as a text. */
export const longText = written(units)

const problem = (value: unknown, text: RegExp, examples: string): string | undefined => {
  if (typeof value === "number") {
    return Number.isFinite(value) && value > 0 ? undefined : "must be a positive number of milliseconds"
  }
  if (typeof value === "string" && text.test(value) && Number.parseFloat(value) > 0) return undefined
  return `must be a number of milliseconds, or a text such as ${examples}`
}

/** What is wrong with how long something may take, or nothing. */
export const durationProblem = (value: unknown): string | undefined =>
  problem(value, shortText, '"500 ms", "2 seconds" or "1 minute"')

/** What is wrong with how long something stays so, or nothing. */
export const longDurationProblem = (value: unknown): string | undefined =>
  problem(value, longText, '"30 seconds", "12 hours" or "7 days"')

/** Milliseconds. The build has refused every duration this cannot read. */
export const toMillis = (duration: LongDuration): number => {
  const wrong = longDurationProblem(duration)
  if (wrong !== undefined) throw new RangeError(`duration ${JSON.stringify(duration)} ${wrong}`)
  if (typeof duration === "number") return duration
  const [, amount = "", unit = ""] = longText.exec(duration) ?? []
  return Number.parseFloat(amount) * (units[unit] ?? 1)
}
