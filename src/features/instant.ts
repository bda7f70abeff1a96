/** Shipped hooks that read what they are given, look at a few files and are over: a host runs them where it answers calls. */
const names: readonly string[] = ["guard-destructive", "own-guards"]

export const isInstant = (source: string | undefined): boolean =>
  names.some((name) => source === `hooktape:${name}`)

/** Whether a hook of this name stands between an agent and harm as it comes along. */
export const isGuard = (hook: string): boolean => names.includes(hook)
