/** What the inspector's page can have done: a call again with what is trusted, or with what was recorded, and a call as a fixture. */
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type { InvocationFact } from "../../../events/facts.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { adapters } from "../../agents/adapters.ts"
import type { Acts, Again } from "../../features/inspector/acts/Acts.ts"
import { builtProjects } from "../../runtime/builds/builtProjects.ts"
import { realPath } from "../../runtime/builds/discover.ts"
import { findBuild } from "../../runtime/builds/refresh.ts"
import { formerly } from "../../tools/replay/formerly.ts"
import { recomputed } from "../../tools/replay/recomputed.ts"
import { replayInvocation } from "../../tools/replay/replayInvocation.ts"
import type { Logbook } from "./logbook.ts"
import { saveFixture } from "./saveFixture.ts"

const openedIn = (facts: readonly Recorded[]) => {
  const opened = facts.find(({ known: isKnown, type }) => isKnown && type === "INVOCATION_OPENED")?.data
  return opened as Extract<InvocationFact, { type: "INVOCATION_OPENED" }> | undefined
}

const asRecorded = (recorded: readonly Recorded[]): Again | { readonly reason: string } => {
  const facts = recomputed(recorded)
  if (facts === undefined) return { reason: "its first fact is not on the log" }
  const [first] = replayInvocation(recorded, adapters, formerly).differences
  return { facts, first }
}

/** Code of a directory that nobody trusts is run by `hooktape replay --with`, and not because a page asks for it. */
const withBuilt = Effect.fn("cli.inspect.again")(function* (
  recorded: readonly Recorded[],
  state: string,
  directory = openedIn(recorded)?.project
) {
  const found = directory === undefined ? undefined : findBuild(state, realPath(directory) ?? "")
  if (found === undefined) return { reason: "nothing is built for its project" }
  const { runAgain } = yield* Effect.promise(() => import("../../tools/replay/rerun.ts"))
  const again = yield* runAgain(found.current, recorded)
  return again === undefined
    ? { reason: "no hook ran for it: its payload was not taken, or it was only tried" }
    : { facts: again.facts, first: again.differences[0] }
})

export const inspectorActs = Effect.fn("cli.inspectorActs")(function* (state: string) {
  const run = Runtime.runPromise(yield* Effect.runtime<Logbook>())
  return {
    directories: () => builtProjects(state),
    again: (facts, how) =>
      how === "recorded"
        ? Promise.resolve(asRecorded(facts))
        : run(withBuilt(facts, state, how === "today" ? undefined : how.directory)),
    fixture: (invocation) =>
      run(
        Effect.map(saveFixture(invocation, { here: process.cwd(), project: undefined }), ({ file }) => file)
      )
  } satisfies Acts
})
