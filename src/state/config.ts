/** Settings beside the hooks: switch one off, move it, give it more time. A project's are for its own hooks only. */
import { readFileSync } from "node:fs"
import * as Either from "effect/Either"
import * as JSONSchema from "effect/JSONSchema"
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
import { limitProblems, maxAttempts, maxRuns } from "../hooks/limitProblems.ts"
import { didYouMean, type Problem } from "../hooks/Problem.ts"
import { messageOf } from "./messageOf.ts"
import { readSmall } from "./readSmall.ts"

export const defaultDeadlineMs = 5000

const Priority = Schema.Number.pipe(Schema.int(), Schema.between(0, 1000)).annotations({
  description: "0–1000, lower first."
})

const Deadline = Schema.Union(
  Schema.Number.pipe(Schema.greaterThan(0)),
  Schema.String.pipe(Schema.pattern(/^\d+(\.\d+)? (millis?|seconds?|minutes?)$/))
).annotations({ description: 'How long the hook may take: milliseconds, or a text such as "2 seconds".' })

/** How long something stays so. */
const LongDuration = Schema.Union(
  Schema.Number.pipe(Schema.greaterThan(0)),
  Schema.String.pipe(Schema.pattern(/^\d+(\.\d+)? (millis?|seconds?|minutes?|hours?|days?)$/))
)

const Scope = Schema.Literal("session", "project")

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const HookSettings = Schema.Struct({
  enabled: optional(Schema.Boolean.annotations({ description: "false keeps the hook from running." })),
  priority: optional(Priority),
  deadline: optional(Deadline),
  onFailure: optional(
    Schema.Literal("allow", "block", "ask").annotations({
      description: "What a failing or late hook means: go on, stop the action, or let the human decide."
    })
  ),
  ifCannotAsk: optional(
    Schema.Literal("block", "allow").annotations({
      description:
        "What a question of the hook means where the agent cannot ask: stop the action, or let it pass."
    })
  ),
  background: optional(
    Schema.Boolean.annotations({
      description: "true runs the hook after the reply, where it can block nothing."
    })
  ),
  settings: optional(
    Schema.Record({ key: Schema.String, value: Schema.Unknown.annotations({ jsonSchema: {} }) }).annotations({
      description: "What the hook itself offers to be set; laid over its own settings, key by key."
    })
  ),
  once: optional(Scope.annotations({ description: "Runs once in each session, or once in each project." })),
  cooldown: optional(
    Schema.Union(LongDuration, Schema.Struct({ for: LongDuration, scope: optional(Scope) })).annotations({
      description: 'Stays out for so long after each run: milliseconds, or a text such as "10 minutes".'
    })
  ),
  rateLimit: optional(
    Schema.Struct({
      limit: Schema.Number.pipe(Schema.int(), Schema.between(1, maxRuns)),
      per: LongDuration,
      scope: optional(Scope)
    }).annotations({ description: "At most so many runs within so long." })
  ),
  retry: optional(
    Schema.Union(
      Schema.Number.pipe(Schema.int(), Schema.between(1, maxAttempts)),
      Schema.Struct({
        attempts: Schema.Number.pipe(Schema.int(), Schema.between(1, maxAttempts)),
        delay: optional(Deadline)
      })
    ).annotations({ description: "How often the hook is tried while it fails." })
  )
})
export type HookSettings = typeof HookSettings.Type

const Texts = Schema.Union(Schema.String, Schema.Array(Schema.String))

/** A public key of Ed25519: its 32 bytes in base64url. */
export const policyKey = /^ed25519:[\w-]{43}$/

/** A hook that is a command; what its options may be is checked with those of all other hooks. */
const External = Schema.Struct({
  name: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100)).annotations({
    description: "The hook's name."
  }),
  on: Texts.annotations({ description: "An event, or a list of events." }),
  run: Schema.String.pipe(Schema.minLength(1)).annotations({
    description: "The command line. It reads the payload, and answers as the agent's own hooks do."
  }),
  runOnWindows: optional(
    Schema.String.pipe(Schema.minLength(1)).annotations({
      description: "The command line on Windows, where it is another."
    })
  ),
  when: optional(
    Schema.Record({ key: Schema.String, value: Schema.Unknown.annotations({ jsonSchema: {} }) }).annotations({
      description: 'Conditions: tool, toolName, command, path, project, agent. "/…/" is a regular expression.'
    })
  ),
  agents: optional(Schema.Array(Schema.String).annotations({ description: "Default: every agent." })),
  agentEvents: optional(
    Schema.Array(Schema.String).annotations({
      description: "The agent's own events, where several of them are one of hooktape's."
    })
  ),
  matcher: optional(
    Schema.String.annotations({ description: "A matcher as the agent's own settings have it." })
  ),
  payload: optional(
    Schema.Literal("agent", "hooktape").annotations({
      description: "What it reads and how it answers: as the agent has it, or as hooktape has it."
    })
  ),
  projectCode: optional(
    Schema.Boolean.annotations({
      description: "true: it runs the project's own code, such as its tests, whatever that is by then."
    })
  ),
  final: optional(Schema.Boolean),
  deliver: optional(
    Schema.Union(
      Schema.Literal("next"),
      Schema.Struct({
        to: Schema.Literal("next"),
        keep: optional(Schema.Literal("all", "newest")),
        within: optional(LongDuration)
      })
    ).annotations({
      description: "In the background: what it answers is said at the session's next event that can carry it."
    })
  ),
  ...(Object.fromEntries(Object.entries(HookSettings.fields).filter(([key]) => key !== "settings")) as Omit<
    typeof HookSettings.fields,
    "settings"
  >)
})

