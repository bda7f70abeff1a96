/** Which events an invocation can hold, and with them which hooks it can reach. */
import { eventOf, type Manifest } from "./manifest.ts"

/** What can follow from an agent event within its invocation: the bundle of the one holds the hooks of the others. */
const derivedFrom: Readonly<Record<string, readonly string[]>> = {
  "tool.after": ["file.edited", "command.ran", "error.observed"],
  "tool.failure": ["command.ran", "error.observed"],
  "tool.batch": ["error.observed"],
  // Cursor tells how a turn ended within one event.
  "turn.stop": ["turn.error", "turn.interrupt", "response.given"],
  "model.after": ["response.given"],
  "prompt.submit": ["feedback.given"],
  "session.end": ["session.ending"]
}

/** An event, and what may follow from it within its invocation. */
export const eventsIn = (event: string): readonly string[] => [event, ...(derivedFrom[event] ?? [])]

/** Where an action can still be kept from happening. */
const stopping = ["tool.before", "tool.permission"]

/** Whether a hook of the build may want to keep an action from happening. */
export const mayStop = (manifest: Manifest, agent: string, native: string): boolean =>
  eventsIn(eventOf(manifest, agent, native)).some(
    (event) => stopping.includes(event) && Object.hasOwn(manifest.events, event)
  )

/** Whether a hook stands guard at one of them. */
export const isGuarded = (manifest: Manifest, agent: string, native: string): boolean => {
  // A build of before guards were told of may hold one.
  const { guarded = Object.keys(manifest.events) } = manifest
  return eventsIn(eventOf(manifest, agent, native)).some((event) => guarded.includes(event))
}
