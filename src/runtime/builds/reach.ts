/** Which events an invocation can hold, and with them which hooks it can reach. */
import { eventOf, type Manifest } from "../../state/manifest.ts"
import type { Refreshed } from "./refresh.ts"

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

/** Whether a hook stands guard at one of them. */
export const isGuarded = (manifest: Manifest, agent: string, native: string): boolean => {
  // A build of before guards were told of may hold one.
  const { guarded = Object.keys(manifest.events) } = manifest
  return eventsIn(eventOf(manifest, agent, native)).some((event) => guarded.includes(event))
}

/** Whether a guard is to be asked at one of them whose build is gone. */
export const isLacking = ({ lost = [], manifest }: Refreshed, agent: string, native: string): boolean =>
  lost.length > 0 &&
  eventsIn(eventOf(manifest, agent, native)).some((event) =>
    lost.some(({ events }) => events.includes(event))
  )

/** Where an action can still be kept from happening. */
export const stopping: readonly string[] = ["tool.before", "tool.permission"]

/** Whether leaving its hooks out could let something through: one stands guard, or may stop a tool. */
export const isWatched = (manifest: Manifest, agent: string, native: string): boolean =>
  isGuarded(manifest, agent, native) ||
  eventsIn(eventOf(manifest, agent, native)).some(
    (event) => stopping.includes(event) && Object.hasOwn(manifest.events, event)
  )