/** A collector's database, and what opens it. */
const NamedLog = Schema.Struct({
  url: Schema.String.pipe(Schema.minLength(1)).annotations({
    description: "Its URL, postgresql://…, without a password."
  }),
  passwordFile: optional(
    Schema.String.pipe(Schema.minLength(1)).annotations({
      description: "The file with the password: an absolute path, or one from this file's folder on."
    })
  ),
  passwordEnvironment: optional(
    Schema.String.pipe(Schema.minLength(1)).annotations({
      description: "The environment variable that holds the password."
    })
  )
})
export type NamedLog = typeof NamedLog.Type

const Config = Schema.Struct({
  $schema: optional(Schema.String),
  deadlineMs: optional(
    Schema.Number.pipe(Schema.int(), Schema.between(100, 600_000)).annotations({
      description: "How long all hooks of one event may take together, in milliseconds. Default 5000."
    })
  ),
  stopBlocks: optional(
    Schema.Number.pipe(Schema.int(), Schema.between(1, 100)).annotations({
      description:
        "How often in a row hooks may keep the agent from stopping without a word of the human in between. Default 3."
    })
  ),
  handlerProcesses: optional(
    Schema.Number.pipe(Schema.int(), Schema.between(1, 16)).annotations({
      description:
        "How many processes run hooks at the same time, at most. Default 4. Counts in your own configuration only, from the host's next start on."
    })
  ),
  hooks: optional(
    Schema.Record({ key: Schema.String, value: HookSettings }).annotations({
      description: "Settings by the name of the hook."
    })
  ),
  external: optional(
    Schema.Array(External).annotations({ description: "Hooks that are commands in any language." })
  ),
  defaults: optional(
    Schema.Boolean.annotations({
      description:
        "false leaves out the hooks that come with hooktape. Counts in your own configuration only."
    })
  ),
  shipped: optional(
    Schema.Array(Schema.String).annotations({
      description:
        "Names of the hooks that come with hooktape and are on: all others of them are off but for guards, later ones too. Counts in your own configuration only."
    })
  ),
  policies: optional(
    Schema.Array(
      Schema.Struct({
        file: Schema.String.pipe(Schema.minLength(1)).annotations({
          description: "Where it lies: an absolute path, or one from this file's folder on."
        }),
        key: Schema.String.pipe(Schema.pattern(policyKey)).annotations({
          description: 'The public key of whoever signs it, as "hooktape policy key" prints it.'
        })
      })
    ).annotations({
      description:
        "Policies of your team: hooks and settings that are trusted because of who signed them. Counts in your own configuration only."
    })
  ),
  logs: optional(
    Schema.Record({ key: Schema.String.pipe(Schema.pattern(/^[\w.-]{1,60}$/)), value: NamedLog }).annotations(
      {
        description:
          'Logs of a fleet by names of yours, for "hooktape --log NAME". Counts in your own configuration only.'
      }
    )
  ),
  learning: optional(
    Schema.Boolean.annotations({
      description:
        "false switches off the hooks that learn from answers and checkpoints, in whichever file it stands. Default true."
    })
  )
})
export type Config = typeof Config.Type

/** The shipped `config.schema.json` is exactly this. */
export const configJsonSchema = (): object => ({
  ...JSONSchema.make(Config),
  title: "hooktape configuration",
  description: "Settings of .hooktape/config.json and ~/.config/hooktape/config.json."
})

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

const keys = (path: readonly PropertyKey[]): string => path.map(String).join(".")

const settingsKeys = Object.keys(HookSettings.fields)
const configKeys = Object.keys(Config.fields)

/** What a value must be, in one sentence where the schema would say one per alternative. */
const demands: Readonly<Record<string, string>> = {
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
