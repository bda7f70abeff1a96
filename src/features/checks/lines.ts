/** What parsers share: reading an output line by line. Pure, linear in the text. */
import { maxProblems, type Parser, type Problem, type Report } from "./Problem.ts"
import { taskOutput } from "./taskOutput.ts"

/** Colours and movements, titles and links with either of their ends, sets of characters; what a cut left of one. */
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is meant for a terminal is what is taken out
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,4}[@-~]|\u001b[\]PX^_][^\u0007\u001b\n]{0,4000}(?:\u0007|\u001b\\)|\u001b[ -/]{1,2}[0-~]|\u001b(?:\[[0-?]{0,64})?/g

/** Runners put the name of the task before each line of what it prints. */
const taskNames = /^\[[a-z][\w-]*(?::[\w-]+)+\] /gm

export const plainText = (text: string): string => {
  const plain = text.replace(escapes, "")
  return taskOutput(plain.includes("] ") ? plain.replace(taskNames, "") : plain)
}

/** Lines beyond this length hold data, not messages. */
const longestLine = 2000

export const linesOf = (text: string): readonly string[] =>
  text.split("\n").map((line) => line.slice(0, longestLine).trimEnd())

/** A number that a report may leave out. */
export const lineNumber = (digits: string | undefined): { readonly line?: number } =>
  digits === undefined || digits === "" ? {} : { line: Number(digits) }

/** A field that a report may leave out. */
export const given = <K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } =>
  value === undefined || value === "" ? {} : ({ [key]: value } as { readonly [P in K]?: string })

export type ReadLine = (
  match: RegExpExecArray,
  lines: readonly string[],
  at: number
) => Omit<Problem, "family"> | undefined

type Rules = readonly (readonly [RegExp, ReadLine])[]

/** What a program's own log shows too while a run goes well: what was wrong where it stands anywhere else. */
interface Logged {
  readonly rules: Rules
  /** What a run begins with, as far as its beginning is shown. */
  readonly started: RegExp
  /** The summary of a run that went well. */
  readonly passed: RegExp
  /** The summary of one that did not. */
  readonly failed: RegExp
}

/** Of each line, whether it stands in a run that went well: between the last sign of its start and its summary. */
const inGoodRuns = (lines: readonly string[], { failed, passed, started }: Logged): readonly boolean[] => {
  const all = lines.map(() => false)
  let from = 0
  for (const [at, line] of lines.entries()) {
    if (passed.test(line)) all.fill(true, from, at)
    if (started.test(line) || passed.test(line) || failed.test(line)) from = at + 1
  }
  return all
}

/** A problem for each line that fits; the first rule that fits takes it. */
export const problemsByLine = (
  family: string,
  text: string,
  rules: Rules,
  logged?: Logged
): readonly Problem[] => {
  const lines = linesOf(text)
  const found: Problem[] = []
  const all = [...rules, ...(logged?.rules ?? [])]
  const isLog = logged === undefined ? [] : inGoodRuns(lines, logged)
  for (const [at, line] of lines.entries()) {
    if (found.length >= maxProblems) break
    for (const [pattern, read] of isLog[at] === true ? rules : all) {
      const match = pattern.exec(line)
      const problem = match && read(match, lines, at)
      if (!problem) continue
      found.push({ family, ...problem })
      break
    }
  }
  return found
}

interface ByLine {
  readonly family: string
  readonly kind?: Parser["kind"]
  readonly marks: RegExp
  readonly rules: Rules
  readonly logged?: Logged
  /** What the problems of a text say of each other: which of them is told by another, or where it is. */
  readonly refined?: (problems: readonly Problem[], text: string) => readonly Problem[]
  readonly failed?: RegExp
  readonly passed?: RegExp
}

/** A text that has the one or the other. */
const either = (patterns: readonly (RegExp | undefined)[]): RegExp => {
  const given = patterns.filter((one) => one !== undefined)
  const flags = new Set(given.flatMap((one) => [...one.flags]))
  return new RegExp(given.map(({ source }) => source).join("|"), [...flags].join(""))
}

/** A parser for which each problem is one line, and whose summaries, where it has any, are told by two patterns. */
export const byLine = ({
  failed,
  family,
  kind = "report",
  logged,
  marks,
  passed,
  refined = (problems) => problems,
  rules
}: ByLine): Parser => ({
  family,
  kind,
  // Where all is well there is often nothing but the summary.
  marks: either([marks, failed, passed]),
  parse: (text): Report => {
    const problems = refined(problemsByLine(family, text, rules, logged), text)
    const summary = problems.length > 0 ? undefined : failed?.exec(text)?.[0].trim()
    // A summary without what it sums up: the output was cut.
    if (summary !== undefined)
      return { problems: [{ family, code: "summary", message: summary }], verdict: "fail" }
    if (problems.length > 0) return { problems, verdict: "fail" }
    return { problems, verdict: passed?.test(text) === true ? "pass" : undefined }
  }
})
