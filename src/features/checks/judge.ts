/** Whether a tool call did what it was to do, and what was wrong where it did not. Pure. */
import { type CommandLine, type Part, readCommand, workOf } from "./commandLine.ts"
import { fallbackProblem, unparsed } from "./fallback.ts"
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

/** A look at something that is not there, or too large, is an answer. */
const answersNo =
  /does not exist|no such file|not found|ENOENT: no such file|exceeds maximum|too large|EISDIR|is a directory|Path does not exist|File is empty|No files found|wasn't found/i

/** The shell, or the program that looks, did not understand how it was called: no answer. */
const isMiscalled =
  /^fatal: |\bcd: |^cd:|can't cd|command not found|parse error near|syntax error|(?:illegal|unknown|unrecogni[sz]ed|invalid) (?:option|flag)|unknown shorthand flag|accepts at most|unexpected argument/im

/** Exit codes of an answer: no match, a difference, nothing there. */
const isAnswer = ({ parts }: CommandLine, text: string, exitCode: number | undefined): boolean => {
  const acting = parts.filter(({ role }) => role !== "say" && role !== "move")
  if (acting.length === 0) return !/\bcd\b|no such file or directory/i.test(text)
  if (acting.every(({ role }) => role === "ask")) return true
  if (acting.every(({ role }) => role === "look" || role === "ask")) return !isMiscalled.test(text)
  // The last part only looked or asked, and said nothing: what stands before it went well.
  const last = parts.at(-1) as Part
  const isQuiet = !/error|fail|fatal|denied|not found|no such/i.test(text)
  return exitCode === 1 && (last.role === "ask" || last.role === "look" || last.role === "say") && isQuiet
}

/** Asks a server or a file, and reads the answer with a script in the line itself: nothing was to be done. */
const isProbe = ({ parts }: CommandLine): boolean =>
  (parts.some(({ next, role }) => role === "look" && next === "|") &&
    parts
      .filter(({ role }) => role === "act")
      .every(
        ({ document, name, options, targets }) =>
          /^(?:python|node|ruby|perl|curl|true)$/.test(name) &&
          document === "" &&
          (name === "curl" || options.some((one) => /^-[ce]\b/.test(one)) || targets.length === 0)
      )) ||
  (parts.some(
    ({ name, next }, at) =>
      name === "curl" && next === "|" && /^(?:python|node|ruby|perl)$/.test(parts[at + 1]?.name ?? "")
  ) &&
    parts.filter(({ role, name }) => role === "act" && !/^(?:pip|pip3|curl|python|node|npm)$/.test(name))
      .length === 0)

const shellOutcome = (outcome: ToolOutcome): Judged => {
  const { command = "", cwd, exitCode, text, told } = outcome
  const line = readCommand(command, cwd ?? "")
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
  if (isLook && !lineFails(reading, told)) return well(told === "untold" ? "unknown" : "pass", line)
  const isTrusted = told === "ok" && !line.isMasked
  if (!isLook && reading.verdict === "fail" && (!isTrusted || isBelieved(works, reading)))
    return failed(
      reading.problems.length > 0 ? reading.problems : [...reading.traces, fallbackOf(reading)].slice(0, 1),
      line
    )
  if (reading.verdict === "pass") return well("pass", line, true)
  if (told === "untold" && !isLook && saysStatus.test(text))
    return failed([...reading.traces, fallbackProblem(text.replace(saysStatus, ""))].slice(0, 1), line)
  const traces = isTrusted ? [] : reading.atEnd
  if (traces.length > 0 && !isLook) return failed(traces, line)
  if (isLook && told === "untold") {
    const own = reading.atEnd.filter(
      ({ code, family }) =>
        (family === "shell" && code === "command not found") || code === "cd" || code === "fatal"
    )
    if (own.length > 0) return failed(own, line)
  }
  return well(isTrusted ? "pass" : "unknown", line)
}

const lineFails = (reading: Reading, told: ToolOutcome["told"]): boolean =>
  told === "untold" &&
  reading.atEnd.some(({ code }) => code === "command not found" || code === "cd" || code === "fatal")

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

export const judge = (outcome: ToolOutcome): Judged => {
  if (outcome.told === "stopped") return well("unknown")
  const line = outcome.kind === "shell" ? readCommand(outcome.command ?? "", outcome.cwd ?? "") : undefined
  if (outcome.told === "denied") return failed([deniedProblem(outcome)], line)
  if (outcome.told === "rejected") {
    const problem = toolProblem(outcome)
    return failed([problem], line)
  }
  return outcome.kind === "shell"
    ? { ...shellOutcome(outcome), collected: testsIn(outcome.text) }
    : toolOutcome(outcome)
}
