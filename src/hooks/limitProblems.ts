/** What is wrong with a hook's limits and attempts, as its author or the settings wrote them. */
import { durationProblem, longDurationProblem } from "./duration.ts"

type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isScope = (value: unknown): boolean => value === "session" || value === "project"

const isCount = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most

const scopeProblem = 'must be "session" or "project"'

/** A key that is not there is one that was misspelt. */
const stray = (value: Fields, keys: readonly string[]): string | undefined => {
  const key = Object.keys(value).find((one) => !keys.includes(one))
  return key === undefined ? undefined : `has no \`${key}\`; there is ${keys.join(", ")}`
}

const scoped = (value: Fields): string | undefined =>
  value["scope"] === undefined || isScope(value["scope"]) ? undefined : `has a \`scope\` that ${scopeProblem}`

const cooldownProblem = (value: unknown): string | undefined => {
  if (!isRecord(value)) return longDurationProblem(value)
  return stray(value, ["for", "scope"]) ?? longDurationProblem(value["for"]) ?? scoped(value)
}

export const maxRuns = 1000
const rateLimitProblem = (value: unknown): string | undefined => {
  if (!isRecord(value)) return 'must be an object, such as { limit: 3, per: "10 minutes" }'
  if (!isCount(value["limit"], maxRuns)) return `needs a \`limit\`, a whole number from 1 to ${maxRuns}`
  const per = longDurationProblem(value["per"])
  return per === undefined
    ? (stray(value, ["limit", "per", "scope"]) ?? scoped(value))
    : `needs a \`per\`, which ${per}`
}

export const maxAttempts = 10

const retryProblem = (value: unknown): string | undefined => {
  const attempts = `a whole number of attempts from 1 to ${maxAttempts}`
  if (!isRecord(value)) return isCount(value, maxAttempts) ? undefined : `must be ${attempts}`
  if (!isCount(value["attempts"], maxAttempts)) return `needs \`attempts\`, ${attempts}`
  const delay = value["delay"] === undefined ? undefined : durationProblem(value["delay"])
  return delay === undefined ? stray(value, ["attempts", "delay"]) : `has a \`delay\` that ${delay}`
}

const problems: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  once: (value) => (isScope(value) ? undefined : scopeProblem),
  cooldown: cooldownProblem,
  rateLimit: rateLimitProblem,
  retry: retryProblem
}

/** By key, in the order of the keys. */
export const limitProblems = (fields: Fields): readonly (readonly [key: string, problem: string])[] =>
  Object.entries(problems).flatMap(([key, problemOf]) => {
    const problem = fields[key] === undefined ? undefined : problemOf(fields[key])
    return problem === undefined ? [] : [[key, problem] as const]
  })
