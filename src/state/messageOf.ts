/** What was thrown, in its own words: handlers and libraries throw what they like. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)
