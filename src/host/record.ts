/** Where the host keeps facts: the log, or the spool when the log does not take them. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { monotonic } from "../engine/elapsed.ts"
import type { Sources } from "../engine/recorder.ts"
import type { EventLogError, EventLogShape } from "../log/EventLog.ts"
import { byStream } from "../log/ingest.ts"
import type { RedactedDraft } from "../log/redact.ts"
import { spoolName } from "../log/spoolName.ts"
import { openSpool } from "../log/spoolWriter.ts"
import type { Writer } from "./writer.ts"

export interface Record {
  /** Facts of an invocation and of the jobs that follow from it, together. Resolves once they are kept, rejects when nothing would keep them. */
  readonly commit: (drafts: readonly [RedactedDraft, ...RedactedDraft[]]) => Promise<void>
  /** What to say of such a failure: told once, until facts are kept again. */
  readonly complaint: (error: Error) => string
}

/** After a log that took nothing, calls go to the spool for so long without asking it. */
const againMs = 1000

export const makeRecord = (state: string, writer: Writer, sources: Sources): Record => {
  let told = false
  let spoolUntil = 0
  /** Invocations of which something is in the spool: the rest goes there too, so that it comes in order. */
  const begunThere = new Set<string>()

  /** Read into the log by the next that can write it: in order, each fact once. */
  const spool = (drafts: readonly RedactedDraft[]): void => {
    const file = openSpool(state, spoolName(sources))
    try {
      for (const draft of drafts) file.append(draft)
      file.close()
      for (const { stream, type } of drafts) {
        if (!stream.startsWith("invocation/")) continue
        if (type === "EXITED") begunThere.delete(stream)
        else begunThere.add(stream)
      }
    } catch (error) {
      // Half of it would be read as all there is, and each file left open is one less for others.
      file.discard()
      throw error
    }
  }

  return {
    commit: async (drafts) => {
      const isBegunThere = drafts.some(({ stream }) => begunThere.has(stream))
      if (isBegunThere || monotonic() < spoolUntil) spool(drafts)
      else
        try {
          await writer.commit(byStream(drafts))
        } catch {
          // Somebody writes for long, or nothing can be written: not every call is to wait and see.
          spoolUntil = monotonic() + againMs
          spool(drafts)
        }
      told = false
    },
    complaint: ({ message }) => {
      if (told) return ""
      told = true
      return `hooktape error: hook calls are not recorded: ${message}. Run "hooktape doctor".\n`
    }
  }
}

/** How far an invocation has come that may be on the log. */
export const progressOf = (
  log: Pick<EventLogShape, "read">,
  invocation: string
): Effect.Effect<"unknown" | "begun" | "ended", EventLogError> =>
  Effect.map(Stream.runCollect(log.read({ invocation })), (facts) => {
    if (Chunk.isEmpty(facts)) return "unknown"
    return Chunk.some(facts, ({ type }) => type === "EXITED") ? "ended" : "begun"
  })
