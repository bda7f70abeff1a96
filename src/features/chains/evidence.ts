/** How much speaks for it that something that was done was good for a problem. Pure. */
import type { Problem } from "../checks/Problem.ts"
import { baseOf, isSameFile } from "./paths.ts"
import { type Step, wordsIn } from "./Step.ts"
import { isSpecific } from "./shown.ts"

const common = new Set([
  "error",
  "failed",
  "test",
  "tests",
  "file",
  "line",
  "with",
  "that",
  "this",
  "from",
  "type",
  "string",
  "number",
  "does",
  "exist",
  "exists",
  "cannot",
  "found",
  "expected",
  "property",
  "value",
  "function",
  "module",
  "name",
  "missing",
  "return",
  "true",
  "false",
  "null",
  "undefined",
  "import",
  "const",
  "self",
  "none"
])

export const tellingWords = ({ message, symbol = "", test = "" }: Problem): readonly string[] =>
  wordsIn(`${symbol} ${test} ${message}`).filter((word) => word.length > 3 && !common.has(word))

const installs =
  /^(?:\S+ )*?(?:install|add|get|sync|fetch|update|upgrade|deps\.get|tidy|restore|reinstall|link|bootstrap)\b/
export const fixes = /(?:--fix|--write|--apply|:fix\b|\bfmt\b|\bformat\b|gofmt -w|\bfix\b)/

/** What brings up a server that nobody could reach. */
const startsServer =
  /(?:^|[\s/])(?:redis-server|mongod|mysqld|postgres|pg_ctl\w*|rabbitmq-server|memcached|minio|nginx)\b|\b(?:compose|docker|podman)\b.{0,200}\b(?:up|start|run)\b|\b(?:systemctl|service|services|supervisorctl)\b.{0,80}\bstart\b|\b(?:npm|pnpm|yarn|bun) (?:run )?(?:start|dev|serve)\b/

const isUnreached = ({ code = "" }: Problem): boolean =>
  /^(?:ECONNREFUSED|ECONNRESET|EHOSTUNREACH)$/.test(code)

export const touches = ({ files }: Step, { file }: Problem): boolean =>
  file !== undefined && file !== "" && files.some((one) => isSameFile(one, file))

/** Many files have one name; in a container they lie elsewhere. */
const touchesNamesake = ({ files }: Step, { file }: Problem): boolean =>
  file !== undefined && file !== "" && files.some((one) => baseOf(one) === baseOf(file))

/** `calc` of `tests/test_calc.py`, `calc.test.ts`, `calc_spec.rb`, `CalcTest.java`. */
const testedStem = (file: string): string =>
  baseOf(file)
    .replace(/\.\w+$/, "")
    .replace(/^test_|[._-](?:tests?|spec|e2e)$|Tests?$/, "")
    .toLowerCase()

/** The file that a test is named after. */
const isTested = ({ files, kind }: Step, { file }: Problem): boolean => {
  if (kind !== "edit" || file === undefined) return false
  const stem = testedStem(file)
  return stem.length > 2 && files.some((one) => testedStem(one) === stem)
}

/** An assertion that fails names the file of the test, wherever the mistake is: where another was changed as well, that says little. */
const isPlain = (step: Step, problem: Problem, others: readonly Step[]): boolean =>
  problem.test === undefined ||
  isSpecific(problem) ||
  !touches(step, problem) ||
  !others.some((one) => one.kind === "edit" && !touches(one, problem))

/** `others`: all that may have helped. */
export const scoreOf = (
  step: Step,
  problem: Problem,
  words: readonly string[],
  others: readonly Step[] = []
): number => {
  if (!isPlain(step, problem, others)) return 1
  const own = new Set(step.words)
  const shared = words.filter((word) => own.has(word)).length
  const symbol = problem.symbol?.toLowerCase()
  const place = touches(step, problem) ? 3 : touchesNamesake(step, problem) || isTested(step, problem) ? 1 : 0
  const named =
    symbol !== undefined && symbol.length > 2 && wordsIn(symbol).some((word) => own.has(word)) ? 2 : 0
  const said = Math.min(2, shared * 0.7)
  const tool = step.kind === "command" && fixes.test(step.what) && isUntidy(problem) ? 3 : 0
  const install = step.kind === "command" && installs.test(step.what) && shared > 0 ? 2 : 0
  const server = step.kind === "command" && isUnreached(problem) && startsServer.test(step.what) ? 3 : 0
  return place + named + said + tool + install + server
}

const formatters = /\((?:gofmt|gofumpt|gci|goimports|wsl\w*|nlreturn|whitespace)\)$/

/** What a formatter or the fixing form of a linter repairs. */
export const isUntidy = ({ family, message, test }: Problem): boolean =>
  test === undefined &&
  (/^(?:biome|eslint|prettier|ruff|mix|markdownlint|rubocop)$/.test(family) ||
    (family === "go" && formatters.test(message)))

/** Nobody writes layout by hand where a formatter was run. */
export const isLayout = ({ code = "", family }: Problem): boolean =>
  family === "prettier" || /^format|organizeImports|^I001$/.test(code)

export const names = ({ words }: Step, { symbol = "" }: Problem): boolean =>
  symbol.length > 2 && wordsIn(symbol).some((word) => words.includes(word))
