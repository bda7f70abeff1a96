/** Which events of an agent to register: its own default, narrowed or widened by what the user asked for. */
import * as Either from "effect/Either"
import { adapters } from "../../agents/adapters.ts"
import { eventOf, type Manifest } from "../../state/manifest.ts"
import { dialects, type InstallAgent } from "./dialects.ts"
import { InstallError } from "./InstallError.ts"

export interface Choice {
  /**
   * `Stop,PreToolUse` for exactly these, `all` for all there are, `+BeforeModel` and `-Notification` to start from the
   * default. Absent: the default.
   */
  readonly events?: string | undefined
  /** Native events for which a hook exists. */
  readonly handled?: Iterable<string> | undefined
  /** For everyone who clones the repository: the same whoever registers, and whatever hooks they have. */
  readonly shared?: boolean | undefined
}

export const defaultEvents = (
  agent: InstallAgent,
  { handled = [], shared = false }: Pick<Choice, "handled" | "shared"> = {}
): readonly string[] => {
  const wanted = new Set(shared ? [] : handled)
  const { events, sharedEvents } = dialects[agent]
  return Object.entries(events).flatMap(([event, registered]) =>
    (registered === "always" && (!shared || sharedEvents?.includes(event) !== false)) ||
    (registered === "handled" && wanted.has(event))
      ? [event]
      : []
  )
}

const beforeTools = (agent: InstallAgent, events: readonly string[]): readonly string[] =>
  events.filter((event) => adapters[agent].events[event]?.event === "tool.before")

/** Of the missing events those before a tool, where others of them call us: a guard does not see what is done there. */
export const unseenByGuards = (
  agent: InstallAgent,
  registered: readonly string[],
  missing: readonly string[]
): readonly string[] => (beforeTools(agent, registered).length > 0 ? beforeTools(agent, missing) : [])

const refuse = (agent: InstallAgent, reason: string): Either.Either<never, InstallError> =>
  Either.left(
    new InstallError({
      op: "choose",
      file: "",
      reason,
      remedy: `${dialects[agent].name} has: ${Object.keys(dialects[agent].events).join(", ")}.`
    })
  )

export const chooseEvents = (
  agent: InstallAgent,
  choice: Choice = {}
): Either.Either<readonly string[], InstallError> => {
  const known = Object.keys(dialects[agent].events)
  const byDefault = defaultEvents(agent, choice)
  if (choice.events === undefined) return Either.right(byDefault)
  const words = choice.events.split(",").map((word) => word.trim())
  const asked = words.filter((word) => word !== "")
  const signed = asked.filter((word) => /^[+-]/.test(word))
  if (asked.length === 0) return refuse(agent, "--events names no event")
  if (signed.length > 0 && signed.length < asked.length) {
    return refuse(agent, "--events mixes plain names with + and -: write all of one kind")
  }
  const chosen = new Set(signed.length > 0 ? byDefault : [])
  for (const word of asked) {
    const event = word.replace(/^[+-]/, "")
    if (event !== "all" && !known.includes(event)) {
      const near = known.find((name) => name.toLowerCase() === event.toLowerCase())
      const hint = near === undefined ? "" : ` (did you mean ${near}?)`
      return refuse(agent, `${dialects[agent].name} has no event "${event}"${hint}`)
    }
    for (const name of event === "all" ? known : [event]) {
      if (word.startsWith("-")) chosen.delete(name)
      else chosen.add(name)
    }
  }
  if (chosen.size === 0) return refuse(agent, "--events leaves no event")
  return Either.right(known.filter((event) => chosen.has(event)))
}

/** The agent's events that a hook of these builds subscribes to. */
export const handledBy = (agent: InstallAgent, manifests: readonly Manifest[]): readonly string[] =>
  Object.keys(dialects[agent].events).filter((native) =>
    manifests.some((manifest) => manifest.wanted?.includes(eventOf(manifest, agent, native)))
  )
