/** What the host does beside answering: takes in what was spooled, and keeps the state bounded. */
import { readdirSync } from "node:fs"
import * as Effect from "effect/Effect"
import { EventLog, type EventLogShape } from "../log/EventLog.ts"
import { ingest } from "../log/ingest.ts"
import { spoolDirectory } from "../log/spoolWriter.ts"
import { upkeep } from "../log/upkeep.ts"

export interface Upkeep {
  readonly begin: () => void
  readonly end: () => Promise<void>
}

export interface UpkeepOptions {
  readonly state: string
  readonly source: string
  readonly log: EventLogShape
  /** Handles the calls that were left behind. */
  readonly takeFrames: () => Promise<unknown>
  readonly everyMs?: number
}

const hasSpooled = (state: string): boolean => {
  try {
    return readdirSync(spoolDirectory(state)).some(
      (name) => name.endsWith(".ndjson") || name.endsWith(".open")
    )
  } catch {
    return false
  }
}

export const makeUpkeep = ({ state, source, log, takeFrames, everyMs = 100 }: UpkeepOptions): Upkeep => {
  const within = <A, E>(effect: Effect.Effect<A, E, EventLog>): Promise<unknown> =>
    Effect.runPromiseExit(Effect.provideService(effect, EventLog, log))
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  let ended = false

  const takeIn = (): void => {
    if (ended) return
    running = takeFrames()
      .then(() => (hasSpooled(state) ? within(ingest(state, source)) : undefined))
      .then(() => {
        if (!ended) timer = setTimeout(takeIn, everyMs)
      })
  }

  return {
    begin: () => {
      running = within(upkeep(state, source)).then(takeIn)
    },
    end: async () => {
      ended = true
      clearTimeout(timer)
      await running
    }
  }
}
