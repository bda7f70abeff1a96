/** The problems that one call shows, each once. Pure. */
import type { Problem } from "../checks/Problem.ts"
import { knownFile, signatureOfProblem } from "../checks/signature.ts"

export interface ShownProblem {
  readonly problem: Problem
  readonly signature: string
  /** Its own, and those of the tests that fail for the same reason in the same run. */
  readonly signatures: readonly string[]
}

const isAssertion = /assert|\bexpect|\bshould\b|\bto (?:be|equal|match|have|contain)\b|\bwant(?:ed)?\b/i
const isException =
  /\b(?:[A-Z]\w*)?(?:Error|Exception)\b|\bundefined\b|\bnot (?:found|defined)\b|\bpanic|\bno such\b/

/** It names what went wrong; that two values differ may have as many reasons as there are tests. */
export const isSpecific = ({ code, message, symbol }: Problem): boolean =>
  !isAssertion.test(message) && (code !== undefined || symbol !== undefined || isException.test(message))

/** Tests of one run that fail for one reason fail with the same words, not only with words of the same kind. */
const reasonOf = (problem: Problem, signature: string): string => {
  const { code, family, message, symbol, test } = problem
  return test === undefined || !isSpecific(problem)
    ? signature
    : JSON.stringify([family, code, knownFile(problem), symbol, message])
}

/** What has one reason is one problem, told by the first that showed it. */
export const shownProblems = (problems: readonly Problem[]): readonly ShownProblem[] => {
  const kept = new Map<string, ShownProblem>()
  for (const problem of problems) {
    const signature = signatureOfProblem(problem)
    const reason = reasonOf(problem, signature)
    const known = kept.get(reason)
    if (known === undefined) kept.set(reason, { problem, signature, signatures: [signature] })
    else if (!known.signatures.includes(signature))
      kept.set(reason, { ...known, signatures: [...known.signatures, signature] })
  }
  return [...kept.values()]
}
