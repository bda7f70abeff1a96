/** Which chain a problem belongs to that a call shows, and which chains a call tells the rest of. Pure. */
import type { Judged } from "../checks/judge.ts"
import type { Problem } from "../checks/Problem.ts"
import { type Chain, isOpen } from "./Chain.ts"
import { isOnePlace } from "./changedLines.ts"
import { isAimedAtTest } from "./covers.ts"
import { isSameCall } from "./likeness.ts"
import { ranOf, type Subject } from "./Subject.ts"
import type { ShownProblem } from "./shown.ts"

/** The same place of the same file is refused for the same reason, though more or less of its text was asked for. */
const isSamePlace = (chain: Chain, { code, family, file }: Problem, subject: Subject): boolean => {
  const known = chain.subject
  if (subject.type !== "edit" || known.type !== "edit" || family !== "misuse") return false
  const { problem } = chain
  const isSameKind = problem.family === family && problem.code === code && problem.file === file
  return isSameKind && isOnePlace(known.lines, subject.lines)
}

/** What is left of a report says only that something failed: of a run of one test it is that test. */
const isSummaryOf = (chain: Chain, shown: Problem, subject: Subject): boolean => {
  const { problem, subject: known } = chain
  if (!isOpen(chain)) return false
  if (shown.code !== "summary" || shown.family !== problem.family) return false
  if (subject.type !== "command" || known.type !== "command") return false
  const { ran } = subject
  return ran.name === known.ran.name && ran.task === known.ran.task && isAimedAtTest(ran, problem)
}

/** Undefined where it is a problem of its own. */
export const chainOf = (
  chains: readonly Chain[],
  { problem, signatures }: ShownProblem,
  subject: Subject
): Chain | undefined => {
  const known =
    chains.find((one) => signatures.includes(one.signature)) ??
    chains.find((one) => isSamePlace(one, problem, subject))
  if (known !== undefined) return known
  const [only, ...others] = chains.filter((one) => isSummaryOf(one, problem, subject))
  return others.length === 0 ? only : undefined
}

const isSummary = ({ code }: Problem): boolean => code === "summary"

/** Those that only say that something failed, where the same call shows what did. `isUntouched`: nothing was done since it was seen. */
export const toldInFull = (
  chains: readonly Chain[],
  { line, problems }: Judged,
  isUntouched: (chain: Chain) => boolean
): readonly Chain[] => {
  if (problems.length === 0 || problems.every(isSummary)) return []
  const parts = line?.parts ?? []
  return chains.filter((chain) => {
    const { problem, subject } = chain
    if (!isSummary(problem) || subject.type !== "command") return false
    return parts.some((part) => isSameCall(ranOf(part), subject.ran)) && isUntouched(chain)
  })
}
