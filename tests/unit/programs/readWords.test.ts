/** How the words of a command line are read, by declarations of their own. */
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { defineAction, defineCommand, defineGroup } from "../../../src/programs/cli/syntax/Command.ts"
import {
  anyArguments,
  argument,
  choice,
  choiceWithDefault,
  flag,
  integer,
  number,
  optionalArgument,
  required,
  someArguments,
  text,
  texts
} from "../../../src/programs/cli/syntax/parameters.ts"
import { readWords } from "../../../src/programs/cli/syntax/read.ts"
import { readRoot } from "../../../src/programs/cli/syntax/root.ts"

const rest = { group: "Look after", summary: "", examples: ["hooktape x"], guards: "keeps" } as const
const run = () => Effect.void

const find = defineCommand({
  ...rest,
  arguments: { query: someArguments("<query>", "Words.") },
  options: {
    dryRun: flag("Change nothing."),
    limit: integer("NUMBER", "At most so many."),
    weight: number("N", "0 to 1."),
    tag: texts("NAME", "A word."),
    scope: choiceWithDefault("SCOPE", ["user", "project"], "user", "Which."),
    kind: choice("NAME", ["a", "b"], "Which kind."),
    since: text("TIME", "From then on.")
  },
  run
})

const things = defineGroup({
  ...rest,
  subcommands: {
    list: defineAction({ ...rest, options: { json: flag("JSON.") }, run }),
    show: defineAction({ ...rest, arguments: { ref: argument("<ref>", "One.") }, run }),
    pick: defineAction({ ...rest, arguments: { ref: optionalArgument("<ref>", "One.") }, run })
  }
})

const both = defineCommand({
  ...rest,
  options: { yes: flag("Do it."), agent: required(choice("NAME", ["a", "b"], "Whose.")) },
  subcommands: { list: defineAction({ ...rest, options: { json: flag("JSON.") }, run }) },
  run
})

const given = (words: readonly string[], command = find) => {
  const reading = readWords("find", command, words)
  return reading.kind === "run" ? reading.given : reading
}

const problem = (words: readonly string[], command = find, name = "find") => {
  const reading = readWords(name, command, words)
  return reading.kind === "problem" ? `${reading.problem.reason}. ${reading.problem.remedy}` : reading
}

const left = {
  dryRun: false,
  limit: undefined,
  weight: undefined,
  tag: [],
  scope: "user",
  kind: undefined,
  since: undefined
}

