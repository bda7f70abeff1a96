/** An EventLog that lives as long as its scope: for tests, and for invocations that must leave nothing behind. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { invocationOf } from "../../events/invocationOf.ts"
import { withoutText, writingsOf } from "../redact/withoutText.ts"
import { admit, type Row, toRecorded } from "./admit.ts"
import {
  type Batch,
  EventLog,
  EventLogError,
  type EventLogShape,
  type Filter,
  type RedactedFact
} from "./EventLog.ts"
import { matches } from "./matches.ts"
import { follow, makeBell } from "./tail.ts"

const make = (source: string): EventLogShape => {
  let rows: Row[] = []
  let last = 0
  const ids = new Map<string, Row>()
  const versions = new Map<string, number>()
  const checkpoints = new Map<string, number>()
  const bell = makeBell()

  const appendMany = Effect.fn("EventLog.appendMany")(function* (batches: readonly Batch[]) {
    const now = yield* Clock.currentTimeMillis
    const view = {
      version: (stream: string) => versions.get(stream) ?? 0,
      byId: (id: string) => ids.get(id),
      last,
      source,
      now
    }
    const admitted = yield* Effect.try({
      try: () => admit(batches, view),
      catch: (cause) =>
        new EventLogError({ op: "append", reason: "invalid", detail: "a fact is no JSON", cause })
    })
    if (admitted instanceof EventLogError) return yield* admitted
    for (const row of admitted.rows) {
      rows.push(row)
      ids.set(row.fact.id, row)
      versions.set(row.fact.stream, row.fact.version)
      last = row.fact.position
    }
    yield* bell.ring
    return admitted.recorded
  })

  /** By any fact of a stream: of a job only the first one tells. */
  const streamsOf = (invocation: string): ReadonlySet<string> =>
    new Set(rows.filter(({ fact }) => invocationOf(fact) === invocation).map(({ fact }) => fact.stream))

  const select = ({ invocation, ...filter }: Filter): readonly Row[] => {
    const streams = invocation === undefined ? undefined : streamsOf(invocation)
    const found = rows.filter(
      ({ fact }) => matches(filter, fact) && (streams === undefined || streams.has(fact.stream))
    )
    if (filter.reverse === true) found.reverse()
    return filter.limit === undefined ? found : found.slice(0, filter.limit)
  }

  return {
    append: (stream, expected, drafts) => appendMany([{ stream, expected, drafts }]),
    appendMany,
    has: (wanted) => Effect.sync(() => new Set(wanted.filter((id) => ids.has(id)))),
    read: (filter = {}) => Stream.suspend(() => Stream.fromIterable(select(filter).map(toRecorded))),
    follow: (after, filter = {}) =>
      follow(
        after,
        (from) =>
          Effect.sync(() => ({ facts: select({ ...filter, after: from }).map(toRecorded), upTo: last })),
        bell,
        () => Effect.never
      ),
    isThere: () => true,
    checkpoint: (name) => Effect.sync(() => checkpoints.get(name) ?? 0),
    setCheckpoint: (name, position) => Effect.sync(() => void checkpoints.set(name, position)),
    stats: Effect.sync(() => ({
      facts: rows.length,
      streams: new Set(rows.map(({ fact }) => fact.stream)).size,
      blobs: 0,
      last,
      bytes: 0
    })),
    sizes: (prefix) =>
      Effect.sync(() => {
        const inside = new Map<string, { stream: string; bytes: number; newest: number }>()
        let outside = 0
        for (const { fact, text } of rows) {
          const { at, stream } = fact
          const bytes = Buffer.byteLength(text)
          if (!stream.startsWith(prefix)) outside += bytes
          else {
            const before = inside.get(stream) ?? { stream, bytes: 0, newest: at }
            inside.set(stream, {
              stream,
              bytes: before.bytes + bytes,
              newest: Math.max(before.newest, at)
            })
          }
        }
        return { inside: [...inside.values()], outside: inside.size === 0 ? 0 : outside }
      }),
    forget: (streams) =>
      Effect.sync(() => {
        const gone = new Set(streams)
        const before = rows.length
        for (const { fact } of rows) if (gone.has(fact.stream)) ids.delete(fact.id)
        for (const stream of gone) versions.delete(stream)
        rows = rows.filter(({ fact }) => !gone.has(fact.stream))
        return before - rows.length
      }),
    redact: (text) =>
      Effect.sync(() => {
        const writings = writingsOf(text)
        const changed: RedactedFact[] = []
        rows = rows.map((row) => {
          const before = JSON.parse(row.text)
          const data = JSON.stringify(withoutText(before, writings))
          if (data === JSON.stringify(before)) return row
          const { id, stream } = row.fact
          changed.push({ id, stream })
          const redacted: Row = { fact: toRecorded({ fact: row.fact, text: data }), text: data }
          ids.set(id, redacted)
          return redacted
        })
        return changed
      })
  }
}

/** A fresh log in memory. */
export const layerMemory = (source = "memory"): Layer.Layer<EventLog> =>
  Layer.sync(EventLog, () => make(source))
