/** `hooktape log`: what happened, a line for each call, or for each fact. */
import * as Effect from "effect/Effect"
import { agents } from "../../../../events/agentEvents.ts"
import { CliError } from "../CliError.ts"
import { defineAction, defineCommand } from "../syntax/Command.ts"
import { later } from "../syntax/later.ts"
import { flag, integer, text } from "../syntax/parameters.ts"
import { json as jsonOption, times } from "../syntax/shared.ts"
import { logCalls } from "./logCalls.ts"
import { logFacts } from "./logFacts.ts"

export interface LogOptions {
  readonly session: string | undefined
  readonly invocation: string | undefined
  readonly type: string | undefined
  readonly event: string | undefined
  readonly agent: string | undefined
  readonly project: string | undefined
  readonly since: string | undefined
  readonly hook: string | undefined
  readonly grep: string | undefined
  readonly limit: number | undefined
  readonly failed: boolean
  readonly blocked: boolean
  readonly all: boolean
  readonly calls: boolean
  readonly facts: boolean
  readonly follow: boolean
  readonly json: boolean
}

/** A type is one of facts, and of one invocation its facts are looked for. */
const wantsFacts = ({ calls, facts, invocation, json, type }: LogOptions): boolean =>
  !calls && (facts || json || type !== undefined || invocation !== undefined)

/** The first option given that only makes sense for the other kind of line. */
const strayOption = (options: LogOptions): string | undefined => {
  const { all, blocked, failed, grep, hook, type } = options
  const given = wantsFacts(options)
    ? {
        "--failed": failed,
        "--blocked": blocked,
        "--all": all,
        "--hook": hook !== undefined,
        "--grep": grep !== undefined
      }
    : { "--type": type !== undefined }
  return Object.entries(given).find(([, isGiven]) => isGiven)?.[0]
}

const log = (options: LogOptions) =>
  Effect.suspend(() => {
    const facts = wantsFacts(options)
    if (options.calls && options.facts)
      return new CliError({
        what: "usage",
        reason: "--calls and --facts are two kinds of lines",
        remedy: "Leave out one of them."
      })
    const { follow, limit } = options
    if (limit !== undefined && limit < (follow ? 0 : 1))
      return new CliError({
        what: "usage",
        reason: `--limit wants how many lines to show, not ${limit}`,
        remedy: 'Name a number from 1 on, or "--limit 0 --follow" for what comes.'
      })
    const stray = strayOption(options)
    if (stray !== undefined)
      return new CliError({
        what: "usage",
        reason: `${stray} is about ${facts ? "calls, and facts were asked for" : "facts, and calls were asked for"}`,
        remedy: facts ? 'Say "--calls", or leave it out.' : 'Say "--facts" in place of "--calls".'
      })
    return facts ? logFacts(options) : logCalls(options)
  })

const verify = defineAction({
  summary: "Whether every fact is there and as it was recorded: ends with 1 where one is not.",
  options: { json: jsonOption() },
  examples: ["hooktape log verify"],
  guards: "keeps",
  run: (given) =>
    later(
      () => import("./logVerify.ts"),
      (module) => module.verify(given)
    )
})

const repair = defineAction({
  summary: "Make a new log of what can be read of a damaged one, which is kept beside it.",
  options: { json: jsonOption() },
  examples: ["hooktape log repair"],
  guards: "keeps",
  run: (given) =>
    later(
      () => import("./logRepair.ts"),
      (module) => module.repair(given)
    )
})

export const command = defineCommand({
  group: "Look back",
  summary: "Show what happened, a line for each call.",
  options: {
    failed: flag(
      "Only calls in which a hook failed or was late, that were not answered, or whose work after the reply was given up."
    ),
    blocked: flag("Only calls that were blocked."),
    hook: text("NAME", "Only calls that this hook ran in.", { sample: "tests-first" }),
    session: text("ID", "Only this session of an agent: its id, the beginning or end of one, or last.", {
      sample: "83eb"
    }),
    agent: text("NAME", `Only this agent: ${agents.join(", ")}.`, { sample: "codex" }),
    event: text("EVENT", "Only this event, by either of its names.", {
      details: "our name or the agent's",
      sample: "tool.before"
    }),
    project: text("DIR", "Only this project.", { sample: "." }),
    since: text("TIME", `Only from this time on: ${times}.`, {
      details: "`10m`, `2h`, `3d`, `today`, `2026-01-31`, `2026-01-31T09:00`, or `0` for all",
      sample: "2h"
    }),
    grep: text("TEXT", "Only calls with this text in what they were about, a hook, the reason or the id.", {
      sample: '"git push"'
    }),
    all: flag("Calls of hooktape itself as well.", {
      details: "those of hooktape itself as well, such as probes of `doctor`"
    }),
    limit: integer("NUMBER", "Only the last so many. Default: 200, where no filter is given.", {
      sample: "5"
    }),
    follow: flag("Go on with what comes: a line for each call that ends."),
    facts: flag("A line for each fact instead."),
    type: text("TYPES", "Only facts of this type; several with commas.", {
      details: "facts of these [types](facts.md), with commas",
      sample: "HANDLER_FAILED,HANDLER_TIMED_OUT"
    }),
    invocation: text("REF", "Only the facts of this invocation and of its jobs.", { sample: "last" }),
    calls: flag("A line for each call, also with --json.", {
      details: "with `--json`, one document for each call",
      example: "hooktape log --calls --json"
    }),
    json: flag("Print one JSON document per line: of each fact, or with --calls of each call.", {
      details: "one document per line, for each fact"
    })
  },
  examples: [
    "hooktape log",
    "hooktape log --blocked --since 2h",
    "hooktape log --type HANDLER_FAILED --json"
  ],
  guards: "keeps",
  ofFleet: "as asked",
  run: log,
  subcommands: { verify, repair }
})
