/** Where the host keeps facts: the journal at once and the log soon after, or the spool when the log does not take them. */
import { existsSync } from "node:fs"
import type { Sources } from "../../../events/ids.ts"
import { countGap } from "../../log/gaps.ts"
import { withDigest } from "../../log/payloadDigest.ts"
import { byStream } from "../../log/spool/ingest.ts"
import { openJournal } from "../../log/spool/journal.ts"
import { spoolName } from "../../log/spool/spoolName.ts"
import { openSpool, spoolDirectory } from "../../log/spool/spoolWriter.ts"
import type { RedactedDraft } from "../../redact/redact.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import type { Writer } from "./writer.ts"

export interface FactStore {
  /** Facts of an invocation and of the jobs that follow from it, together. Resolves once they are kept, rejects when nothing would keep them. */
  readonly commit: (drafts: readonly [RedactedDraft, ...RedactedDraft[]]) => Promise<void>
  /** What to say of such a failure: told once, until a call is kept again. */
  readonly complaint: (error: Error) => string
  /** Nothing more will be kept of this call. */
  readonly missed: (error: Error) => void
}

/** The same for whoever begins and ends it. */
export interface OwnedFactStore extends FactStore {
  /** The file of the spool that only this record takes in. */
  readonly journal: () => string | undefined
  /** Resolves once all that was kept is on the log, or left to whoever takes in the spool. */
  readonly close: () => Promise<void>
}

/** Nobody waits for the log: it gets what was kept when nothing more came for so long, */
const quietMs = 10
/** or after so long. */
const latestMs = 100
/** More make nothing faster. */
const maxFacts = 100
/** What nobody took is offered again after so long. */
const againMs = 1000
/** A file that nothing is written to any more is not left lying about. */
const restMs = 10_000

export interface FactStoreOptions {
  readonly state: string
  readonly writer: Writer
  readonly sources: Sources
  /** Key of payload digests. */
  readonly key: Buffer
  /** Whether the file that is written is still the one that others read. */
  readonly isLogThere?: () => boolean
}

export const makeFactStore = (options: FactStoreOptions): OwnedFactStore => {
  const { isLogThere = () => true, key, sources, state, writer } = options
  const journal = openJournal(state, sources)
  const write = (drafts: readonly RedactedDraft[]): Promise<void> =>
    writer.commit(byStream(drafts.map((draft) => withDigest(draft, () => key))))
  let told = false
  /** Calls that nothing was kept of, and not even their number. */
  let uncounted = 0
  let problem: Error | undefined
  const count = (): void => {
    if (uncounted > 0 && countGap(state, sources.now(), problem, uncounted)) uncounted = 0
  }
  /** What the journal holds is then for the next host. */
  let isGone = false
  const isThere = (): boolean => {
    isGone ||= !isLogThere()
    return !isGone
  }
  /** In the journal, and not on the log yet: what waits, and what is being written. */
  let behind: RedactedDraft[] = []
  let underway: readonly RedactedDraft[] = []
  let timer: NodeJS.Timeout | undefined
  let since = 0
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  let rest: NodeJS.Timeout | undefined
  /** Files of ours that wait to be taken in: what comes later goes the same way, so that it comes in order. */
  const waiting: string[] = []

  /** They are taken in one after the other: mostly the last one tells it for all. */
  const isWaiting = (): boolean => {
    for (let path = waiting.at(-1); path !== undefined; path = waiting.at(-1)) {
      if (existsSync(path)) return true
      waiting.pop()
    }
    return false
  }

  /** Read into the log by the next that can write it: in order, each fact once. */
  const spool = (drafts: readonly RedactedDraft[]): void => {
    const name = spoolName(sources)
    const file = openSpool(state, name)
    try {
      for (const draft of drafts) file.append(draft)
      file.close()
      waiting.push(`${spoolDirectory(state)}/${name}.ndjson`)
    } catch (error) {
      // Half of it would be read as all there is, and each file left open is one less for others.
      file.discard()
      throw error
    }
  }

  /** For whoever takes in the spool. Files are read in the order of their names: what comes later is in later ones. */
  const handOver = (): void => {
    const kept = [...underway, ...behind]
    if (kept.length > 0) {
      const file = journal.handOver()
      if (file === undefined) spool(kept)
      else waiting.push(file)
      underway = []
      behind = []
    }
    journal.remove()
  }

  const settle = async (): Promise<void> => {
    if (behind.length === 0 || !isThere()) return
    if (!isWaiting()) {
      underway = behind
      behind = []
      try {
        await write(underway)
        underway = []
        if (behind.length === 0 && isThere()) journal.cut()
        return
      } catch {
        // Somebody writes for long, or nothing can be written.
        behind = [...underway, ...behind]
        underway = []
      }
    }
    try {
      handOver()
    } catch {
      // It stays where it is.
      later(againMs)
    }
  }

  /** One after the other. Who asks while one waits for its turn is served by that one. */
  const settled = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (next === undefined) {
      next = last.then(() => {
        next = undefined
        return settle()
      })
      last = next
    }
    return next
  }

  const later = (ms: number): void => {
    if (timer) return
    since = monotonic()
    timer = setTimeout(() => void settled(), ms)
  }

  const isJournaled = (drafts: readonly RedactedDraft[]): boolean => {
    try {
      if (!journal.append(drafts)) return false
    } catch {
      // A full disk, perhaps: the log may have room that it was given before.
      return false
    }
    behind.push(...drafts)
    if (behind.length >= maxFacts || (timer && monotonic() - since >= latestMs)) void settled()
    else if (timer) timer.refresh()
    else later(quietMs)
    if (rest) rest.refresh()
    else rest = setTimeout(takeAway, restMs).unref()
    return true
  }

  const takeAway = (): void => {
    if (isGone || behind.length + underway.length > 0) rest?.refresh()
    else {
      rest = undefined
      journal.remove()
    }
  }

  const commitNow = async (drafts: readonly RedactedDraft[]): Promise<void> => {
    if (behind.length === 0 && !isWaiting())
      try {
        return await write(drafts)
      } catch {
        // As above.
      }
    handOver()
    spool(drafts)
  }

  return {
    commit: async (drafts) => {
      // Who removed all of it wants none of it back.
      if (journal.name() === undefined && !existsSync(state)) throw new Error(`${state} is gone`)
      if (!isJournaled(drafts)) {
        await settled()
        // It may have been full.
        if (!isJournaled(drafts)) await commitNow(drafts)
      }
      // A word of a process may still find room where no call does.
      if (drafts.some(({ stream }) => stream.startsWith("invocation/"))) told = false
      count()
    },
    complaint: ({ message }) => {
      if (told) return ""
      told = true
      return `hooktape error: hook calls are not recorded: ${message}. Run "hooktape doctor".\n`
    },
    missed: (error) => {
      uncounted++
      problem = error
      count()
    },
    journal: journal.name,
    close: async () => {
      await settled()
      clearTimeout(timer)
      clearTimeout(rest)
      if (isGone) journal.handOver()
      else if (behind.length + underway.length === 0) journal.remove()
    }
  }
}
