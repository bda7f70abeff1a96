/** Whether a tool call did what it was to do, and what was wrong where it did not. Pure. */
import { type CommandLine, type Part, readCommand, workOf } from "./commandLine.ts"
import { fallbackProblem, unparsed } from "./fallback.ts"
import { answersNo, isAnswer, isProbe, lineFailures, refusedLook } from "./looking.ts"
import type { Problem, Verdict } from "./Problem.ts"
import { type Reading, readMisuse, readReport } from "./report.ts"
import type { ToolOutcome } from "./ToolOutcome.ts"
import { testsIn } from "./testCount.ts"

export interface Judged {
  readonly verdict: Verdict
  /** Empty unless it failed. */
  readonly problems: readonly Problem[]
  /** Of a shell call. */
  readonly line: CommandLine | undefined
  /** The programs' own summary says that all is well, whatever the exit code tells. */
  readonly isReported: boolean
  /** How many tests were run, where a summary says. */
  readonly collected?: number | undefined
  /** Of a shell call: how many lines it showed. */
  readonly lines?: number
}

const well = (verdict: Verdict, line?: CommandLine, isReported = false): Judged => ({
  verdict,
  problems: [],
  line,
  isReported
})
/** A summary names no problem: the same words are the same problem only of the same call. */
const withCall = (problem: Problem, line: CommandLine | undefined): Problem => {
  const part = problem.code === "summary" && line !== undefined ? workOf(line).at(-1) : undefined
  return part === undefined
    ? problem
    : { ...problem, symbol: [part.name, part.task, ...part.targets].join(" ").trim() }
}

const failed = (all: readonly Problem[], line?: CommandLine): Judged => ({
  verdict: "fail",
  problems: all.map((problem) => withCall(problem, line)),
  line,
  isReported: true
})

const shellOutcome = ({ exitCode, text, told }: ToolOutcome, line: CommandLine): Judged => {
  const reading = readReport(text)
  if (told === "failed" || (exitCode ?? 0) !== 0) {
    const all = [...reading.problems, ...reading.traces]
    if (isAnswer(line, text, exitCode) || (isProbe(line) && reading.problems.length === 0))
      return well("unknown", line)
    const problems = reading.problems.length > 0 ? reading.problems : all
    return failed(problems.length > 0 ? problems : [fallbackProblem(text)], line)
  }
  return unfailed(line, reading, told, text)
}

/** How `go run`, make and script runners end when what they ran failed. */
const saysStatus =
  /^(?:exit status [1-9]\d*|.*\bexited with (?:code|error code|status) [1-9]\d*\.?|error: script ".+" exited with code [1-9]\d*)\s*$/m

/** Whoever ends well and only repeats the sum of a report, as a message of a commit does, did not fail; a check that ends so hides how it ended. */
const isBelieved = (works: readonly Part[], { problems }: Reading): boolean =>
  works.some(({ role }) => role === "check") ||
  problems.some(({ code, file, test }) => code !== "summary" && (file !== undefined || test !== undefined))

/** The exit code says nothing, or nothing bad: a report may. */
const unfailed = (line: CommandLine, reading: Reading, told: ToolOutcome["told"], text: string): Judged => {
  const works = workOf(line)
  const isLook = works.every(({ role }) => role === "look" || role === "ask")
  if (isLook) {
    const refused = refusedLook(line, text)
    const lost = told === "untold" ? lineFailures(reading, text) : []
    const problems = refused === undefined ? lost : [refused]
    return problems.length > 0 ? failed(problems, line) : well(told === "untold" ? "unknown" : "pass", line)
  }
  const isTrusted = told === "ok" && !line.isMasked
  if (reading.verdict === "fail" && (!isTrusted || isBelieved(works, reading)))
    return failed(
      reading.problems.length > 0 ? reading.problems : [...reading.traces, fallbackOf(reading)].slice(0, 1),
      line
    )
  if (reading.verdict === "pass") return well("pass", line, true)
  if (told === "untold" && saysStatus.test(text))
    return failed([...reading.traces, fallbackProblem(text.replace(saysStatus, ""))].slice(0, 1), line)
  const traces = isTrusted ? [] : reading.atEnd
  if (traces.length > 0) return failed(traces, line)
  return well(isTrusted ? "pass" : "unknown", line)
}

