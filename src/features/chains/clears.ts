/** Whether a call shows that a problem is gone. Pure. */
import type { Shown } from "../../../machines/chain.ts"
import type { Part } from "../checks/commandLine.ts"
import type { Judged } from "../checks/judge.ts"
import type { Problem } from "../checks/Problem.ts"
import type { ToolOutcome } from "../checks/ToolOutcome.ts"
import type { Chain } from "./Chain.ts"
import { askedLines, isOnePlace, isSameLines } from "./changedLines.ts"
import { baseOf, covering, coversTarget } from "./covers.ts"
import { touches } from "./evidence.ts"
import { best, isSameCall } from "./likeness.ts"
import { type Step, wordsIn } from "./Step.ts"
import { type Ran, ranOf } from "./Subject.ts"
import { isSpecific } from "./shown.ts"
import { isFiltered, isWhole } from "./wholeReport.ts"

export interface Clearing {
  readonly shown: Shown
  /** Of a shell call: the part that tells. */
  readonly ran?: Ran
  /** It is the very call that had failed. */
  readonly isSame: boolean
  /** It is about the same: the text in the file, or the words for a tool. */
  readonly isAkin: boolean
  /** Nothing but silence says that it went well. */
  readonly isSilent: boolean
  /** How many tests it ran, where a summary says. */
  readonly collected?: number | undefined
}

/** How much of what was meant has to be there again. */
const leastLike = 0.6

/** How far a run gets before it finds such a thing: what does not compile is not tested. */
const stageOf = ({ code = "", family, test }: Problem): number => {
  if (test !== undefined) return 3
  if (family === "shell" || family === "usage" || family === "unparsed" || code === "cd") return 0
  return 2
}

/** The test has passed this line by now; where its file was changed, nobody knows which line that is. */
const isFurther = (problem: Problem, again: Problem, steps: () => readonly Step[]): boolean =>
  problem.line !== undefined &&
  again.line !== undefined &&
  again.file === problem.file &&
  again.line > problem.line &&
  !steps().some((step) => touches(step, problem))

/** It found fault with something else, and had come as far as where this one would have shown. */
const gotThere = (chain: Chain, judged: Judged, ran: Ran, steps: () => readonly Step[]): boolean => {
  const problems = judged.problems.filter(({ family }) => family !== "unparsed")
  // A summary alone hides which problems there are.
  if (problems.length === 0 || [chain.problem, ...problems].some(({ code }) => code === "summary"))
    return false
  // Of an assertion it says little that it fails with other words now; an exception that is gone hid the next.
  const { test } = chain.problem
  const again = test === undefined ? undefined : problems.find((one) => one.test === test)
  if (again !== undefined && !isSpecific(chain.problem) && !isFurther(chain.problem, again, steps))
    return false
  const order = judged.line?.parts.map(({ name }) => name) ?? []
  const own = order.indexOf(ran.name)
  const later = problems.some(
    ({ family }) => order.findIndex((name, at) => at > own && family.startsWith(name)) > own
  )
  if (later) return true
  return (
    problems.every((problem) => stageOf(problem) >= stageOf(chain.problem)) &&
    problems.some(({ family }) => family === chain.problem.family)
  )
}

const settles = /^(?:add|commit|rm|checkout|restore|reset|merge|rebase|cherry-pick|stash drop|mergetool)$/

/** A conflict is over once git is told so. */
const byGit = ({ problem }: Chain, judged: Judged): Clearing | undefined => {
  if (judged.verdict === "fail") return undefined
  const { file = "" } = problem
  const part = judged.line?.parts.find(
    ({ name, options, targets, task }) =>
      name === "git" &&
      settles.test(task) &&
      (task !== "add" ||
        targets.some((one) => one === "." || coversTarget([one], file)) ||
        options.length > 0)
  )
  return part === undefined
    ? undefined
    : {
        shown: "proved",
        ran: ranOf(part),
        isSame: false,
        isAkin: true,
        isSilent: judged.verdict === "unknown"
      }
}

/** The same was asked again, and does not find the problem any more. */
const byCheck = (
  chain: Chain,
  failed: Ran,
  judged: Judged,
  steps: () => readonly Step[]
): Clearing | undefined => {
  const parts = judged.line?.parts ?? []
  const part = covering(chain, failed, parts)
  if (part === undefined) return undefined
  const ran = ranOf(part)
  const isSame = isSameCall(ran, failed)
  if (judged.verdict !== "fail") {
    if (isFiltered(parts, part) && !judged.isReported) return undefined
    const isSilent = judged.verdict === "unknown" || ran.folder !== failed.folder
    return { shown: "proved", ran, isSame, isAkin: true, isSilent, collected: judged.collected }
  }
  // Of a report that was cut, what is missing may be what was cut.
  return isWhole(chain.problem, judged, part) && gotThere(chain, judged, ran, steps)
    ? { shown: "cleared", ran, isSame, isAkin: true, isSilent: false, collected: judged.collected }
    : undefined
}

