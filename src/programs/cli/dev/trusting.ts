/** What is saved while `hooktape dev` runs: trusted without a word, or shown and held back until its user says yes. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describeProblem, type Problem } from "../../../hooks/Problem.ts"
import { repositoryTop } from "../../../state/levels.ts"
import { printable, printableLines } from "../../../state/terminalText.ts"
import { type Review, reviewProject, trustReviewed } from "../../../tools/build/trust.ts"
import { agentAtWork } from "../../../tools/dev/agentCalls.ts"
import { decideSaves } from "../../../tools/dev/decideSaves.ts"
import type { Change } from "../../../tools/dev/watch.ts"
import { noteDown } from "../commands/build.ts"
import { showReview } from "../commands/trust.ts"
import { isTerminal } from "../confirm.ts"
import { Logbook } from "../logbook.ts"
import type { Places } from "../places.ts"
import { Screen } from "../Screen.ts"

/** Longer than any tool call of an agent is waited for. */
const longestCallMs = 60 * 60_000

/** All that a reader sees of it: the same again is no news. */
const toSee = ({ gone, items }: Review): string =>
  JSON.stringify([items.map(({ change, diff, file, files }) => [file, change, diff, files]), gone])

export const makeTrusting = (places: Places, savesCount: boolean) => {
  const { project, state } = places
  let waitedBefore: ReadonlySet<string> = new Set()
  let shown: Review | undefined
  let unusable: readonly string[] = []
  const how = { state, project }

  /** Of what nobody has trusted yet, no build tells: it leaves that out. */
  const tell = Effect.fn("cli.dev.unusable")(function* (problems: readonly Problem[]) {
    const { note, style } = yield* Screen
    const news = problems.map(describeProblem).filter((problem) => !unusable.includes(problem))
    for (const problem of news) yield* note(`${style.bad("✖")} ${printableLines(problem)}\n`, "exact")
    unusable = [...unusable, ...news]
  })

  const accept = Effect.fn("cli.dev.accept")(function* (review: Review, only: readonly string[] | undefined) {
    const { out, style } = yield* Screen
    const result = yield* trustReviewed({ ...how, ...(only === undefined ? {} : { only }) }, review)
    yield* tell(result.problems)
    if (result.files.length === 0) return
    yield* noteDown(state, {
      type: "HOOKS_TRUSTED",
      project: result.project,
      files: result.files.map(({ file, hash }) => ({ file, hash })),
      ...(result.digests.length === 0 ? {} : { digests: result.digests }),
      ...(only === undefined ? {} : { by: "dev" as const })
    })
    if (only === undefined) yield* out(`${style.good("✔")} trusted as it is now\n`)
  })

  return {
    isWaiting: () => waitedBefore.size > 0,
    /** What was said to be wrong with what is there now: it is not in use. */
    unusable: () => unusable,
    /** What was shown last is what is trusted, whatever stands in the files by now. */
    trustShown: Effect.gen(function* () {
      if (shown === undefined || waitedBefore.size === 0) {
        const { note } = yield* Screen
        yield* note("nothing waits to be trusted.\n")
        return false
      }
      yield* accept(shown, undefined)
      waitedBefore = new Set()
      shown = undefined
      return true
    }),
    /** Looks at what is not trusted yet. `change`: what was seen to be saved; without one, nothing was. */
    look: Effect.fn("cli.dev.review")(function* (change: Change | undefined) {
      const { note, style } = yield* Screen
      const review = yield* reviewProject(how)
      unusable = []
      yield* tell(review.problems)
      const logbook = yield* Logbook
      const until = yield* Clock.currentTimeMillis
      const facts =
        change === undefined || !savesCount
          ? []
          : yield* Effect.zipRight(
              Effect.ignore(logbook.takeIn),
              Stream.runCollect(
                logbook.read({
                  types: ["PAYLOAD_BUFFERED", "HANDLER_SUCCEEDED"],
                  since: change.since - longestCallMs
                })
              )
            )
      const root = repositoryTop(project) ?? project
      const { trusted, waiting } = decideSaves(review, {
        savesCount: savesCount && change !== undefined,
        waitedBefore,
        against: (file) =>
          change === undefined
            ? undefined
            : agentAtWork([...facts], { file: `${project}/${file}`, root, since: change.since, until })
      })
      if (trusted.length > 0) yield* accept(review, trusted)
      const isNews = shown === undefined || toSee(shown) !== toSee(review)
      waitedBefore = new Set(waiting.keys())
      shown = waiting.size > 0 ? review : undefined
      if (waiting.size === 0 || !isNews) return
      // What does not build was named above.
      yield* showReview({ ...review, problems: [] })
      for (const why of new Set(waiting.values()))
        yield* note(`${style.warn("!")} waits: ${printable(why)}\n`)
      yield* note(
        isTerminal()
          ? "  What was trusted before runs on. Press t to trust what is shown.\n"
          : '  What was trusted before runs on. "hooktape trust" takes your yes.\n'
      )
    })
  }
}
