/** A projection as a service of the host: brought up to the end of the log in moments in which nobody waits. */

import type { Steps } from "../../log/projection.ts"
import { isBusy } from "../../log/sqlite/sqliteErrors.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import type { HostService } from "./hostServices.ts"

export interface ProjectionServiceOptions {
  readonly name: string
  /** A connection of its own; `most`: how many facts in one step. */
  readonly open: (most: number) => Steps
  readonly everyMs?: number
  /** A call that comes meanwhile waits this long at most. */
  readonly budgetMs?: number
}

const perStep = 50

export const projectionService = (options: ProjectionServiceOptions): HostService => {
  const { budgetMs = 3, everyMs = 1000, name, open } = options
  let steps: Steps | undefined
  let due = 0
  const close = (): void => {
    steps?.close()
    steps = undefined
  }
  return {
    name,
    open: () => {
      close()
      const opened = open(perStep)
      try {
        // The first makes the tables: one that cannot be written is off from the start.
        opened.step()
      } catch (cause) {
        if (!isBusy(cause)) {
          opened.close()
          throw cause
        }
      }
      steps = opened
    },
    tick: () => {
      const now = monotonic()
      if (steps === undefined || now < due) return false
      if (!steps.isBehind()) {
        due = now + everyMs
        return false
      }
      const until = now + budgetMs
      try {
        while (steps.step() && monotonic() < until);
      } catch (cause) {
        if (!isBusy(cause)) throw cause
        due = now + everyMs
      }
      return true
    },
    close
  }
}
