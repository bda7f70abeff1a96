/** What the options of a hook can say: how long, how often, per what, and what a failure means. Types alone. */

/**
 * What a failing or late handler means to the agent: go on, stop the action, or let the human decide.
 *
 * @example
 * const guard: FailurePolicy = "block"
 */
export type FailurePolicy = "allow" | "block" | "ask"

/**
 * Milliseconds, or a number and a unit: `"500 ms"`, `"2 seconds"`, `"1 minute"`.
 *
 * @example
 * const deadlines: readonly Duration[] = [1500, "500 ms", "2 seconds"]
 */
export type Duration =
  | number
  | `${number}${"" | " "}${
      | "ms"
      | "milli"
      | "millis"
      | "millisecond"
      | "milliseconds"
      | "s"
      | "sec"
      | "second"
      | "seconds"
      | "m"
      | "min"
      | "minute"
      | "minutes"}`

/**
 * Also `"12 hours"` and `"7 days"`: how long something stays so, not how long it takes.
 *
 * @example
 * const window: LongDuration = "7 days"
 */
export type LongDuration = Duration | `${number}${"" | " "}${"h" | "hour" | "hours" | "d" | "day" | "days"}`

/**
 * What becomes of a job where as many wait as may: it takes the place of the oldest, or is refused.
 *
 * @example
 * const last: WhenFull = "supersede"
 */
export type WhenFull = "supersede" | "refuse"

/**
 * What a limit counts in: the session, or all sessions of the project.
 *
 * @example
 * const once: LimitScope = "project"
 */
export type LimitScope = "session" | "project"

/**
 * When what a background hook says is heard.
 *
 * @example
 * const soon: Delivery = { to: "next", within: "10 minutes", keep: "newest" }
 */
export interface Delivery {
  /** The session's next event at which the agent takes it. */
  readonly to: "next"
  /** Nobody hears of it later. Default `"1 hour"`. */
  readonly within?: LongDuration
  /** `"newest"`: what the hook says takes the place of what it said before and nobody heard. Default `"all"`. */
  readonly keep?: "all" | "newest"
}

/**
 * How long a hook stays out after a run.
 *
 * @example
 * const rest: Cooldown = { for: "15 minutes", scope: "project" }
 */
export interface Cooldown {
  readonly for: LongDuration
  /** Default `"session"`. */
  readonly scope?: LimitScope
}

/**
 * How often a hook runs at most.
 *
 * @example
 * const few: RateLimit = { limit: 3, per: "1 hour" }
 */
export interface RateLimit {
  /** At most so many runs, 1–1000 … */
  readonly limit: number
  /** … within so long. */
  readonly per: LongDuration
  /** Default `"session"`. */
  readonly scope?: LimitScope
}

/**
 * How often a failing hook is tried.
 *
 * @example
 * const again: Retry = { attempts: 3, delay: "200 millis" }
 */
export interface Retry {
  /** How often it may run altogether, 1–10. */
  readonly attempts: number
  /** How long to wait before each further attempt. Default `"100 millis"`. */
  readonly delay?: Duration
}
