/** What has to go well for a problem to be gone: the part of a command line, the file, the tool in which it was met. Pure. */
import type { Part } from "../checks/commandLine.ts"
import { type CommandLine, workOf } from "../checks/commandLine.ts"
import type { Judged } from "../checks/judge.ts"
import type { Problem } from "../checks/Problem.ts"
import type { ToolOutcome } from "../checks/ToolOutcome.ts"
import { askedLines } from "./changedLines.ts"
import { programs } from "./programs.ts"

/**
 * `work`: what was run found fault with something else, such as a source file; it is run again as it is. `call`: the call itself was wrong, or what
 * it needs was not there.
 */
export type Blame = "work" | "call"

/** As much of a program's call as tells it from others. */
export interface Ran {
  readonly name: string
  readonly task: string
  readonly options: readonly string[]
  readonly targets: readonly string[]
  readonly folder: string
  readonly purpose: string | undefined
}

export type Subject =
  | { readonly type: "command"; readonly blame: Blame; readonly ran: Ran }
  | {
      readonly type: "edit"
      readonly paths: readonly string[]
      readonly asked: string
      /** The lines that it was to take the place of. */
      readonly lines: readonly string[]
    }
  | {
      readonly type: "tool"
      readonly name: string
      readonly asked: string
      readonly paths: readonly string[]
    }

const longestWord = 200
const maxWords = 24

const bounded = (words: readonly string[]): readonly string[] =>
  words.slice(0, maxWords).map((word) => word.slice(0, longestWord))

export const ranOf = ({ document, folder, name, options, purpose, targets, task }: Part): Ran => ({
  name,
  task: task.slice(0, longestWord),
  options: bounded(options),
  targets: bounded(document === "" ? targets : [...targets, ...codeWords(document)]),
  folder,
  purpose
})

/** What a document in the line speaks of. */
const codeWords = (document: string): readonly string[] =>
  [...new Set(document.slice(0, 4000).match(/[A-Za-z_][\w./-]{3,60}/g) ?? [])].slice(0, maxWords)

const baseOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path

/** The part of the line that failed: the program the problem speaks of, else the last that works. */
const failingPart = (line: CommandLine, problem: Problem): Part | undefined => {
  const works = workOf(line)
  if (problem.code === "command not found") {
    const named = line.parts.find(({ name }) => name === problem.symbol)
    if (named !== undefined) return named
  }
  const own = programs[problem.family]
  const byProgram = own && line.parts.findLast(({ name, role }) => own.test(name) && role !== "say")
  if (byProgram !== undefined) return byProgram
  const file = problem.file && baseOf(problem.file)
  if (problem.family === "shell" && file !== undefined) {
    const naming = line.parts.find(
      ({ role, targets }) => role !== "move" && targets.some((one) => baseOf(one) === file)
    )
    if (naming !== undefined) return naming
  }
  return works.at(-1) ?? line.parts.at(-1)
}

const calls = new Set([
  "shell",
  "usage",
  "git",
  "packages",
  "docker",
  "remote",
  "unparsed",
  "make",
  "unended"
])
const callCodes = new Set(["usage", "go", "cargo", "Mix"])

/** What a check prints is what it checked, unless the shell never came to start it. */
const unstarted = new Set(["command not found", "cd", "usage", "missing script"])

const blameOf = (problem: Problem, { purpose }: Part): Blame => {
  const { code = "", family } = problem
  if (family === "git" && code === "conflict") return "work"
  if (purpose !== undefined && purpose !== "build" && !unstarted.has(code) && !callCodes.has(code))
    return "work"
  return calls.has(family) || callCodes.has(code) ? "call" : "work"
}

export const subjectOf = (outcome: ToolOutcome, { line }: Judged, problem: Problem): Subject => {
  const part = line && failingPart(line, problem)
  if (part !== undefined) return { type: "command", blame: blameOf(problem, part), ran: ranOf(part) }
  if (outcome.kind === "edit")
    return {
      type: "edit",
      paths: outcome.paths.slice(0, maxWords),
      asked: outcome.asked,
      lines: askedLines(outcome.took)
    }
  return { type: "tool", name: outcome.name, asked: outcome.asked, paths: outcome.paths }
}
