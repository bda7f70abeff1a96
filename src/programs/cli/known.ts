/** Names a filter may have: a misspelt one would silently find nothing. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { agents, canonicalEvents, derivedEvents } from "../../../events/agentEvents.ts"
import { Fact } from "../../../events/facts.ts"
import { adapters } from "../../agents/adapters.ts"
import { hooksThatRan } from "../../features/timeline/find.ts"
import { didYouMean, nearestOf } from "../../hooks/Problem.ts"
import { readDescribed } from "../../runtime/builds/described.ts"
import { realPath } from "../../runtime/builds/discover.ts"
import { findBuild } from "../../runtime/builds/refresh.ts"
import { printable } from "../../state/terminalText.ts"
import { CliError } from "./CliError.ts"
import { Logbook, type Query } from "./logbook.ts"
import { findPlaces } from "./places.ts"

export const factTypes: readonly string[] = Fact.members.flatMap((group) =>
  group.members.flatMap(({ fields }) => fields.type.literals)
)

const eventNames: readonly string[] = [...canonicalEvents, ...derivedEvents]
const natives: readonly string[] = Object.values(adapters).flatMap(({ events }) => Object.keys(events))

/** What an agent says beyond the common words begins with its own. */
const isEvent = (event: string): boolean =>
  event.startsWith("agent.") || eventNames.includes(event) || natives.includes(event)

/** All of them are too many to list. */
const nearestEvent = (event: string): string => {
  const near = didYouMean(event, [...eventNames, ...natives])
  return near.startsWith("Did") ? near : didYouMean(event, eventNames)
}

const unknown = (what: string, reason: string, remedy: string) => new CliError({ what, reason, remedy })

/** What another version wrote has names that this one does not know: those on the log are as good. */
const isThere = Effect.fn("cli.known.isThere")(function* (query: Query) {
  const logbook = yield* Logbook
  return Option.isSome(yield* Stream.runHead(logbook.read(query)))
})

/** Hooks that ran, and those that nobody called so far. */
export const checkHook = Effect.fn("cli.known.hook")(function* (hook: string) {
  const { timeline } = yield* Logbook
  const ran = yield* timeline(hooksThatRan)
  if (ran.includes(hook)) return
  const { project, state } = findPlaces()
  const found = findBuild(state, realPath(project) ?? project)
  const built = (found && readDescribed(found.current.dir))?.map(({ name }) => name) ?? []
  if (built.includes(hook)) return
  const near = nearestOf(hook, [...new Set([...ran, ...built])])
  return yield* unknown(
    "--hook",
    `no hook of that name is known: ${printable(hook)}`,
    near === undefined ? '"hooktape hooks list" names them.' : `Did you mean "${near}"?`
  )
})

/** One that is on the log; `--follow` may wait for one that is not there yet. */
export const checkSession = Effect.fn("cli.known.session")(function* (session: string | undefined) {
  if (session === undefined || (yield* isThere({ session, last: 1 }))) return
  return yield* unknown(
    "--session",
    `no session of that name is on the log: ${printable(session)}`,
    '"hooktape log" shows the end of each one\'s name.'
  )
})

export const checkNames = Effect.fn("cli.known")(function* ({ agent, event, types = [] }: Query) {
  for (const type of types) {
    if (factTypes.includes(type) || (yield* isThere({ types: [type] }))) continue
    return yield* unknown("--type", `no fact is called "${type}"`, didYouMean(type, factTypes))
  }
  if (event !== undefined && !isEvent(event) && !(yield* isThere({ event })))
    return yield* unknown("--event", `no event is called "${event}"`, nearestEvent(event))
  if (agent === undefined || (agents as readonly string[]).includes(agent)) return
  if (yield* isThere({ agent })) return
  return yield* unknown("--agent", `no agent is called "${agent}"`, `Known: ${agents.join(", ")}.`)
})
