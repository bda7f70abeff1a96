/** What runs after a build, beside everything else, and is given up when the next change comes: fixtures, and the type check. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { count } from "../../../features/timeline/words.ts"
import { printable, printableLines } from "../../../state/terminalText.ts"
import { typeCheck } from "../../../tools/dev/typeCheck.ts"
import type { Places } from "../places.ts"
import { drawTest } from "../render/fixtures.ts"
import { Screen } from "../Screen.ts"
import { makeFixturesAgain } from "./fixturesAgain.ts"

/** What is run. */
export interface Checks {
  readonly again: ReturnType<typeof makeFixturesAgain>
  readonly check: typeof typeCheck
}

export const makeBeside = (
  { project }: Pick<Places, "project">,
  { again, check }: Checks = { again: makeFixturesAgain(project), check: typeCheck }
) => {
  let underway: AbortController | undefined
  let saidHow = false
  const types = Effect.fn("cli.dev.types")(function* (signal: AbortSignal) {
    const { note, style } = yield* Screen
    const found = yield* Effect.promise(() => check(project, signal))
    if (signal.aborted) return
    if (found.kind === "none") {
      if (!saidHow) yield* note(style.faint(`  ${printable(found.say)}\n`))
      saidHow = true
      return
    }
    for (const error of found.errors) yield* note(`${style.warn("!")} ${printable(error)}\n`, "exact")
  })
  const fixtures = Effect.fn("cli.dev.fixtures")(function* (signal: AbortSignal) {
    const { note, out, style } = yield* Screen
    const found = yield* Effect.promise(() => again(signal))
    if (found === undefined || signal.aborted) return
    const { failing, problem, ran } = found
    if (problem !== undefined)
      yield* note(`${style.bad("✖")} fixtures: ${printableLines(problem)}\n`, "exact")
    else if (failing.length === 0) yield* out(`${style.good("✔")} ${count(ran, "fixture")} as kept\n`)
    else {
      for (const one of failing)
        yield* note(drawTest(one, style), one.status === "missing" ? undefined : "exact")
      yield* note(`${style.bad("✖")} ${failing.length} of ${count(ran, "fixture")} not as kept\n`)
    }
  })
  return {
    stop: () => underway?.abort(),
    /** `mayTest`: fixtures run what is there, trusted or not. */
    start: (mayTest: boolean): Effect.Effect<void, never, Screen | Scope.Scope> =>
      Effect.suspend(() => {
        underway?.abort()
        underway = new AbortController()
        const { signal } = underway
        const work = mayTest ? Effect.zipRight(fixtures(signal), types(signal)) : types(signal)
        return Effect.asVoid(Effect.forkScoped(work))
      })
  }
}
