/** Settings beside the hooks: switch one off, move it, give it more time. A project's are for its own hooks only. */
import { readFileSync } from "node:fs"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import {
  findNodeAtLocation,
  getNodeValue,
  type ParseError,
  parseTree,
  printParseErrorCode
} from "jsonc-parser"

import { durationProblem } from "../hooks/duration.ts"
import { limitProblems } from "../hooks/limitProblems.ts"
import { didYouMean, type Problem } from "../hooks/Problem.ts"
import { Config, defaultDeadlineMs, HookSettings } from "./configShape.ts"
import { messageOf } from "./messageOf.ts"
import { readSmall } from "./readSmall.ts"

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

const keys = (path: readonly PropertyKey[]): string => path.map(String).join(".")

const settingsKeys = Object.keys(HookSettings.fields)
const configKeys = Object.keys(Config.fields)

/** What a value must be, in one sentence where the schema would say one per alternative. */
const demands: Readonly<Record<string, string>> = {
  version: "must be 1",
  deadlineMs: "must be a whole number of milliseconds from 100 to 600000",
  enabled: "must be true or false",
  priority: "must be a whole number from 0 to 1000",
  deadline: durationProblem(undefined) ?? "",
  onFailure: 'must be "allow", "block" or "ask"',
  ifCannotAsk: 'must be "block" or "allow"',
  background: "must be true or false",
  settings: "must be an object",
  defaults: "must be true or false",
  learning: "must be true or false",
  shipped: "must be a list of names",
  logs: 'must give each name of letters, digits, dots, hyphens and underscores a {"url": …}',
  policies: 'must be a list of {"file": …, "key": …}',
  key: 'must be "ed25519:" and 43 characters, as "hooktape policy key" prints it',
  stopBlocks: "must be a whole number from 1 to 100",
  handlerProcesses: "must be a whole number from 1 to 16"
}

/** Values that are more than one word are told by what is wrong in them. */
const inLimits = (path: readonly PropertyKey[], config: unknown): string | undefined => {
  const [, name = "", option = ""] = path.map(String)
  const settings = (config as { hooks?: Record<string, Record<string, unknown>> }).hooks?.[name]
  return limitProblems({ [option]: settings?.[option] })[0]?.[1]
}

const reasonFor = (
  issue: ParseResult.ArrayFormatterIssue,
  config: unknown
): Pick<Problem, "reason" | "remedy"> => {
  const limit = inLimits(issue.path, config)
  if (limit !== undefined) return { reason: `"${keys(issue.path.slice(0, 3))}": ${limit}` }
  const key = keys(issue.path)
  const word = String(issue.path.at(-1) ?? "")
  if (issue._tag === "Unexpected") {
    const known = issue.path.length > 1 ? settingsKeys : configKeys
    return { reason: `unknown key "${key}"`, remedy: didYouMean(word, known) }
  }
  const demand = Object.hasOwn(demands, word) ? demands[word] : issue.message
  return { reason: `${key === "" ? "the configuration" : `"${key}"`}: ${demand}` }
}

/** What the parser has names for. */
const jsonErrors: Readonly<Record<string, string>> = {
  InvalidSymbol: "a word that is no value; texts stand in double quotes",
  InvalidNumberFormat: "a number that is none",
  PropertyNameExpected: "a key in double quotes has to stand here",
  ValueExpected: "a value has to stand here",
  ColonExpected: "a colon has to stand here",
  CommaExpected: "a comma has to stand here",
  CloseBraceExpected: "a } is missing",
  CloseBracketExpected: "a ] is missing",
  EndOfFileExpected: "something follows the end",
  UnexpectedEndOfString: "a text without its closing quote",
  InvalidUnicode: "an escape that is none",
  InvalidEscapeCharacter: "an escape that is none",
  InvalidCharacter: "a character that may not stand here"
}

/** The configuration of one file, or everything that is wrong with it. */
export const parseConfig = (file: string, text: string): Either.Either<Config, readonly Problem[]> => {
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first !== undefined || tree === undefined) {
    const reason =
      text.trim() === "" || first === undefined
        ? "is empty"
        : `is not JSON: ${jsonErrors[printParseErrorCode(first.error)] ?? "something is wrong here"}`
    return Either.left([
      {
        file,
        line: lineAt(text, first?.offset ?? 0),
        ...(first === undefined || text.trim() === ""
          ? {}
          : { column: first.offset - text.lastIndexOf("\n", first.offset - 1) }),
        reason,
        remedy: "Comments and trailing commas are allowed."
      }
    ])
  }
  const config: unknown = getNodeValue(tree)
  const { version } = (config ?? {}) as { readonly version?: unknown }
  // What its keys mean is not known here: none of them is looked at.
  if (typeof version === "number" && version > 1)
    return Either.left([
      {
        file,
        line: lineAt(text, findNodeAtLocation(tree, ["version"])?.offset ?? 0),
        reason: `is of version ${version}, which only a newer hooktape can read`,
        remedy: "Update this one."
      }
    ])
  const decoded = Schema.decodeUnknownEither(Config)(config, {
    onExcessProperty: "error",
    errors: "all"
  })
  return Either.mapLeft(decoded, (error) => {
    const byKey = new Map<string, Problem>()
    for (const issue of ParseResult.ArrayFormatter.formatErrorSync(error)) {
      const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part))
      const line = lineAt(text, findNodeAtLocation(tree, path)?.offset ?? 0)
      byKey.set(keys(path), { file, line, ...reasonFor(issue, config) })
    }
    return [...byKey.values()].sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  })
}

/** A missing file is an empty configuration. */
export const readConfig = (file: string): Either.Either<Config, readonly Problem[]> => {
  try {
    const content = readSmall(file)
    if (content !== undefined && "not" in content) return Either.left([{ file, reason: content.not }])
    return parseConfig(file, content?.text ?? readFileSync(file, "utf8"))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return Either.right({})
    return Either.left([{ file, reason: `cannot be read: ${messageOf(cause)}` }])
  }
}

/** The later wins, key by key. */
export const mergeHook = (before: HookSettings | undefined, after: HookSettings): HookSettings => ({
  ...before,
  ...after,
  ...(before?.settings && after.settings ? { settings: { ...before.settings, ...after.settings } } : {})
})

/** The later wins, key by key. */
export const mergeConfigs = (user: Config, project: Config): Config => {
  const hooks: Record<string, HookSettings> = {}
  for (const { hooks: settings = {} } of [user, project]) {
    for (const [name, one] of Object.entries(settings)) hooks[name] = mergeHook(hooks[name], one)
  }
  const isLearning = user.learning !== false && project.learning !== false
  const stopBlocks = user.stopBlocks ?? project.stopBlocks
  return {
    deadlineMs: project.deadlineMs ?? user.deadlineMs ?? defaultDeadlineMs,
    ...(stopBlocks === undefined ? {} : { stopBlocks }),
    hooks,
    ...(user.external || project.external
      ? { external: [...(user.external ?? []), ...(project.external ?? [])] }
      : {}),
    ...(isLearning ? {} : { learning: false }),
    ...(user.defaults === undefined ? {} : { defaults: user.defaults }),
    ...(user.shipped === undefined ? {} : { shipped: user.shipped }),
    ...(user.policies === undefined ? {} : { policies: user.policies })
  }
}
