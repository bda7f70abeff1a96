/** Tells when files were changed and are at rest again. What looks and what the time is are given: nothing here waits. */

/** For each path what it looks like; a file that is not there looks like one. */
export type Looks = ReadonlyMap<string, string>

export interface Change {
  readonly files: readonly string[]
  /** When they were last seen as before, milliseconds since 1970: whoever changed them did it after this. */
  readonly since: number
}

/** Of what is looked at now and was before: what came to be watched meanwhile has not changed. */
const differing = (before: Looks, now: Looks): readonly string[] =>
  [...now].filter(([path, looks]) => before.has(path) && before.get(path) !== looks).map(([path]) => path)

export const makeWatch = (
  look: () => Looks,
  now: () => number
): { readonly step: () => Change | undefined } => {
  let known = look()
  let lookedAt = now()
  let moving: { readonly since: number; readonly seen: Looks } | undefined
  return {
    step: () => {
      const at = now()
      const seen = look()
      if (moving === undefined) {
        if (differing(known, seen).length === 0) {
          known = seen
          lookedAt = at
        } else moving = { since: lookedAt, seen }
        return undefined
      }
      // An editor writes in several steps: a change is over when two looks find the same.
      if (differing(moving.seen, seen).length > 0) {
        moving = { ...moving, seen }
        return undefined
      }
      const { since } = moving
      const files = differing(known, seen)
      known = seen
      lookedAt = at
      moving = undefined
      return files.length === 0 ? undefined : { files, since }
    }
  }
}
