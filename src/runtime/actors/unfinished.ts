/** The actors that are not over, from the log alone: for where no host can be asked. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Recorded } from "../../../events/Recorded.ts"
import { session } from "../../../machines/session.ts"
import { isFinal } from "../../../machines/step.ts"
import { EventLog, type Filter } from "../../log/EventLog.ts"
import { isLost, isSessionOver } from "../../log/lost.ts"
import { isAlive } from "../../state/isAlive.ts"
import type { ActorView } from "./ActorView.ts"
import { followed, isOver, type LogActor, viewOf } from "./logActors.ts"

/** What processes that are gone have left standing is shown for a day. */
const shownMs = 86_400_000

interface Found {
  readonly actor: LogActor
  /** The first and the last. */
  readonly facts: readonly Pick<Recorded, "type" | "at" | "data">[]
}

/** Of a host, and of a process that runs handlers: the process itself. */
const isProcessGone = ({ facts }: Found): boolean => {
  const pid = (facts[0]?.data as { readonly pid?: unknown } | undefined)?.pid
  return typeof pid === "number" && !isAlive(pid)
}

const isGone = (found: Found, now: number): boolean => {
  switch (found.actor.machine.id) {
    case "invocation":
      return isLost(found.facts, now)
    case "host":
    case "handlers":
      return isProcessGone(found)
    default:
      return false
  }
}

/** In the order in which they began. */
export const unfinished = Effect.fn("actors.unfinished")(function* (now: number) {
  const log = yield* EventLog
  const actors = new Map<string, Found>()
  const take = (fact: Recorded): void => {
    const found = actors.get(fact.stream)
    const actor = followed(found?.actor, fact)?.actor
    if (actor === undefined) return
    // What is over for now may be taken up by a later fact.
    if (isFinal(actor.snapshot)) actors.delete(fact.stream)
    else {
      const { at, data, type } = fact
      actors.set(fact.stream, { actor, facts: [...(found?.facts.slice(0, 1) ?? []), { at, data, type }] })
    }
  }
  const recent = { since: now - shownMs }
  const filters: readonly Filter[] = [
    { streamPrefix: "host/", ...recent },
    { streamPrefix: "handlers/", ...recent },
    { streamPrefix: "invocation/", ...recent },
    { streamPrefix: "job/" },
    // One that goes on today may have begun days ago.
    { streamPrefix: "session/" },
    { streamPrefix: "breaker/" }
  ]
  for (const filter of filters)
    yield* Stream.runForEach(log.read(filter), (fact) => Effect.sync(() => take(fact)))
  const left = [...actors.values()].filter(
    ({ actor, facts }) => !isOver(actor) && !(actor.machine.id === session.id && isSessionOver(facts, now))
  )
  return left.map(
    (found): ActorView => ({ ...viewOf(found.actor), ...(isGone(found, now) ? { lost: true } : {}) })
  )
})
