/** Brings tables up to the end of the log before they are asked: step by step, so that nobody else waits for it. */
import { setImmediate } from "node:timers/promises"
import type { Steps } from "../../../log/projection.ts"
import { isBusy } from "../../../log/sqlite/sqliteErrors.ts"
import { openChains } from "../../chains/catchUp.ts"
import { openMetrics } from "../../metrics/catchUp.ts"
import type { World } from "./World.ts"

const opened = { chains: openChains, metrics: openMetrics } as const

const finish = async (steps: Steps): Promise<void> => {
  try {
    while (steps.step()) await setImmediate()
  } catch (error) {
    // What is there can be asked, though it tells less than the log does.
    if (!isBusy(error) || !steps.isMade()) throw error
  } finally {
    steps.close()
  }
}

/** What is under way for one is not begun again by another. */
export const makeBringUp = (file: string): World["bringUp"] => {
  const underway = new Map<string, Promise<void>>()
  return (tables) => {
    const there = underway.get(tables)
    if (there !== undefined) return there
    const begun = finish(opened[tables](file)).finally(() => underway.delete(tables))
    underway.set(tables, begun)
    return begun
  }
}
