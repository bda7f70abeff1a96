/** What handlers and those who run them ask the log for. */

/** Which facts; everything given has to hold. */
export interface FactQuery {
  readonly types?: readonly string[]
  readonly stream?: string
  /** Streams whose names begin so. */
  readonly streamPrefix?: string
  readonly session?: string
  readonly project?: string
  /** The event that the facts are about: by its canonical name or the agent's; one that follows from others, as handlers name it. */
  readonly event?: string
  /** Only what is said of this hook. */
  readonly handler?: string
  /** Not before this time, milliseconds since 1970. */
  readonly since?: number
  /** Only those that stand on the log after this position, or wait in the spool. */
  readonly after?: number
  /** Default 100, at most 10,000. */
  readonly limit?: number
  /** Those at the end of the log, the newest first; else those at its beginning. */
  readonly newestFirst?: boolean
  /** Of how many facts at the end of the log, where neither a session nor a stream narrows it. Default 50,000. */
  readonly window?: number
}
