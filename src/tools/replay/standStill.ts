/** Time and chance as they were for a recorded call: running it twice says the same twice. */

/** mulberry32, seeded by a text. */
export const seeded = (text: string): (() => number) => {
  let state = 0
  for (const char of text) state = (Math.imul(state, 31) + (char.codePointAt(0) ?? 0)) | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** From now on it is the time that `at` says. */
export const standStill = (at: () => number): void => {
  const RealDate = Date
  const Still = function (this: unknown, ...parts: unknown[]) {
    if (new.target === undefined) return new RealDate(at()).toString()
    return Reflect.construct(RealDate, parts.length === 0 ? [at()] : parts, new.target)
  } as unknown as DateConstructor
  Object.setPrototypeOf(Still, RealDate)
  Object.defineProperty(Still, "prototype", { value: RealDate.prototype })
  Object.defineProperty(Still, "now", { value: at, configurable: true, writable: true })
  globalThis.Date = Still
}
