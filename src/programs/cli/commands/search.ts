/** `hooktape search`: what earlier sessions left. */
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { ask } from "../../../features/search/ask.ts"
import { openSearchIndex } from "../../../features/search/catchUp.ts"
import type { DocumentKind } from "../../../features/search/documents.ts"
import type { Hit, Wanted } from "../../../features/search/find.ts"
import { searchLog } from "../../../features/search/searchLog.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { printable } from "../../../state/terminalText.ts"
import { CliError } from "../CliError.ts"
import { firstBuild } from "../firstBuild.ts"
import { withLogbook } from "../logbook.ts"
import { findPlaces } from "../places.ts"
import { prepareState } from "../prepare.ts"
import { printHookMessages } from "../printHookMessages.ts"
import { cannotAsk, readyToAsk } from "../ready.ts"
import { drawHits } from "../render/hits.ts"
import { Screen } from "../Screen.ts"
import { defineCommand } from "../syntax/Command.ts"
import { choice, flag, integer, someArguments, text } from "../syntax/parameters.ts"
import { json as jsonOption } from "../syntax/shared.ts"

export interface SearchOptions {
  readonly query: readonly string[]
  readonly kind: DocumentKind | undefined
  readonly all: boolean
  readonly project: string | undefined
  readonly limit: number | undefined
  readonly json: boolean
}

const rowOf = ({ at, kind, ...hit }: Hit) => ({ kind, at: new Date(at).toISOString(), ...hit })

const what = "search"

/** Past material that fits, best first. Asked while the log is open: what was spooled is on it. */
const found = Effect.fn("cli.search.found")(function* (file: string, wanted: Wanted) {
  yield* readyToAsk(what, () => openSearchIndex(file))
  return yield* Effect.try({
    try: () => searchLog(file, wanted),
    catch: (cause) => cannotAsk(what, cause)
  })
})

const search = Effect.fn("cli.search")(function* (options: SearchOptions) {
  const screen = yield* Screen
  const { all, json, kind, limit = 10 } = options
  if (limit < 1)
    return yield* new CliError({
      what: "usage",
      reason: `--limit ${limit} leaves nothing to show`,
      remedy: "Give a number from 1 on, or leave --limit out."
    })
  const places = findPlaces(options.project)
  const { cwd, project, state } = places
  yield* prepareState(state, { migrates: false })
  yield* firstBuild(places)
  const asked = yield* Effect.tryPromise({
    try: () => ask({ state, project, cwd, query: options.query.join(" ") }),
    catch: (cause) =>
      new CliError({
        what,
        reason: messageOf(cause),
        remedy: 'Run "hooktape doctor".',
        cause
      })
  })
  yield* printHookMessages(asked.intents)
  const { query, refused } = asked
  if (refused)
    return yield* new CliError({
      what,
      reason: printable(`not looked for: hook ${refused.handler}: ${refused.reason}`)
    })
  yield* withLogbook(
    Effect.gen(function* () {
      const hits = yield* found(join(state, "log.sqlite"), {
        query,
        limit,
        ...(all ? {} : { project }),
        ...(kind === undefined ? {} : { kinds: [kind] })
      })
      if (json) return yield* screen.out(`${JSON.stringify({ query, results: hits.map(rowOf) }, null, 2)}\n`)
      if (hits.length > 0) return yield* screen.out(drawHits(hits, yield* Clock.currentTimeMillis, screen))
      const elsewhere = all ? "" : ' "--all" looks in all projects.'
      yield* screen.note(`nothing is known of ${printable(query)}.${elsewhere}\n`)
    })
  )
  return 0
})

export const command = defineCommand({
  group: "Remember",
  summary: "Find notes, fixes, errors, summaries and prompts of earlier sessions.",
  arguments: { query: someArguments("<query>", 'Words, and pieces "in quotes" that stay together.') },
  options: {
    kind: choice(
      "NAME",
      ["note", "summary", "fix", "error", "prompt"],
      "Only this: note, summary, fix, error or prompt.",
      { sample: "fix" }
    ),
    all: flag("In all projects."),
    project: text("DIR", "In this project. Default: the one around the working directory.", {
      sample: "../site"
    }),
    limit: integer("NUMBER", "At most so many. Default: 10.", { sample: "3" }),
    json: jsonOption()
  },
  examples: ["hooktape search redis timeout", "hooktape search '\"connection refused\"' --kind fix"],
  guards: "keeps",
  run: search
})
