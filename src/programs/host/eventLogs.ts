/** The host's two connections to the log. */
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Damage, describeDamage } from "../../log/Damage.ts"
import { EventLog, type EventLogShape } from "../../log/EventLog.ts"
import { layerSqlite } from "../../log/sqlite/SqliteLog.ts"
import { installationId } from "../../state/state.ts"
import { HostPlace } from "./HostPlace.ts"

/** The same log for those who look for what is new now and then, not after each call that has nothing to do with them: a connection of their own. */
export class FollowedLog extends Context.Tag("hooktape/FollowedLog")<FollowedLog, EventLogShape>() {}

/** What others append comes through the spool: only what the command line writes is looked for. */
const lookMs = 2000
const lookForJobsMs = 250
/** A job that is done is not done again because somebody else wrote for a minute. */
const jobTurns = 1200
/** Of what is damaged on the log, in words. */
const maxNoted = 20

/** Each damage once. */
const noteDamage = (note: (line: string) => void): ((damage: Damage) => void) => {
  const noted = new Set<string>()
  return (damage) => {
    const line = `the log is damaged: ${describeDamage(damage)}. Run "hooktape log verify".`
    if (!noted.has(line) && noted.size < maxNoted) note(line)
    noted.add(line)
  }
}

export const logFile = (state: string): string => join(state, "log.sqlite")

/** The first of them makes the file where there is none. */
export const eventLogs = Layer.unwrapEffect(
  Effect.map(HostPlace, ({ note, state }) => {
    const shared = {
      file: logFile(state),
      source: installationId(state),
      answering: true,
      onDamage: noteDamage(note),
      older: "refuse"
    } as const
    const followed = layerSqlite({
      ...shared,
      pollMs: lookForJobsMs,
      idlePollMs: lookMs,
      turns: jobTurns
    })
    return Layer.scoped(FollowedLog, Effect.map(Layer.build(followed), Context.get(EventLog))).pipe(
      Layer.provideMerge(layerSqlite({ ...shared, pollMs: lookMs }))
    )
  })
)
