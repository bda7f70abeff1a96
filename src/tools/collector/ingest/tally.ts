/** Counts what is underway for each caller, and lets so much of it be at once. */
import * as Effect from "effect/Effect"

export const makeTally = (most: number) => {
  const counts = new Map<string, number>()
  const enter = (key: string): boolean => {
    const count = counts.get(key) ?? 0
    if (count >= most) return false
    counts.set(key, count + 1)
    return true
  }
  const leave = (key: string): void => {
    const left = (counts.get(key) ?? 1) - 1
    if (left === 0) counts.delete(key)
    else counts.set(key, left)
  }
  /** `otherwise`: where as much is underway for this token as may be. */
  return <A, E, R>(token: Buffer, work: Effect.Effect<A, E, R>, otherwise: A): Effect.Effect<A, E, R> => {
    const key = token.toString("base64")
    return Effect.acquireUseRelease(
      Effect.sync(() => enter(key)),
      (isIn) => (isIn ? work : Effect.succeed(otherwise)),
      (isIn) => (isIn ? Effect.sync(() => leave(key)) : Effect.void)
    )
  }
}
