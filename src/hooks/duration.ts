/** How long something may take, as authors write it. */
import type { Duration } from "./defineHook.ts"

const units: Readonly<Record<string, number>> = {
  milli: 1,
  millis: 1,
  second: 1000,
  seconds: 1000,
  minute: 60_000,
  minutes: 60_000
}

const written = /^(\d+(?:\.\d+)?) (millis?|seconds?|minutes?)$/

/** What is wrong with it, or nothing. */
export const durationProblem = (value: unknown): string | undefined => {
  if (typeof value === "number") {
    return Number.isFinite(value) && value > 0 ? undefined : "must be a positive number of milliseconds"
  }
  if (typeof value === "string" && written.test(value) && Number.parseFloat(value) > 0) return undefined
  return 'must be milliseconds or a text such as "500 millis", "2 seconds" or "1 minute"'
}

/** Milliseconds. The build has refused every duration this cannot read. */
export const toMillis = (duration: Duration): number => {
  const problem = durationProblem(duration)
  if (problem !== undefined) throw new RangeError(`duration ${JSON.stringify(duration)} ${problem}`)
  if (typeof duration === "number") return duration
  const [amount = "", unit = ""] = duration.split(" ")
  return Number.parseFloat(amount) * (units[unit] ?? 1)
}
