/** Whether a session may have begun with a guard that a build does not have: only then are its calls looked at for it. */
import { statSync } from "node:fs"
import { eventsIn } from "../../runtime/builds/reach.ts"
import { eventOf, type Manifest } from "../../state/manifest.ts"
import { allSessions, missingFrom, type SessionGuards, sessionsFolder } from "../../trust/sessionGuards.ts"

/** By build first: all events of one are asked about with one look at the disk. */
export type LackingGuards = (manifest: Manifest) => (agent: string, native: string) => boolean

/** A file system's clock may stand still for so long: what was changed just now may change again without another time. */
const coarseMs = 50

export const makeLackingGuards = (state: string, now: () => number = Date.now): LackingGuards => {
  let seen = Number.NaN
  let sessions: readonly SessionGuards[] = []
  let known = new WeakMap<Manifest, readonly string[]>()
  const look = (): void => {
    const time = statSync(sessionsFolder(state), { throwIfNoEntry: false })?.mtimeMs ?? -1
    if (time === seen) return
    seen = Math.abs(now() - time) < coarseMs ? Number.NaN : time
    sessions = allSessions(state)
    known = new WeakMap()
  }
  const lackedBy = (manifest: Manifest): readonly string[] => {
    if (sessions.length === 0) return []
    const { guards = [] } = manifest
    const events = known.get(manifest) ?? [
      ...new Set(sessions.flatMap((one) => missingFrom(guards, one)).flatMap((one) => one.events))
    ]
    known.set(manifest, events)
    return events
  }
  return (manifest) => {
    look()
    const events = lackedBy(manifest)
    return (agent, native) =>
      events.length > 0 && eventsIn(eventOf(manifest, agent, native)).some((one) => events.includes(one))
  }
}
