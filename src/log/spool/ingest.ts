/** Brings spooled facts into the log: in order, many files per transaction, as often as one likes; nothing blocks the rest. */

import { createHash } from "node:crypto"
import { unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type FactId, timeOf, uuidv7 } from "../../../events/ids.ts"
import { makeDraft } from "../../../events/makeDraft.ts"
import { type RedactedDraft, redact, redactDraft } from "../../redact/redact.ts"
import { messageOf } from "../../state/messageOf.ts"
import { digestKey, privateDirectory } from "../../state/state.ts"
import { type Batch, EventLog, EventLogError } from "../EventLog.ts"
import { beginGaps, readGaps } from "../gaps.ts"
import { withDigest } from "../payloadDigest.ts"
import { listSpool, type Rejected, readSpoolFile, type Spooled, type SpoolFile } from "./spoolFiles.ts"
import { spoolDirectory } from "./spoolWriter.ts"
import { breakerDrafts, breakerStream, endedCounts } from "./unreachableFacts.ts"

/** What one ingest did. */
export interface Ingested {
  readonly files: number
  readonly facts: number
  readonly rejected: readonly { readonly file: string; readonly line: number; readonly reason: string }[]
}

const perTransaction = 8_000_000

type NonEmpty = [RedactedDraft, ...RedactedDraft[]]

/** Each stream's facts in their order. */
export const byStream = (drafts: readonly RedactedDraft[]): Batch[] => {
  const streams = new Map<string, NonEmpty>()
  for (const draft of drafts) {
    const there = streams.get(draft.stream)
    if (there === undefined) streams.set(draft.stream, [draft])
    else there.push(draft)
  }
  return [...streams].map(([stream, drafts]) => ({ stream, expected: "any", drafts }))
}

/** The same fact for the same line, so that several readers that reject it at once record it once. */
const rejection = (source: string, { file, line, reason }: Rejected): RedactedDraft => {
  // Every spool file is named as a UUIDv7.
  const at = timeOf(file)
  const id = uuidv7(at, createHash("sha256").update(`${file}:${line}:${source}`).digest().subarray(0, 10))
  return redactDraft(
    makeDraft(
      { type: "SPOOL_REJECTED", file, line, reason },
      { id: id as FactId, stream: `operator/${source}`, at }
    )
  )
}

const quiet = (act: () => void): Effect.Effect<void> =>
  Effect.sync(() => {
    try {
      act()
    } catch {
      // Another reader was faster, or the next ingest tries again.
    }
  })

/** Keeps a line where a person finds it. False where that was not possible. */
const setAside = (state: string, rejected: Rejected): boolean => {
  const { file, line, reason, text } = rejected
  try {
    const directory = privateDirectory(join(spoolDirectory(state), "errors"))
    const body = JSON.stringify(redact({ file, line, reason, text }))
    writeFileSync(join(directory, `${file}.${line}.json`), `${body}\n`, { mode: 0o600, flag: "wx" })
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EEXIST"
  }
}

/** Asked after facts were appended and before their file goes: where the log was taken away meanwhile, it holds the only copy. */
const requireLog = Effect.flatMap(EventLog, (log) =>
  log.isThere()
    ? Effect.void
    : Effect.fail(
        new EventLogError({
          op: "append",
          reason: "io",
          detail: "the log was removed while it was open: what is spooled waits for the next"
        })
      )
)

