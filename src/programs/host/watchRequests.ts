/** Whoever watches the actors from another process: asks again and again, and gets what has come since. */
import { isUuid } from "../../../events/ids.ts"
import type { Registry } from "../../runtime/actors/registry.ts"
import type { Watcher } from "../../runtime/actors/watchers.ts"
import type { WatchAnswer } from "../../runtime/host/requests.ts"

export interface WatchRequests {
  /** `watcher`: an id that who watches gave itself. */
  readonly next: (watcher: string) => Promise<WatchAnswer>
  readonly close: () => void
}

/** An answer is not waited for longer than a client waits for a sign of life. */
const answerMs = 1000
/** Who has not asked for so long is gone. */
const goneMs = 10_000
/** Each costs memory while it does not ask. */
const maxWatchers = 16

interface Entry {
  readonly watcher: Watcher
  gone: NodeJS.Timeout | undefined
}

export const makeWatchRequests = (registry: Registry): WatchRequests => {
  const entries = new Map<string, Entry>()

  const drop = (id: string): void => {
    const entry = entries.get(id)
    entries.delete(id)
    clearTimeout(entry?.gone)
    entry?.watcher.close()
  }
  const expectAgain = (id: string, entry: Entry): void => {
    clearTimeout(entry.gone)
    entry.gone = setTimeout(() => drop(id), goneMs).unref()
  }

  return {
    next: async (id) => {
      const known = entries.get(id)
      if (known === undefined) {
        if (!isUuid(id) || entries.size >= maxWatchers) return { frames: [], end: "closed" }
        // First: no step may fall between the two.
        const entry: Entry = { watcher: registry.watch(), gone: undefined }
        entries.set(id, entry)
        expectAgain(id, entry)
        return { actors: registry.actors(), frames: [] }
      }
      clearTimeout(known.gone)
      const found = await known.watcher.next(answerMs)
      if (found.end === undefined) expectAgain(id, known)
      else drop(id)
      return found
    },
    close: () => {
      for (const id of [...entries.keys()]) drop(id)
    }
  }
}
