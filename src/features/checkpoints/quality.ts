/** How good the work stands, from 0 to 100, told by evidence alone. Pure; whatever has no evidence has no say. */
import type { QualityPart } from "../../../events/eventData.ts"

/** The last time something was run. */
export interface Outcome {
  readonly command: string
  readonly passed: boolean
  /** Files that were edited since. */
  readonly editedSince: number
}

/** Of each: undefined where nobody can tell. */
export interface Evidence {
  readonly tests?: Outcome | undefined
  readonly build?: Outcome | undefined
  readonly types?: Outcome | undefined
  readonly lint?: Outcome | undefined
  /** Errors among the results of tools, and those of them after which nothing went well. What checks found has parts of its own. */
  readonly errors?:
    | { readonly seen: number; readonly results: number; readonly unresolved: number; readonly last?: string }
    | undefined
  readonly blocks?: { readonly actions: number; readonly blocked: number } | undefined
  /** What git has not yet got. */
  readonly changes?: { readonly files: number; readonly lines: number } | undefined
  readonly feedback?: { readonly praise: number; readonly corrections: number } | undefined
}

export interface Quality {
  /** 0–100, whole. */
  readonly quality: number
  readonly components: readonly QualityPart[]
}

interface Judged {
  readonly score: number
  readonly reason: string
}

const clamp = (score: number): number => Math.round(Math.max(0, Math.min(100, score)))

const many = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`

const shown = (command: string): string => (command.length <= 60 ? command : `${command.slice(0, 59)}…`)

/** Having failed weighs differently; that it passed before the last edit is worth less than after. */
const run =
  (failing: number) =>
  ({ command, editedSince, passed }: Outcome): Judged => {
    const since = editedSince === 0 ? "" : `, and ${many(editedSince, "file")} edited since`
    return passed
      ? { score: editedSince === 0 ? 100 : 75, reason: `\`${shown(command)}\` passed${since}` }
      : { score: failing, reason: `\`${shown(command)}\` failed${since}` }
  }

const errors = ({ last, results, seen, unresolved }: NonNullable<Evidence["errors"]>): Judged => {
  if (seen === 0)
    return { score: 100, reason: `no error in ${many(results, "result")} of tools, checks aside` }
  const what = last === undefined || unresolved === 0 ? "" : `, the last: ${shown(last.split("\n")[0] ?? "")}`
  return { score: 100 - 25 * unresolved, reason: `${unresolved} of ${many(seen, "error")} unresolved${what}` }
}

const blocks = ({ actions, blocked }: NonNullable<Evidence["blocks"]>): Judged => ({
  score: 100 - 20 * blocked,
  reason:
    blocked === 0
      ? `none of ${many(actions, "action")} was blocked`
      : `${many(blocked, "action")} blocked by hooks`
})

const easyFiles = 10
const easyLines = 400
const hardFiles = 60
const hardLines = 4000

const changes = ({ files, lines }: NonNullable<Evidence["changes"]>): Judged => {
  if (files === 0) return { score: 100, reason: "nothing is uncommitted" }
  const share = (value: number, easy: number, hard: number) => Math.max(0, (value - easy) / (hard - easy))
  const load = Math.max(share(files, easyFiles, hardFiles), share(lines, easyLines, hardLines))
  return { score: 100 * (1 - load), reason: `${many(files, "file")} with ${many(lines, "line")} uncommitted` }
}

const feedback = ({ corrections, praise }: NonNullable<Evidence["feedback"]>): Judged => ({
  score: (100 * praise) / (praise + corrections),
  reason: `${many(corrections, "correction")}, praised ${praise === 1 ? "once" : `${praise} times`}`
})

type Name = keyof Evidence

/** Each part's share where all of them have evidence. They add up to 1. */
export const shares: Readonly<Record<Name, number>> = {
  tests: 0.35,
  build: 0.15,
  types: 0.1,
  lint: 0.1,
  errors: 0.1,
  blocks: 0.05,
  changes: 0.1,
  feedback: 0.05
}

const judges: { readonly [N in Name]: (evidence: NonNullable<Evidence[N]>) => Judged } = {
  tests: run(0),
  build: run(0),
  types: run(20),
  lint: run(40),
  errors,
  blocks,
  changes,
  feedback
}

const none: Readonly<Record<Name, string>> = {
  tests: "no test run was seen",
  build: "no build was seen",
  types: "no type check was seen",
  lint: "no lint run was seen",
  errors: "no result of a tool was seen, checks aside",
  blocks: "no action was seen",
  changes: "not a git repository",
  feedback: "nobody said anything of it"
}

const nothingDone = "nothing is uncommitted, and nothing was seen done"

/** Where nothing at all is known: neither good nor bad enough to be turned down for. */
export const unknownQuality = 60

const names = Object.keys(shares) as readonly Name[]

/** Nothing uncommitted is well only where something was done. */
const isUntouched = ({ changes, ...others }: Evidence): boolean =>
  changes?.files === 0 && Object.values(others).every((one) => one === undefined)

const judge = <N extends Name>(name: N, evidence: Evidence): Judged | undefined => {
  const given = evidence[name]
  return given === undefined ? undefined : judges[name](given as NonNullable<Evidence[N]>)
}

/** `why`: what is said of a part without evidence, where there is more to say than that there is none. */
export const qualityOf = (given: Evidence, why: Partial<Record<Name, string>> = {}): Quality => {
  const untouched = isUntouched(given)
  const evidence: Evidence = untouched ? {} : given
  const judged = names.map((name) => [name, judge(name, evidence)] as const)
  const total = judged.reduce((sum, [name, one]) => sum + (one === undefined ? 0 : shares[name]), 0)
  const components = judged.map(([name, one]): QualityPart => {
    if (one === undefined)
      return {
        name,
        weight: 0,
        reason: why[name] ?? (untouched && name === "changes" ? nothingDone : none[name])
      }
    return {
      name,
      weight: Math.round((shares[name] / total) * 1e6) / 1e6,
      score: clamp(one.score),
      reason: one.reason
    }
  })
  const quality = components.reduce((sum, { score = 0, weight }) => sum + score * weight, 0)
  return { quality: total === 0 ? unknownQuality : clamp(quality), components }
}
