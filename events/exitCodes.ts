/**
 * What an exit code says to whoever started a hook, by name.
 *
 * @example
 * const stop = exitSignal(exitCodes.blocking)
 */
export const exitCodes = {
  /** All went well, or hooktape failed by itself: the agent goes on. */
  success: 0,
  /** No hook could run at all: no runtime, no build, wrong usage. */
  failure: 1,
  /** Stop the action. */
  blocking: 2,
  /** For the user's eyes only. Known from elsewhere: no agent here gives it a meaning. */
  userMessageOnly: 3
} as const
