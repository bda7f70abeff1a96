/** `hooktape replay`: recorded invocations done again, and compared. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { InvocationFact } from "../../../../events/facts.ts"
import type { Recorded } from "../../../../events/Recorded.ts"
import { adapters } from "../../../agents/adapters.ts"
import { findCalls } from "../../../features/timeline/find.ts"
import { realPath } from "../../../runtime/builds/discover.ts"
import { findBuild } from "../../../runtime/builds/refresh.ts"
import type { Manifest } from "../../../state/manifest.ts"
import { formerly } from "../../../tools/replay/formerly.ts"
import type { Difference } from "../../../tools/replay/Replayed.ts"
import { recomputed } from "../../../tools/replay/recomputed.ts"
import { replayInvocation } from "../../../tools/replay/replayInvocation.ts"
import type { Rerun } from "../../../tools/replay/rerun.ts"
import { CliError } from "../CliError.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { findPlaces } from "../places.ts"
import { drawDifferences, drawVerdict, type Subject, subjectOf } from "../render/differences.ts"
import { Screen } from "../Screen.ts"
import { parseSince } from "../since.ts"
import { defineCommand } from "../syntax/Command.ts"
import { flag, text } from "../syntax/parameters.ts"
import { json as jsonOption, optionalRef, times } from "../syntax/shared.ts"

export interface ReplayOptions {
  readonly ref: string | undefined
  readonly since: string | undefined
  readonly all: boolean
  readonly with: string | undefined
  readonly break: boolean
  readonly json: boolean
}

/** Runs the hooks that are there now on one invocation. */
type RunAgain = (facts: readonly Recorded[]) => Effect.Effect<Rerun | undefined, unknown>

/** Of a call that a collector has, nothing can be done again where its payload, or a part of what came of it, stayed where it was. */
const isUnshipped = (facts: readonly Recorded[]): boolean =>
  facts.some(({ data, known }) => known && (data as { readonly missing?: unknown }).missing !== undefined)

/** A run for a program: what happened, how long each state took, and whom each word would have reached. */
const runOf = (invocation: string, facts: readonly InvocationFact[]) => ({
  invocation,
  ms: facts.find((fact) => fact.type === "EXITED")?.ms ?? null,
  channels:
    facts.find((fact) => fact.type === "REPLY_DELIVERED" || fact.type === "DELIVERY_FAILED")?.channels ?? [],
  facts
})

const chosen = Effect.fn("cli.replay.chosen")(function* ({ ref, since, all }: ReplayOptions) {
  const logbook = yield* Logbook
  const ways = [ref !== undefined, since !== undefined, all].filter(Boolean).length
  if (ways !== 1) {
    return yield* new CliError({
      what: "replay",
      reason: ways === 0 ? "nothing to replay was named" : "several things to replay were named",
      remedy: 'Name one invocation, or give "--since" or "--all".'
    })
  }
  if (ref !== undefined) return [yield* logbook.resolve(ref)]
  // Those of hooktape itself are hidden everywhere else too.
  const from = since === undefined ? 0 : yield* parseSince(since, yield* Clock.currentTimeMillis)
  const now = yield* Clock.currentTimeMillis
  const calls = yield* logbook.timeline((db) => findCalls(db, { since: from, own: false }, now))
  return calls.map(({ invocation }) => invocation)
})

/** What runs for the project of the call now: only what is trusted is in it. */
const buildFor = (facts: readonly Recorded[]): Effect.Effect<Manifest, CliError> => {
  const { state } = findPlaces()
  const project = facts.find((one) => one.project !== null)?.project ?? undefined
  const found = findBuild(state, realPath(findPlaces(project).project) ?? "")
  return found === undefined
    ? new CliError({ what: "replay --break", reason: "nothing is built", remedy: 'Run "hooktape build".' })
    : Effect.succeed(found.current)
}

