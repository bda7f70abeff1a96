/** Whether a call that only looked or asked was given an answer, or was not understood. Pure. */
import type { CommandLine, Part } from "./commandLine.ts"
import { linesOf } from "./lines.ts"
import type { Problem } from "./Problem.ts"
import { usage } from "./parsers/usage.ts"
import type { Reading } from "./report.ts"

/** A look at something that is not there, or too large, is an answer. */
export const answersNo =
  /does not exist|no such file|not found|ENOENT: no such file|exceeds maximum|too large|EISDIR|is a directory|Path does not exist|File is empty|No files found|wasn't found/i

/** The shell, or the program that looks, did not understand how it was called: no answer. */
const isMiscalled =
  /^fatal: |\bcd: |^cd:|can't cd|command not found|parse error near|syntax error|(?:illegal|unknown|unrecogni[sz]ed|invalid) (?:option|flag)|unknown shorthand flag|accepts at most|unexpected argument|^(?:\(eval\)|zsh):\d+: (?!no matches found|no such file)/im

/** What was asked for is not there: git and gh say so in the words of an error. */
const isNone =
  /^fatal: (?:no upstream configured|no tag exactly matches|no names found|needed a single revision|ref \S+ is not a symbolic ref)|^error: no such remote|^no (?:open )?pull requests? found/im

const isUnderstood = (text: string): boolean => isNone.test(text) || !isMiscalled.test(text)

/** Exit codes of an answer: no match, a difference, nothing there. */
export const isAnswer = ({ parts }: CommandLine, text: string, exitCode: number | undefined): boolean => {
  const acting = parts.filter(({ role }) => role !== "say" && role !== "move")
  if (acting.length === 0) return !/\bcd\b|no such file or directory/i.test(text)
  if (acting.every(({ role }) => role === "ask")) return true
  if (acting.every(({ role }) => role === "look" || role === "ask")) return isUnderstood(text)
  // The last part only looked or asked, and said nothing: what stands before it went well.
  const last = parts.at(-1) as Part
  const isQuiet = !/error|fail|fatal|denied|not found|no such/i.test(text)
  return exitCode === 1 && (last.role === "ask" || last.role === "look" || last.role === "say") && isQuiet
}

/** Asks a server or a file, and reads the answer with a script in the line itself: nothing was to be done. */
export const isProbe = ({ parts }: CommandLine): boolean => {
  const acting = parts.filter(({ role }) => role === "act")
  const isReading = ({ document, name, options, targets }: Part): boolean =>
    /^(?:python|node|ruby|perl|curl|true)$/.test(name) &&
    document === "" &&
    (name === "curl" || options.some((one) => /^-[ce]\b/.test(one)) || targets.length === 0)
  const isPiped = parts.some(({ next, role }) => role === "look" && next === "|")
  if (isPiped && acting.length > 0 && acting.every(isReading)) return true
  const isFetched = parts.some(
    ({ name, next }, at) =>
      name === "curl" && next === "|" && /^(?:python|node|ruby|perl)$/.test(parts[at + 1]?.name ?? "")
  )
  return isFetched && acting.every(({ name }) => /^(?:pip|pip3|curl|python|node|npm)$/.test(name))
}

/** What the shell, or git, says where a line came to nothing; that there is no such thing is an answer. */
export const lineFailures = ({ atEnd }: Reading, text: string): readonly Problem[] =>
  isNone.test(text)
    ? []
    : atEnd.filter(
        ({ code, family }) =>
          (family === "shell" && code === "command not found") || code === "cd" || code === "fatal"
      )

const isOptionOf = (part: Part, symbol: string): boolean => {
  const wanted = symbol.replace(/^-+/, "")
  return (
    wanted !== "" &&
    part.options.some((option) =>
      option.startsWith("--") ? option.slice(2).split(/[ =]/)[0] === wanted : option.slice(1).includes(wanted)
    )
  )
}

/** In a pipe nobody is told that a program did not take its option: it says so before all else, and names one that the line has. */
export const refusedLook = ({ parts }: CommandLine, text: string): Problem | undefined => {
  const first = linesOf(text).find((line) => line.trim() !== "") ?? ""
  const [problem] = usage.marks.test(first) ? usage.parse(first).problems : []
  const isNamed = parts.some(
    (part) => part.next === "|" && problem?.symbol !== undefined && isOptionOf(part, problem.symbol)
  )
  return isNamed ? problem : undefined
}
