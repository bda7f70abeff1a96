/** Names a filter may have: a misspelt one would silently find nothing. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { agents, canonicalEvents, ownEvents } from "../../../events/agentEvents.ts"
import { Fact } from "../../../events/facts.ts"
import { adapters } from "../../agents/adapters.ts"
import { didYouMean } from "../../hooks/Problem.ts"
import { CliError } from "./CliError.ts"
import { Logbook, type Query } from "./logbook.ts"

export const factTypes: readonly string[] = Fact.members.flatMap((group) =>
  group.members.flatMap(({ fields }) => fields.type.literals)
)

const eventNames: readonly string[] = [...canonicalEvents, ...ownEvents]
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
