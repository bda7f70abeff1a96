/** A change whose file is kept as it was and which is about to be made. */
import type { Disk } from "./Disk.ts"
import type { ChangeRecord } from "./journal.ts"

export interface Tools {
  readonly disk: Disk
  readonly state: string
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface Begun {
  /** For the journal, before anything is changed. */
  readonly record: ChangeRecord
  /** Changes it; answers with what the journal keeps of it. */
  readonly apply: () => ChangeRecord
  /** Lets go of what it holds, whether it was applied or not. */
  readonly end: () => void
}
