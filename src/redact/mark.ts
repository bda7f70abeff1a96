/** What stands where a secret stood. */

/** @param kind what was there, such as `github-token`. */
export const mark = (kind: string): string => `‹redacted:${kind}›`

/** Nothing but a mark. */
export const isMark = (value: unknown): boolean =>
  typeof value === "string" && /^‹redacted:[^›]*›$/.test(value)