const fallbackOf = ({ traces }: Reading): Problem =>
  traces[0] ?? { family: unparsed, message: "a check failed" }

/** Tools that only look: what is not there is an answer. */
const looking = new Set<ToolOutcome["kind"]>(["read", "search", "web", "task"])

const deniedProblem = ({ asked, name, paths, text }: ToolOutcome): Problem => {
  const said =
    text
      .replace(/^PreToolUse:\S+ hook \w+ ?\w*: (?:\[[^\]]*\]: )?/, "")
      .split("\n")
      .find((line) => line.trim() !== "") ?? ""
  const [file] = paths
  return {
    family: "denied",
    code: name,
    message: said.slice(0, 200),
    ...(file === undefined ? {} : { file }),
    ...(file === undefined ? { symbol: asked.slice(0, 60) } : {})
  }
}

/** The tool's own program cannot be started: it is the same problem whichever tool wanted it, and for whatever file. */
const notStarted =
  /\bspawn ['"]?([^\s'"]+)['"]? (?:ENOENT|EACCES|ENOEXEC)\b|\b(?:ENOENT|EACCES|ENOEXEC)\b.{0,60}\b(?:posix_)?spawn ['"]?([^\s'"]+)/

/** Told of a call that has no end, as its text. */
export const notEnded = "the call did not end, and was made again"

const toolProblem = ({ asked, kind, name, paths, text }: ToolOutcome): Problem => {
  if (text === notEnded) return { family: "unended", code: name, message: notEnded }
  const [known] = readMisuse(text)
  const [file] = paths
  const place = file === undefined ? {} : { file }
  if (known !== undefined)
    return { ...known, ...place, ...(known.code === "text not found" ? { symbol: asked.slice(0, 60) } : {}) }
  const problem = fallbackProblem(text)
  const [, program, otherwise] = notStarted.exec(problem.message) ?? []
  const started = program ?? otherwise
  if (started !== undefined)
    return {
      family: "tool",
      code: "cannot start",
      symbol: started.split(/[\\/]/).at(-1) ?? started,
      message: problem.message
    }
  return { ...problem, family: kind === "mcp" ? "mcp" : "tool", code: name, ...place }
}

const toolOutcome = (outcome: ToolOutcome): Judged => {
  const { kind, text, told } = outcome
  if (told === "ok" || told === "untold") return well("pass")
  if (looking.has(kind) && answersNo.test(text) && !/spawn/.test(text)) return well("unknown")
  return failed([toolProblem(outcome)])
}

const judgeAnew = (outcome: ToolOutcome): Judged => {
  if (outcome.told === "stopped") return well("unknown")
  const line = outcome.kind === "shell" ? readCommand(outcome.command ?? "", outcome.cwd ?? "") : undefined
  if (outcome.told === "denied") return failed([deniedProblem(outcome)], line)
  if (outcome.told === "rejected") {
    const isAnswered = looking.has(outcome.kind) && answersNo.test(outcome.text)
    return isAnswered ? well("unknown") : failed([toolProblem(outcome)], line)
  }
  return line !== undefined
    ? {
        ...shellOutcome(outcome, line),
        collected: testsIn(outcome.text),
        lines: outcome.text.replace(/\n$/, "").split("\n").length
      }
    : toolOutcome(outcome)
}

const judgedBefore = new WeakMap<ToolOutcome, Judged>()

/** Whoever follows a call and counts it asks twice for the same. */
export const judge = (outcome: ToolOutcome): Judged => {
  const before = judgedBefore.get(outcome)
  if (before !== undefined) return before
  const judged = judgeAnew(outcome)
  judgedBefore.set(outcome, judged)
  return judged
}
