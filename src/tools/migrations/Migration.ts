/** One step from an earlier version's files to this one's: what it is about, and what it would change. It only reads; the runner writes. */
import type { Place } from "./Place.ts"

/** A file that is to become another. */
export interface FileChange {
  readonly kind: "file"
  readonly file: string
  /** Undefined: it goes. */
  readonly next: Uint8Array | undefined
  /** `itself`: what was there can be made of what comes, by the migration's `restore`, and no copy of it is to lie about. */
  readonly kept?: "itself"
  /** What it is to have; without one it keeps its own, and a new file is for its owner alone. */
  readonly mode?: number
}

/** The log, by statements in its own transaction: it is too large to be written anew, and others may have it open. */
export interface LogChange {
  readonly kind: "log"
  readonly file: string
  /** The version of its tables. */
  readonly version: number
}

export type Change = FileChange | LogChange

/** What is migrated: each has an owner who may have to be asked, and a place in the words of `doctor` and `migrate`. */
export type Subject = "trust" | "calls" | "log" | "registrations"

export interface Migration {
  readonly number: number
  readonly name: string
  /** Versions of hooktape: what it starts from was left by `from` or one before, and `to` or one after works on what it makes. */
  readonly from: string
  readonly to: string
  readonly of: Subject
  readonly about: string
  /** Has a part for each project besides the user's own. */
  readonly perProject?: true
  /** Nothing where there is nothing to do. With a project, only what is that project's. */
  readonly plan: (place: Place) => readonly Change[]
  /** For changes that keep what was there in themselves; undefined where it cannot be told from these bytes. */
  readonly restore?: (place: Place, file: string, bytes: Uint8Array) => Uint8Array | undefined
}
