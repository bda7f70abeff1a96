/** A fact with its place: what the log keeps around each fact. */
import type { FactId } from "./ids.ts"

/** Look-up columns: nullable, copied from the fact's surroundings so that a reader can filter without opening data. */
export interface Marks {
  readonly agent: string | null
  readonly agentEvent: string | null
  readonly event: string | null
  readonly session: string | null
  readonly project: string | null
  readonly toolUseId: string | null
}

export const noMarks: Marks = {
  agent: null,
  agentEvent: null,
  event: null,
  session: null,
  project: null,
  toolUseId: null
}

/** A fact on its way to the log: everything but its position. One line of a spool file is one of these as JSON. */
export interface Draft<F = { readonly type: string }> extends Marks {
  readonly id: FactId
  /** `invocation/<id>`, `breaker/<name>`, `operator/<installation>` … */
  readonly stream: string
  readonly type: string
  readonly schemaVersion: number
  /** Wall clock, milliseconds since 1970. */
  readonly at: number
  readonly cause: FactId | null
  /** The fact itself; its `type` repeats the column. */
  readonly data: F
}

/** A fact as read back. */
export interface Recorded<F = unknown> extends Omit<Draft, "data"> {
  /** Global order: gapless, never reused. */
  readonly position: number
  /** Order within the stream, from 1. */
  readonly version: number
  /** Random id of the installation that wrote it. */
  readonly source: string
  readonly recordedAt: number
  /** False when no build of this version knows the type, or its data does not decode: kept and shown all the same. */
  readonly known: boolean
  readonly data: F
}