const brokenInto = Effect.fn("cli.replay.break")(function* ({
  all,
  json,
  ref,
  since,
  with: dir
}: ReplayOptions) {
  if (ref === undefined || all || json || since !== undefined || dir !== undefined)
    return yield* new CliError({
      what: "replay --break",
      reason: "it steps through one invocation, with the hooks that are built",
      remedy: 'Say "hooktape replay last --break", with nothing else.'
    })
  const { note } = yield* Screen
  const logbook = yield* Logbook
  const facts = yield* logbook.invocation(yield* logbook.resolve(ref))
  const { stepThrough } = yield* Effect.promise(() => import("../../../tools/replay/rerun.ts"))
  yield* note(
    "Open chrome://inspect in a Chrome, or attach your editor to the address below; Chrome has to be told of a port other than 9229 (Configure …). It stops before each hook: set breakpoints in your file, then resume.\n"
  )
  const ran = yield* stepThrough(yield* buildFor(facts), facts)
  if (!ran) yield* note("no hook runs for this call: there is nothing to step through.\n")
  return ran ? 0 : 1
})

const replay = (options: ReplayOptions) =>
  options.break ? brokenInto(options).pipe(Effect.scoped, withLogbook) : compared(options)

const compared = (options: ReplayOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const logbook = yield* Logbook
    const ids = yield* chosen(options)
    const rerun: RunAgain | undefined =
      options.with === undefined
        ? undefined
        : yield* (yield* Effect.promise(() => import("../../../tools/replay/rerun.ts"))).makeRerun(
            options.with,
            findPlaces()
          )
    const progress = yield* Effect.acquireRelease(
      Effect.sync(() => screen.progress("replaying")),
      (one) => Effect.sync(one.end)
    )
    const differences: Difference[] = []
    const runs: ReturnType<typeof runOf>[] = []
    const subjects = new Map<string, Subject>()
    let lost = 0
    let unshipped = 0
    for (const [index, id] of ids.entries()) {
      progress.at(index, ids.length)
      const facts = yield* logbook.invocation(id)
      if (isUnshipped(facts)) {
        unshipped++
        continue
      }
      const replayed = replayInvocation(facts, adapters, formerly)
      if (replayed.lost) lost++
      const again = rerun && (yield* rerun(facts))
      // Where no hook ran it is the recorded one, with its reply said anew: of one that was named, since many would be the log once more.
      const run = rerun === undefined ? options.ref && recomputed(facts) : again?.facts
      if (run && options.json) runs.push(runOf(id, run))
      const found = [...replayed.differences, ...(again?.differences ?? [])]
      if (found.length > 0) subjects.set(id, subjectOf(facts))
      differences.push(...found)
    }
    progress.end()
    const same = differences.length === 0
    yield* screen.out(
      options.json
        ? `${JSON.stringify({ same, compared: ids.length - unshipped, ...(unshipped === 0 ? {} : { unshipped }), differences, ...(rerun || options.ref !== undefined ? { runs } : {}) }, null, 2)}\n`
        : drawDifferences(differences, subjects, screen) +
            drawVerdict({ compared: ids.length - unshipped, lost, unshipped }, differences, screen.style)
    )
    if (rerun === undefined && !options.json)
      yield* screen.note(
        "no hook ran: what they said was taken from the log. --with DIR runs those of a directory.\n"
      )
    return same ? 0 : 1
  }).pipe(Effect.scoped, withLogbook)

export const command = defineCommand({
  group: "Look back",
  summary: "Do recorded invocations again and compare; nothing is delivered or recorded.",
  arguments: { ref: optionalRef },
  options: {
    since: text("TIME", `All invocations from this time on: ${times}, 0.`, {
      details: "all from this time on, written as with `log`",
      example: "hooktape replay --since 7d"
    }),
    all: flag("All invocations on the log.", { example: "hooktape replay --all" }),
    with: text(
      "DIR",
      "A directory with hook files to run in place of the project's, on the recorded payloads.",
      {
        details:
          "also run the hook files of `DIR` on the recorded payloads. They stand in for **all** hooks of the project; your own stay",
        example: "hooktape replay --all --with ./draft"
      }
    ),
    break: flag("Run the hooks of one invocation under Node's inspector, to step through them."),
    json: jsonOption()
  },
  heading: "<ref>",
  line: "<ref> | --since TIME | --all [options]",
  examples: ["hooktape replay last", "hooktape replay --since 1d --with .hooktape/hooks"],
  guards: "keeps",
  ofFleet: "as asked",
  run: replay
})