const ingestFiles = Effect.fnUntraced(function* (state: string, source: string, files: readonly SpoolFile[]) {
  const log = yield* EventLog
  const now = yield* Clock.currentTimeMillis
  const read = files.map((file) => readSpoolFile(file, now))
  let key: Buffer | undefined
  const keyOnce = () => {
    key ??= digestKey(state)
    return key
  }
  const origins = yield* Effect.try({
    try: () =>
      new Map(
        read.flatMap(({ drafts, finished }) =>
          drafts.map((spooled): [RedactedDraft, Spooled & { readonly finished: boolean }] => [
            withDigest(spooled.draft, keyOnce),
            { ...spooled, finished }
          ])
        )
      ),
    catch: (cause) =>
      new EventLogError({
        op: "append",
        reason: "io",
        detail: messageOf(cause),
        cause
      })
  })
  const rejected: Rejected[] = read.flatMap(({ rejected }) => rejected)
  const all = byStream([...origins.keys()])
  const append = (batches: readonly Batch[]): Effect.Effect<void, EventLogError> =>
    log.appendMany(batches).pipe(
      Effect.asVoid,
      Effect.catchIf(
        ({ reason }) => reason === "conflict" || reason === "invalid",
        (error) => {
          // One fact spoils only itself: halve until it stands alone.
          const [only, ...others] = batches
          if (only === undefined) return Effect.void
          if (others.length > 0) {
            const middle = Math.ceil(batches.length / 2)
            return Effect.zipRight(append(batches.slice(0, middle)), append(batches.slice(middle)))
          }
          if (only.drafts.length > 1)
            return Effect.forEach(only.drafts, (draft) => append([{ ...only, drafts: [draft] }]), {
              discard: true
            })
          const [draft] = only.drafts
          const origin = origins.get(draft)
          // What is still written to may be cut and written anew while it is read.
          if (origin?.finished) {
            const { file, line, text } = origin
            rejected.push({ file, line, reason: error.detail, text })
          }
          return Effect.void
        }
      )
    )
  if (all.length > 0) yield* append(all)
  const [first, ...rest] = rejected.map((line) => rejection(source, line))
  if (first !== undefined) yield* log.append(`operator/${source}`, "any", [first, ...rest])
  yield* requireLog
  const lost = new Set(rejected.filter((line) => !setAside(state, line)).map(({ file }) => file))
  for (const { found: file, finished } of read) {
    if (finished && !lost.has(file.name.replace(/\.open$/, ""))) yield* quiet(() => unlinkSync(file.path))
  }
  return { files: files.length, facts: origins.size, rejected }
})

/** What clients counted. A count that goes on is looked at again next time; the facts of it are the same ones. */
const ingestCounts = Effect.fnUntraced(function* (state: string) {
  const log = yield* EventLog
  const files = endedCounts(state)
  const [first, ...rest] = breakerDrafts(state, files)
  if (first !== undefined) yield* log.append(breakerStream, "any", [first, ...rest])
  yield* requireLog
  for (const file of files) yield* quiet(() => unlinkSync(file))
})

/** What could not be recorded when it happened is recorded now: how many calls, when, and why not. */
const ingestGaps = Effect.fnUntraced(function* (state: string, source: string) {
  const log = yield* EventLog
  const found = readGaps(state)
  const [first, ...rest] = found?.gaps ?? []
  if (found !== undefined && first !== undefined) {
    const all = [first, ...rest]
    const at = Math.max(...all.map((gap) => gap.at))
    const data = {
      type: "CALLS_UNRECORDED",
      calls: all.reduce((sum, { calls }) => sum + calls, 0),
      from: Math.min(...all.map((gap) => gap.at)),
      to: at,
      reason: [...new Set(all.map(({ code }) => code))].join(", ")
    }
    const stream = `operator/${source}`
    // The same fact for the same count, so that it may be taken in twice.
    const id = uuidv7(at, createHash("sha256").update(`${found.text}${source}`).digest().subarray(0, 10))
    yield* log.append(stream, "any", [redactDraft(makeDraft(data, { id: id as FactId, stream, at }))])
    yield* requireLog
  }
  if (found === undefined || first !== undefined) yield* quiet(() => beginGaps(state))
})

/** Everything that was spooled so far, visible in the log afterwards. Files of running invocations stay. `own`: a file that its writer takes in. */
export const ingest = Effect.fn("EventLog.ingest")(function* (state: string, source: string, own?: string) {
  let total: Ingested = { files: 0, facts: 0, rejected: [] }
  let pending: SpoolFile[] = []
  let bytes = 0
  const flush = Effect.suspend(() => {
    const files = pending
    pending = []
    bytes = 0
    return Effect.map(ingestFiles(state, source, files), (done) => {
      total = {
        files: total.files + done.files,
        facts: total.facts + done.facts,
        rejected: [
          ...total.rejected,
          ...done.rejected.map(({ file, line, reason }) => ({ file, line, reason }))
        ]
      }
    })
  })
  for (const file of listSpool(state)) {
    if (file.name === own) continue
    pending.push(file)
    bytes += file.size
    if (bytes > perTransaction || pending.length >= 500) yield* flush
  }
  if (pending.length > 0) yield* flush
  yield* ingestCounts(state)
  // On a disk that is still full it waits for the next time, and what is on the log can be read.
  yield* Effect.ignore(ingestGaps(state, source))
  return total
})