describe("the words of a command line", () => {
  it.each<[readonly string[], object]>([
    [["a"], { query: ["a"] }],
    [["a", "b", "--dry-run"], { query: ["a", "b"], dryRun: true }],
    [["--dry-run", "a"], { query: ["a"], dryRun: true }],
    [["--limit", "3", "a", "--weight=0.5"], { query: ["a"], limit: 3, weight: 0.5 }],
    [["a", "--limit", "-3"], { query: ["a"], limit: -3 }],
    [["a", "--tag", "x", "--tag=y"], { query: ["a"], tag: ["x", "y"] }],
    [["a", "--scope", "project", "--kind", "b"], { query: ["a"], scope: "project", kind: "b" }],
    [["a", "--", "--dry-run", "--"], { query: ["a", "--dry-run", "--"] }],
    [["a", "--since", "-1d"], { query: ["a"], since: "-1d" }],
    [["a", "--since", "--other"], { query: ["a"], since: "--other" }],
    [["a", "--since="], { query: ["a"], since: "" }],
    [["a", "--since=x=y"], { query: ["a"], since: "x=y" }],
    [["- a line of a list", "-5", "-"], { query: ["- a line of a list", "-5", "-"] }],
    [["a", "--dry-run=false"], { query: ["a"] }]
  ])("are read: %j", (words, values) => {
    expect(given(words)).toEqual({ ...left, ...values })
  })

  it("are those of a subcommand where they name one", () => {
    expect(readWords("things", things, ["list", "--json"])).toEqual({
      kind: "run",
      action: "list",
      given: { json: true }
    })
    expect(given(["show", "last"], things)).toEqual({ ref: "last" })
    expect(given(["pick"], things)).toEqual({ ref: undefined })
    expect(readWords("both", both, ["--agent", "a", "--yes"])).toEqual({
      kind: "run",
      action: undefined,
      given: { agent: "a", yes: true }
    })
  })

  it("may be any number, or none", () => {
    const some = defineCommand({ ...rest, arguments: { files: anyArguments("<file>", "Files.") }, run })
    expect(given([], some)).toEqual({ files: [] })
    expect(given(["a", "b"], some)).toEqual({ files: ["a", "b"] })
  })

  it.each<[readonly string[]]>([[["--help"]], [["a", "-h"]], [["--limit", "x", "--help"]]])(
    "ask for help: %j",
    (words) => expect(readWords("find", find, words)).toEqual({ kind: "help" })
  )

  it("ask for help where the command does nothing by itself, and not behind a --", () => {
    expect(readWords("things", things, [])).toEqual({ kind: "help" })
    expect(given(["--", "--help"])).toMatchObject({ query: ["--help"] })
  })

  it.each<[readonly string[], string]>([
    [[], 'Missing argument <query>. See "hooktape find --help".'],
    [["a", "--limt", "3"], '"hooktape find" has no option --limt. Did you mean "--limit"?'],
    [["a", "--limit", "many"], '--limit wants a whole number, not "many". See "hooktape find --help".'],
    [["a", "--limit", "1.5"], '--limit wants a whole number, not "1.5". See "hooktape find --help".'],
    [["a", "--weight", "much"], '--weight wants a number, not "much". See "hooktape find --help".'],
    [["a", "--scope", "all"], '--scope is one of user, project, not "all". See "hooktape find --help".'],
    [["a", "--since"], '--since wants a value: --since TIME. From then on. See "hooktape find --help".'],
    [
      ["a", "--since", "--limit", "3"],
      '--since wants a value: --since TIME. From then on. See "hooktape find --help".'
    ],
    [["a", "--dry-run=3"], '--dry-run takes no value. See "hooktape find --help".'],
    [["a", "-x"], `"hooktape find" has no option -x. Quote what is no option, or put "--" before it.`]
  ])("are wrong: %j", (words, told) => {
    expect(problem(words)).toBe(told)
  })

  it.each<[readonly string[], string]>([
    [["lsit"], 'there is no command "things lsit". Did you mean "list"?'],
    [
      ["--json"],
      '"hooktape things" takes --json only after one of list, show, pick. See "hooktape things --help".'
    ],
    [["--jsn"], '"hooktape things" has no option --jsn. Did you mean "--json"?'],
    [["show"], 'Missing argument <ref>. See "hooktape things --help".'],
    [
      ["show", "a", "b"],
      '"b" is one word too many: "hooktape things show" takes <ref>. See "hooktape things --help".'
    ],
    [
      ["list", "a"],
      '"a" is one word too many: "hooktape things list" takes no arguments. See "hooktape things --help".'
    ],
    [["show", "a", "--json"], '"hooktape things show" has no option --json. See "hooktape things --help".']
  ])("of a subcommand are wrong: %j", (words, told) => {
    expect(problem(words, things, "things")).toBe(told)
  })

  it("lack an option that the command needs", () => {
    expect(problem([], both, "both")).toBe('--agent is missing: one of a, b. See "hooktape both --help".')
    expect(problem(["--json"], both, "both")).toContain("takes --json only after one of list")
    expect(problem(["lst"], both, "both")).toContain('there is no command "both lst"')
  })

  it("come with what is no text taken out of messages", () => {
    expect(problem(["a", "--scope", "\u001b[31mred"])).not.toContain("\u001b")
  })
})

describe("the first words", () => {
  const names = ["show", "log"]

  it.each<[readonly string[], object]>([
    [[], { kind: "overview" }],
    [["--help"], { kind: "help" }],
    [["-h"], { kind: "help" }],
    [["help"], { kind: "help" }],
    [["--version"], { kind: "version" }],
    [["-v"], { kind: "version" }],
    [["show", "last"], { kind: "command", name: "show", words: ["last"] }],
    [["--log", "team", "show", "last"], { kind: "command", name: "show", words: ["last"], log: "team" }],
    [["--log=team", "log"], { kind: "command", name: "log", words: [], log: "team" }],
    ...[
      ["--log"],
      ["--log="],
      ["--log", "--json", "log"],
      ["--log", "team"],
      ["--log", "team", "--help"]
    ].map((words): [readonly string[], object] => [
      words,
      { kind: "problem", problem: { reason: expect.stringContaining("--log"), remedy: expect.any(String) } }
    ]),
    [["--log", "a", "--log", "b", "show"], { kind: "problem", problem: expect.anything() }],
    [
      ["--log", "team", "shwo"],
      { kind: "problem", problem: { reason: 'there is no command "shwo"', remedy: 'Did you mean "show"?' } }
    ],
    [["help", "show"], { kind: "command", name: "show", words: ["--help"] }],
    [
      ["shwo"],
      { kind: "problem", problem: { reason: 'there is no command "shwo"', remedy: 'Did you mean "show"?' } }
    ],
    [
      ["help", "shwo"],
      { kind: "problem", problem: { reason: 'there is no command "shwo"', remedy: 'Did you mean "show"?' } }
    ]
  ])("%j", (words, asked) => {
    expect(readRoot(words, names)).toEqual(asked)
  })
})
