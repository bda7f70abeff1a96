/** Where the session monitor keeps what is its own. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"

export interface MonitorPaths {
  readonly state: string
  readonly log: string
  readonly lock: string
  /** Names the process that has the lock. */
  readonly holder: string
  readonly cooldown: string
  /** What waits to be analysed. */
  readonly payloads: string
}

/** Makes the directories where they are not there yet. */
export const monitorPaths = (state: string): MonitorPaths => {
  const run = join(state, "run")
  const payloads = join(run, "session-monitor")
  for (const directory of [join(state, "logs"), payloads])
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  return {
    state,
    log: join(state, "logs", "session-monitor.log"),
    lock: join(run, "session-monitor.lock"),
    holder: join(run, "session-monitor.pid"),
    cooldown: join(run, "session-monitor.cooldown"),
    payloads
  }
}

/** One invocation hands over once: the job finds its payload by the invocation that it follows from. */
export const payloadFile = ({ payloads }: MonitorPaths, invocation: string): string =>
  join(payloads, `${invocation.replace(/[^\w-]/g, "_")}.json`)
