/** How long something may take or stays so, as authors write it. */
import type { LongDuration } from "./hookOptions.ts"

const units: Readonly<Record<string, number>> = {
  milli: 1,
  millis: 1,
  second: 1000,
  seconds: 1000,
  minute: 60_000,
  minutes: 60_000,
  hour: 3_600_000,
  hours: 3_600_000,
  day: 86_400_000,
  days: 86_400_000
}

const short = /^(\d+(?:\.\d+)?) (millis?|seconds?|minutes?)$/
const long = /^(\d+(?:\.\d+)?) (millis?|seconds?|minutes?|hours?|days?)$/

const problem = (value: unknown, written: RegExp, examples: string): string | undefined => {
  if (typeof value === "number") {
    return Number.isFinite(value) && value > 0 ? undefined : "must be a positive number of milliseconds"
  }
  if (typeof value === "string" && written.test(value) && Number.parseFloat(value) > 0) return undefined
  return `must be milliseconds or a text such as ${examples}`
}

/** What is wrong with how long something may take, or nothing. */
export const durationProblem = (value: unknown): string | undefined =>
  problem(value, short, '"500 millis", "2 seconds" or "1 minute"')

/** What is wrong with how long something stays so, or nothing. */
export const longDurationProblem = (value: unknown): string | undefined =>
  problem(value, long, '"30 seconds", "12 hours" or "7 days"')

/** Milliseconds. The build has refused every duration this cannot read. */
export const toMillis = (duration: LongDuration): number => {
  const wrong = longDurationProblem(duration)
  if (wrong !== undefined) throw new RangeError(`duration ${JSON.stringify(duration)} ${wrong}`)
  if (typeof duration === "number") return duration
  const [amount = "", unit = ""] = duration.split(" ")
  return Number.parseFloat(amount) * (units[unit] ?? 1)
}
