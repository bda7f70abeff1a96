/** `hooktape chains list|show|similar`: errors, what was tried against them, and what helped. */
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Chain, Related } from "../../../features/chains/Chain.ts"
import { askChains, openChains } from "../../../features/chains/catchUp.ts"
import { candidateChains, listChains, relatedIn } from "../../../features/chains/find.ts"
import { errorLine } from "../../../features/chains/fix.ts"
import { rowsOf } from "../../../features/chains/rows.ts"
import { ranked, soughtBy } from "../../../features/chains/similar.ts"
import type { Asked } from "../../../log/reader.ts"
import { CliError } from "../CliError.ts"
import { chainStates } from "../chainStates.ts"
import { withLogbook } from "../logbook.ts"
import { findPlaces } from "../places.ts"
import { cannotAsk, readyToAsk } from "../ready.ts"
import { resolveId, type Words } from "../refs.ts"
import { drawChain, drawChains, drawScored } from "../render/chain.ts"
import { Screen } from "../Screen.ts"
import { defineAction, defineGroup } from "../syntax/Command.ts"
import { argument, choice, flag, integer } from "../syntax/parameters.ts"
import { json as jsonOption, ofProject, ofSession, refTo } from "../syntax/shared.ts"
import { sayUnshipped, unshippedPart } from "../unshipped.ts"

export interface ListOptions {
  readonly state: Chain["state"] | undefined
  readonly session: string | undefined
  readonly project: string | undefined
  readonly all: boolean
  readonly limit: number | undefined
  readonly json: boolean
}

const document = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const what = "chains"

/** Asked while the log is open: what was spooled is on it. */
const asking = Effect.fn("cli.chains.asking")(function* <A>(question: (db: Asked) => A) {
  const file = join(findPlaces().logState, "log.sqlite")
  yield* readyToAsk(what, () => openChains(file))
  return yield* Effect.try({
    try: () => askChains(file, question),
    catch: (cause) => cannotAsk(what, cause)
  })
})

const usualLimit = 20
const most = 10_000

const limited = (limit: number | undefined, usual: number): number =>
  Math.max(0, Math.min(most, limit ?? usual))

const list = ({ all, json, limit, project, session, state }: ListOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const filter = {
      session,
      project: all || session !== undefined ? undefined : findPlaces(project).project,
      states: state === undefined ? undefined : [state]
    }
    const found = yield* asking((db) => relatedIn(db, listChains(db, filter, limited(limit, usualLimit))))
    const chains = [...found].reverse()
    if (json)
      return yield* screen.out(document({ chains: chains.flatMap(rowsOf), ...(yield* unshippedPart) }))
    yield* sayUnshipped
    if (chains.length === 0)
      return yield* screen.note(
        'no chain fits: a problem that a tool shows opens one. "--all" has other projects.\n'
      )
    yield* screen.out(drawChains(chains, yield* Clock.currentTimeMillis, screen))
  }).pipe(withLogbook)

const words: Words = {
  stream: "chain/",
  none: { reason: "there is no chain yet", remedy: "A problem that a tool shows opens one." },
  unknown: {
    reason: "no chain has this id",
    remedy: 'Take one from "hooktape chains list --all", or "last".'
  }
}

const show = ({ json, ref }: { readonly ref: string; readonly json: boolean }) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const all = yield* asking((db) => [...relatedIn(db, listChains(db, {}, -1))].reverse())
    const candidates = all.map((chain) => ({ id: chain.id, about: errorLine(chain) }))
    const id = yield* Either.match(resolveId(ref, candidates, words), {
      onLeft: Effect.fail,
      onRight: Effect.succeed
    })
    const chain = all.find((one) => one.id === id) as Related
    yield* screen.out(json ? document(rowsOf(chain)) : drawChain(chain, screen))
  }).pipe(withLogbook)

export interface SimilarOptions {
  readonly message: string
  readonly project: string | undefined
  readonly all: boolean
  readonly limit: number | undefined
  readonly json: boolean
}

const usualSimilar = 5
const leastScore = 0.3

const scored = ({ chain, score }: { readonly chain: Related; readonly score: number }) => ({
  score,
  ...rowsOf(chain)[0]
})

const similar = ({ all, json, limit, message, project }: SimilarOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const sought = soughtBy(message)
    if (message.trim() === "")
      return yield* new CliError({ what: "chains similar", reason: "the message is empty" })
    const filter = { project: all ? undefined : findPlaces(project).project }
    const candidates = yield* asking((db) => candidateChains(db, sought, filter))
    const found = ranked(sought, candidates, { least: leastScore, limit: limited(limit, usualSimilar) })
    if (json) {
      const chains = yield* asking((db) =>
        relatedIn(
          db,
          found.map(({ chain }) => chain)
        )
      )
      const rows = found.map(({ score }, nth) => scored({ chain: chains[nth] as Related, score }))
      return yield* screen.out(document({ message, chains: rows }))
    }
    if (found.length === 0)
      return yield* screen.note('no problem like this is known. "--all" looks in all projects.\n')
    yield* screen.out(drawScored(found, yield* Clock.currentTimeMillis, screen))
  }).pipe(withLogbook)

const limitOption = integer("NUMBER", "At most so many. Default: 20 of a list, 5 that are similar.", {
  sample: "5"
})

export const command = defineGroup({
  group: "Remember",
  summary: "Look at errors, what was tried against them, and what helped.",
  heading: "list|show|…",
  examples: ["hooktape chains list --state open", 'hooktape chains similar "connect ECONNREFUSED"'],
  subcommands: {
    list: defineAction({
      summary: "The chains of this project, newest last.",
      options: {
        state: choice("STATE", chainStates, `Only these: ${chainStates.join(", ")}.`, { sample: "resolved" }),
        session: { ...ofSession, details: "of this session, whichever project" },
        project: ofProject,
        all: flag("Of all projects."),
        limit: { ...limitOption, details: "the newest so many; 20 where it is left out" },
        json: jsonOption()
      },
      examples: ["hooktape chains list"],
      guards: "keeps",
      ofFleet: "of all projects",
      run: list
    }),
    show: defineAction({
      summary: "One with everything that was tried.",
      arguments: { ref: refTo("A chain") },
      options: { json: jsonOption("as in the list") },
      examples: ["hooktape chains show last"],
      guards: "keeps",
      ofFleet: "as asked",
      run: show
    }),
    similar: defineAction({
      summary: "Those whose error is like this message, resolved ones first.",
      arguments: { message: argument("<message>", "The error, as a tool prints it.") },
      options: {
        project: ofProject,
        all: flag("Of all projects."),
        limit: { ...limitOption, details: "5 where it is left out" },
        json: jsonOption("`{message, signature, chains}`, each chain with its `score`")
      },
      examples: ['hooktape chains similar "connect ECONNREFUSED 127.0.0.1:6379"'],
      guards: "keeps",
      ofFleet: "of all projects",
      run: similar
    })
  }
})
