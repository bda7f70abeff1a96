/** The append-only record; the only truth. A port: memory and SQLite stand behind it. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { FactId } from "../../events/ids.ts"
import type { Recorded } from "../../events/Recorded.ts"
import type { RedactedDraft } from "../redact/redact.ts"

/** What an append takes for granted about its stream; enforced inside the transaction. */
export type Expected = "any" | "no-stream" | "stream-exists" | { readonly exact: number }

/** Facts of one stream, appended all or none. */
export interface Batch {
  readonly stream: string
  readonly expected: Expected
  readonly drafts: readonly [RedactedDraft, ...RedactedDraft[]]
}

/** Which facts to read; everything given has to hold. */
export interface Filter {
  /** Only positions above. */
  readonly after?: number
  /** Only positions below. */
  readonly before?: number
  readonly stream?: string
  /** Streams that begin so: `invocation/018f` for a shortened reference. */
  readonly streamPrefix?: string
  /** With the jobs that it led to; its own facts alone are its stream's. */
  readonly invocation?: string
  readonly types?: readonly string[]
  readonly session?: string
  readonly agent?: string
  readonly event?: string
  readonly project?: string
  /** What is said of this hook. */
  readonly handler?: string
  /** Not before this time, milliseconds since 1970. */
  readonly since?: number
  readonly limit?: number
  /** Newest first. */
  readonly reverse?: boolean
}

export interface Stats {
  readonly facts: number
  readonly streams: number
  readonly blobs: number
  /** Position of the newest fact, 0 in an empty log. */
  readonly last: number
  /** Bytes in use on disk, 0 in memory. What was forgotten does not count: its place is used again. */
  readonly bytes: number
}

export interface Sizes {
  readonly inside: readonly {
    readonly stream: string
    readonly bytes: number
    /** When its last fact happened, milliseconds since 1970. */
    readonly newest: number
  }[]
  readonly outside: number
}

export class EventLogError extends Schema.TaggedError<EventLogError>()("EventLogError", {
  op: Schema.Literal("open", "append", "read", "checkpoint", "stats", "truncate"),
  /** `version`: the stream is not where it was expected. `conflict`: the id stands for another fact. */
  reason: Schema.Literal("io", "version", "conflict", "invalid", "unsupported"),
  detail: Schema.String,
  cause: Schema.optional(Schema.Defect)
}) {
  override get message(): string {
    return this.detail
  }
}

/** A fact that is no longer as it was recorded. */
export interface RedactedFact {
  readonly id: FactId
  readonly stream: string
}

export interface EventLogShape {
  /** Appends in order. A fact whose id is there already with the same body is returned as it was recorded. */
  readonly append: (
    stream: string,
    expected: Expected,
    drafts: readonly [RedactedDraft, ...RedactedDraft[]]
  ) => Effect.Effect<readonly Recorded[], EventLogError>
  /** Several streams in one transaction. */
  readonly appendMany: (batches: readonly Batch[]) => Effect.Effect<readonly Recorded[], EventLogError>
  /** Which of these ids stand for a fact already. */
  readonly has: (ids: readonly string[]) => Effect.Effect<ReadonlySet<string>, EventLogError>
  readonly read: (filter?: Filter) => Stream.Stream<Recorded, EventLogError>
  /** Everything after a position, then whatever comes, until interrupted. */
  readonly follow: (after: number, filter?: Filter) => Stream.Stream<Recorded, EventLogError>
  /** How far a reader of that name has come; 0 before it began. */
  readonly checkpoint: (name: string) => Effect.Effect<number, EventLogError>
  readonly setCheckpoint: (name: string, position: number) => Effect.Effect<void, EventLogError>
  readonly stats: Effect.Effect<Stats, EventLogError>
  /** How much the data of each stream takes whose name begins so, and that of all others together: where there are none of them, 0. */
  readonly sizes: (prefix: string) => Effect.Effect<Sizes, EventLogError>
  /** Takes streams out of the log, whole, with the blobs only they used. For retention. */
  readonly forget: (streams: readonly string[]) => Effect.Effect<number, EventLogError>
  /** Whether others find what is appended here: the file that was opened may have been taken away since. */
  readonly isThere: () => boolean
  /** Takes a text out of the data of every fact, for good; which facts held it. Whoever asks for this says so with FACT_REDACTED. */
  readonly redact: (text: string) => Effect.Effect<readonly RedactedFact[], EventLogError>
}

export class EventLog extends Context.Tag("hooktape/EventLog")<EventLog, EventLogShape>() {}
