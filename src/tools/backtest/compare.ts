/** One case: what was decided then against what today's hooks say. Pure. */
import { type Case, type HookRuling, type Judged, type Ruling, type Rulings, strictness } from "./Case.ts"

export interface HookCompared {
  readonly hook: string
  readonly before: Ruling
  readonly now: Ruling
  readonly reason: string | null
  readonly ms: number | undefined
  readonly missing: string | undefined
  /** What it threw. */
  readonly failed: string | undefined
}

export interface Compared {
  readonly kind: "same" | "stricter" | "looser" | "notReplayable" | "untold"
  readonly hooks: readonly HookCompared[]
  /** The hook that makes the difference. */
  readonly by: HookCompared | undefined
}

const strictestOf = (rulings: Iterable<Ruling>): Ruling => {
  const all = [...rulings]
  // A hook that allows opens what others say nothing of.
  return all.some((one) => one !== "none")
    ? all
        .filter((one) => one !== "none")
        .reduce((most, one) => (strictness[one] > strictness[most] ? one : most))
    : "none"
}

/** One hook may be asked for several events of a call; what it says most strictly counts, and what it lacked anywhere. */
const byHook = (judged: Judged): ReadonlyMap<string, HookRuling> => {
  const found = new Map<string, HookRuling>()
  for (const one of judged.hooks) {
    const before = found.get(one.hook)
    if (before === undefined) {
      found.set(one.hook, one)
      continue
    }
    const strict = strictness[one.ruling] > strictness[before.ruling] ? one : before
    const missing = before.missing ?? one.missing
    const failed = before.failed ?? one.failed
    found.set(one.hook, {
      ...strict,
      ms: before.ms + one.ms,
      ...(missing === undefined ? {} : { missing }),
      ...(failed === undefined ? {} : { failed })
    })
  }
  return found
}

/** Names of hooks, some of which may be found only as calls are asked about. */
export type Names = Pick<ReadonlySet<string>, "has">

/** `before`: by hook, what they are compared with. `hooks`: only these count, where only some were asked. */
export const compare = (before: Rulings | undefined, judged: Judged, hooks: Names | undefined): Compared => {
  const now = byHook(judged)
  const counts = (name: string): boolean => hooks === undefined || hooks.has(name) || name === "hooktape"
  const names = [...new Set([...now.keys(), ...(before?.keys() ?? [])])].filter(counts)
  const all = names.map((hook): HookCompared => {
    const one = now.get(hook)
    return {
      hook,
      before: before?.get(hook) ?? "none",
      now: one?.ruling ?? "none",
      reason: one?.reason ?? null,
      ms: one?.ms,
      missing: one?.missing,
      failed: one?.failed
    }
  })
  const told = all.filter(({ missing }) => missing === undefined)
  const isBlockedAnyway = told.some((one) => one.now === "block")
  const nowAll = strictestOf(told.map((one) => one.now))
  if (before === undefined) return { kind: isBlockedAnyway ? "same" : "untold", hooks: all, by: undefined }
  if (told.length === 0 && all.length > 0) return { kind: "notReplayable", hooks: all, by: undefined }
  const thenAll = strictestOf(told.map((one) => one.before))
  const apart = strictness[nowAll] - strictness[thenAll]
  if (apart === 0) return { kind: "same", hooks: all, by: undefined }
  const [by] =
    apart > 0 ? told.filter((one) => one.now === nowAll) : told.filter((one) => one.before === thenAll)
  return { kind: apart > 0 ? "stricter" : "looser", hooks: all, by }
}

/** What another build says takes the place of what was recorded; what it lacked cannot be compared. */
export const asBaseline = (
  judged: Judged
): { readonly before: Rulings; readonly missing: ReadonlyMap<string, string> } => {
  const all = byHook(judged)
  return {
    before: new Map([...all].map(([hook, { ruling }]) => [hook, ruling])),
    missing: new Map(
      [...all].flatMap(([hook, { missing }]) => (missing === undefined ? [] : [[hook, missing]]))
    )
  }
}

/** Marks what the other side lacked as not to be compared. */
export const withMissing = (judged: Judged, missing: ReadonlyMap<string, string>): Judged => ({
  ...judged,
  hooks: judged.hooks.map((one) => {
    const lacked = one.missing ?? missing.get(one.hook)
    return lacked === undefined ? one : { ...one, missing: lacked }
  })
})

/** Calls of a turn go together; where an agent names no turn, its prompts tell. */
export const turnOf = (
  { at, session, subagent, turn }: Pick<Case, "at" | "session" | "subagent" | "turn">,
  prompts: readonly number[]
): string => {
  const nth = turn ?? `prompt ${prompts.filter((one) => one <= at).length}`
  return [session, subagent ?? "", nth].join("\0")
}