const onlyTells = /^(?:--?help|-h|--version|-V|-v)$/

/** The program that was not there is there now. */
const isFoundNow = ({ problem }: Chain, { name, options, role, targets, task }: Part): boolean =>
  problem.code === "command not found" &&
  name === problem.symbol &&
  role !== "say" &&
  ![task, ...options, ...targets].some((word) => onlyTells.test(word))

/** What was meant went well, however it was written. */
const byMeaning = (chain: Chain, failed: Ran, judged: Judged): Clearing | undefined => {
  if (judged.verdict === "fail") return undefined
  const parts = judged.line?.parts ?? []
  const isSilent = judged.verdict === "unknown"
  const found = parts.find((part) => isFoundNow(chain, part))
  const near = best(failed, parts)
  const ran = found === undefined ? near && near.like >= leastLike && near.ran : ranOf(found)
  return ran ? { shown: "proved", ran, isSame: isSameCall(ran, failed), isAkin: true, isSilent } : undefined
}

const sharesFile = (paths: readonly string[], others: readonly string[]): boolean =>
  paths.some((path) =>
    others.some(
      (other) =>
        other === path || (baseOf(other) === baseOf(path) && (other.endsWith(path) || path.endsWith(other)))
    )
  )

/** A part that writes names what it writes; a script or an editor of streams names it somewhere. */
const writesTo = ({ document, options, role, targets, writes }: Part, paths: readonly string[]): boolean => {
  if (role !== "act") return false
  const texts = writes.length > 0 ? writes : [...targets, ...options, document]
  return paths.some((path) => texts.some((text) => text.includes(baseOf(path))))
}

const keepsBooks = /^(?:git|gh|rm|mkdir|touch|chmod)$/

/** Half of what a tool was asked for is asked for again. */
const isAlike = (asked: string, others: string): boolean => {
  const words = wordsIn(asked)
  const there = new Set(wordsIn(others))
  return words.filter((word) => there.has(word)).length * 2 >= Math.min(words.length, there.size)
}

const byTool = (
  outcome: ToolOutcome,
  judged: Judged,
  name: string,
  paths: readonly string[],
  asked: string
): Clearing | undefined => {
  if (outcome.name !== name || judged.verdict === "fail" || outcome.told === "stopped") return undefined
  if (paths.length > 0 && !sharesFile(paths, outcome.paths)) return undefined
  const isAkin = paths.length > 0 || isAlike(asked, outcome.asked)
  return { shown: "proved", isSame: outcome.asked === asked, isAkin, isSilent: false }
}

const byEdit = (
  { asked, lines, paths }: Extract<Chain["subject"], { readonly type: "edit" }>,
  outcome: ToolOutcome,
  judged: Judged
): Clearing | undefined => {
  if (judged.verdict === "fail" || outcome.told === "stopped") return undefined
  if (outcome.kind === "edit" && sharesFile(paths, outcome.paths)) {
    const later = askedLines(outcome.took)
    const isSame = outcome.asked === asked && isSameLines(lines, later)
    return { shown: "proved", isSame, isAkin: isOnePlace(lines, later), isSilent: false }
  }
  const isWriting = judged.line?.parts.some((part) => !keepsBooks.test(part.name) && writesTo(part, paths))
  if (isWriting === true)
    return { shown: "proved", isSame: false, isAkin: false, isSilent: judged.verdict === "unknown" }
  return undefined
}

/** `steps`: what was done since it was last seen. Undefined where the call says nothing of it. A call that shows the problem again is no matter of this. */
export const clears = (
  chain: Chain,
  outcome: ToolOutcome,
  judged: Judged,
  steps: () => readonly Step[]
): Clearing | undefined => {
  const { subject } = chain
  switch (subject.type) {
    case "command":
      if (judged.line === undefined || outcome.told === "stopped") return undefined
      if (chain.problem.code === "conflict") return byGit(chain, judged)
      return subject.blame === "work"
        ? byCheck(chain, subject.ran, judged, steps)
        : byMeaning(chain, subject.ran, judged)
    case "edit":
      return byEdit(subject, outcome, judged)
    case "tool":
      return byTool(outcome, judged, subject.name, subject.paths, subject.asked)
  }
}
