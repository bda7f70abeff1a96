/** Finds where two values part: the first place, in the order in which they are written. */

export interface Parting {
  /** `stdout`, `events[1].data.command` … */
  readonly at: string
  readonly recorded: unknown
  readonly now: unknown
}

/** Whether two texts that are not the same may count as the same. */
export type Tolerance = (recorded: string, now: string) => boolean

export const strict: Tolerance = () => false

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null

const join = (path: string, key: string | number): string =>
  typeof key === "number" ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`

/** Undefined when nothing differs. A key that is missing and one that is `undefined` are the same, as they are in JSON. */
export const differ = (
  recorded: unknown,
  now: unknown,
  tolerance: Tolerance = strict,
  path = ""
): Parting | undefined => {
  if (Object.is(recorded, now)) return undefined
  if (typeof recorded === "string" && typeof now === "string" && tolerance(recorded, now)) return undefined
  if (Array.isArray(recorded) && Array.isArray(now)) {
    for (let index = 0; index < Math.max(recorded.length, now.length); index++) {
      const found = differ(recorded[index], now[index], tolerance, join(path, index))
      if (found) return found
    }
    return undefined
  }
  if (isObject(recorded) && isObject(now) && !Array.isArray(recorded) && !Array.isArray(now)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(now)])) {
      const found = differ(recorded[key], now[key], tolerance, join(path, key))
      if (found) return found
    }
    return undefined
  }
  return { at: path, recorded: recorded ?? null, now: now ?? null }
}
