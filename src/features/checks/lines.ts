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

/** Rules that count from one line on: 0-based. */
interface Later {
  readonly rules: readonly (readonly [RegExp, ReadLine])[]
  readonly from: number
}

/** A problem for each line that fits; the first rule that fits takes it. */
export const problemsByLine = (
  family: string,
  text: string,
  rules: readonly (readonly [RegExp, ReadLine])[],
  later: Later = { rules: [], from: 0 }
): readonly Problem[] => {
  const lines = linesOf(text)
  const found: Problem[] = []
  const all = [...rules, ...later.rules]
  for (const [at, line] of lines.entries()) {
    if (found.length >= maxProblems) break
    for (const [pattern, read] of at < later.from ? rules : all) {
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
  readonly rules: readonly (readonly [RegExp, ReadLine])[]
  /** What the program's own log shows too while all goes well: nothing of it counts that stands before a summary by which all is well. */
  readonly logged?: readonly (readonly [RegExp, ReadLine])[]
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

/** The number of the line after the last match, 0 where there is none. */
const lineAfterLast = (text: string, pattern: RegExp): number => {
  const last = [...text.matchAll(new RegExp(pattern.source, `${pattern.flags}g`))].at(-1)
  return last === undefined ? 0 : text.slice(0, last.index + last[0].length).split("\n").length
}

/** A parser for which each problem is one line, and whose summaries, where it has any, are told by two patterns. */
export const byLine = ({
  failed,
  family,
  kind = "report",
  logged = [],
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
    const from = passed === undefined || logged.length === 0 ? 0 : lineAfterLast(text, passed)
    const problems = refined(problemsByLine(family, text, rules, { rules: logged, from }), text)
    const summary = problems.length > 0 ? undefined : failed?.exec(text)?.[0].trim()
    // A summary without what it sums up: the output was cut.
    if (summary !== undefined)
      return { problems: [{ family, code: "summary", message: summary }], verdict: "fail" }
    if (problems.length > 0) return { problems, verdict: "fail" }
    return { problems, verdict: passed?.test(text) === true ? "pass" : undefined }
  }
})
