/** Reads what programs print, with every parser that finds its marks there. Pure. */
import { linesOf } from "./lines.ts"
import { maxProblems, nothingReported, type Parser, type Problem, type Report } from "./Problem.ts"
import { bats } from "./parsers/bats.ts"
import { biome } from "./parsers/biome.ts"
import { black } from "./parsers/black.ts"
import { bundlers } from "./parsers/bundlers.ts"
import { bunTest } from "./parsers/bunTest.ts"
import { cargo } from "./parsers/cargo.ts"
import { checklist } from "./parsers/checklist.ts"
import { ctest } from "./parsers/ctest.ts"
import { dartTest } from "./parsers/dartTest.ts"
import { denoTest } from "./parsers/denoTest.ts"
import { docker } from "./parsers/docker.ts"
import { dotnet } from "./parsers/dotnet.ts"
import { eslint } from "./parsers/eslint.ts"
import { gcc } from "./parsers/gcc.ts"
import { git } from "./parsers/git.ts"
import { gitConflict } from "./parsers/gitConflict.ts"
import { go } from "./parsers/go.ts"
import { goPanic } from "./parsers/goPanic.ts"
import { goTestJson } from "./parsers/goTestJson.ts"
import { gradle } from "./parsers/gradle.ts"
import { gtest } from "./parsers/gtest.ts"
import { jest } from "./parsers/jest.ts"
import { jsTrace } from "./parsers/jsTrace.ts"
import { jvmTrace } from "./parsers/jvmTrace.ts"
import { make } from "./parsers/make.ts"
import { markdownlint } from "./parsers/markdownlint.ts"
import { maven } from "./parsers/maven.ts"
import { misuse } from "./parsers/misuse.ts"
import { mix } from "./parsers/mix.ts"
import { mixFormat } from "./parsers/mixFormat.ts"
import { mixWarnings } from "./parsers/mixWarnings.ts"
import { mocha } from "./parsers/mocha.ts"
import { mypy } from "./parsers/mypy.ts"
import { nextest } from "./parsers/nextest.ts"
import { nodeTest } from "./parsers/nodeTest.ts"
import { packages } from "./parsers/packages.ts"
import { pest } from "./parsers/pest.ts"
import { php } from "./parsers/php.ts"
import { playwright } from "./parsers/playwright.ts"
import { prettier } from "./parsers/prettier.ts"
import { prove } from "./parsers/prove.ts"
import { pyright } from "./parsers/pyright.ts"
import { pytest } from "./parsers/pytest.ts"
import { pythonTrace } from "./parsers/pythonTrace.ts"
import { remote } from "./parsers/remote.ts"
import { rspec } from "./parsers/rspec.ts"
import { rubocop } from "./parsers/rubocop.ts"
import { rubyTrace } from "./parsers/rubyTrace.ts"
import { ruff } from "./parsers/ruff.ts"
import { rustPanic } from "./parsers/rustPanic.ts"
import { sbt } from "./parsers/sbt.ts"
import { shell } from "./parsers/shell.ts"
import { shellcheck } from "./parsers/shellcheck.ts"
import { svelteCheck } from "./parsers/svelteCheck.ts"
import { swift } from "./parsers/swift.ts"
import { terraform } from "./parsers/terraform.ts"
import { tsc } from "./parsers/tsc.ts"
import { unittest } from "./parsers/unittest.ts"
import { usage } from "./parsers/usage.ts"
import { vitest } from "./parsers/vitest.ts"

/** Those that name a place come before those that only repeat that something failed. */
const parsers: readonly Parser[] = [
  tsc,
  eslint,
  biome,
  prettier,
  vitest,
  jest,
  bunTest,
  mocha,
  denoTest,
  nodeTest,
  playwright,
  pytest,
  unittest,
  mypy,
  pyright,
  ruff,
  black,
  go,
  goTestJson,
  cargo,
  nextest,
  gtest,
  ctest,
  gcc,
  bats,
  mix,
  mixFormat,
  mixWarnings,
  maven,
  gradle,
  dotnet,
  sbt,
  dartTest,
  swift,
  rspec,
  rubocop,
  pest,
  php,
  prove,
  svelteCheck,
  markdownlint,
  shellcheck,
  terraform,
  bundlers,
  make,
  gitConflict,
  pythonTrace,
  jsTrace,
  goPanic,
  rustPanic,
  jvmTrace,
  rubyTrace,
  git,
  packages,
  docker,
  shell,
  usage,
  remote,
  checklist
]

/** How many of the last lines tell how a program ended. */
const lastLines = 6

export interface Reading extends Report {
  /** Problems that only count where the call is known to have failed, or where they are the last that was said. */
  readonly traces: readonly Problem[]
  /** Those among them that stand at the end. */
  readonly atEnd: readonly Problem[]
}

const combined = (reports: readonly Report[]): Report["verdict"] => {
  if (reports.some(({ verdict }) => verdict === "fail")) return "fail"
  return reports.some(({ verdict }) => verdict === "pass") ? "pass" : undefined
}

const readBy = (kind: Parser["kind"], text: string): readonly Report[] =>
  parsers
    .filter((parser) => parser.kind === kind && parser.marks.test(text))
    .map((parser) => parser.parse(text))

/** What is mended once wherever it shows: how a whole file is formatted, a name that no linker finds. */
const keyOf = ({ code, file = "", line, message, test = "" }: Problem): string => {
  if (code === "format") return `${file}:${message}`
  return code === "link" ? message : `${file}:${line ?? ""}:${test}:${message}`
}

/** A place is told once, by whoever knows more of it. */
const distinct = (problems: readonly Problem[]): readonly Problem[] => {
  const kept = new Map<string, Problem>()
  for (const problem of problems) {
    const key = keyOf(problem)
    if (!kept.has(key)) kept.set(key, problem)
  }
  return [...kept.values()].slice(0, maxProblems)
}

/** Where one program names what is wrong, another does not sum it up: the same words stand in the summaries of several. */
const withoutEchoes = (problems: readonly Problem[]): readonly Problem[] => {
  const isNamed = problems.some(
    ({ code, file, symbol, test }) =>
      code !== "summary" && (file !== undefined || test !== undefined || symbol !== undefined)
  )
  return isNamed ? problems.filter(({ code }) => code !== "summary") : problems
}

export const readReport = (text: string): Reading => {
  if (text.trim() === "") return { ...nothingReported, traces: [], atEnd: [] }
  const reports = readBy("report", text)
  const traces = readBy("trace", text).flatMap(({ problems }) => problems)
  const end = linesOf(text)
    .filter((line) => line.trim() !== "")
    .slice(-lastLines)
    .join("\n")
  const atEnd = traces.length === 0 ? [] : readBy("trace", end).flatMap(({ problems }) => problems)
  return {
    problems: withoutEchoes(distinct(reports.flatMap(({ problems }) => problems))),
    verdict: combined(reports),
    traces: distinct(traces),
    atEnd: distinct(atEnd)
  }
}

/** What an agent's own tool says of how it was called. */
export const readMisuse = (text: string): readonly Problem[] =>
  misuse.marks.test(text) ? misuse.parse(text).problems.slice(0, 1) : []
