/** What is looked at several times in one moment is looked at once: a hook call asks the same folders for several reasons. */

let seen: Map<string, unknown> | undefined

/** What `look` finds at a path; within `atOnce`, what it found there first. `what` tells looks of different kinds apart. */
export const lookOnce = <A>(what: string, path: string, look: (path: string) => A): A => {
  if (seen === undefined) return look(path)
  const key = `${what} ${path}`
  const there = seen.get(key) as { readonly found: A } | undefined
  if (there !== undefined) return there.found
  const found = look(path)
  seen.set(key, { found })
  return found
}

/** Runs what takes one moment, and waits for nothing: a path is looked at once in it. */
export const atOnce = <A>(work: () => A): A => {
  if (seen !== undefined) return work()
  seen = new Map()
  try {
    return work()
  } finally {
    seen = undefined
  }
}
