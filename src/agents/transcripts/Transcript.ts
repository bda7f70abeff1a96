/** What an agent keeps of its sessions, read row by row: the port that each agent's reader implements, and what they share. */
import type { Agent } from "../../../events/agentEvents.ts"
import type { JsonObject } from "../../../events/intents.ts"
import type { ObservedFact } from "../../../events/observedFacts.ts"

/** One thing that happened, told by a transcript. */
export interface Seen {
  readonly fact: ObservedFact
  /** When it happened, milliseconds since 1970. */
  readonly at: number
  readonly session: string
  /** What makes it this one and no other: the same in every copy of it, in whatever file and whenever it was written. */
  readonly identity: string
}

/** Takes the rows of one file, in order, and tells what happened. */
export interface TranscriptReader {
  /** `offset`: where the row begins. */
  readonly take: (row: JsonObject, offset: number) => void
  /** The file is at its end. `isOver`: nobody writes it any more, so that what has no end will have none. */
  readonly end: (isOver: boolean) => void
  /** From where on it has to be read again when the file has grown: what is not over begins there. */
  readonly resumeAt: () => number
}

export interface Listener {
  readonly seen: (one: Seen) => void
  /** A row of no known kind. */
  readonly unknown: (kind: string) => void
}

export interface TranscriptFormat {
  readonly agent: Agent
  /** Folders below which its transcripts lie. */
  readonly folders: (home: string, env: Readonly<Record<string, string | undefined>>) => readonly string[]
  /** Whether a file of such a folder is one, by its path. */
  readonly isTranscript: (path: string) => boolean
  /** The folder with the transcripts of a session's subagents, beside the session's own. */
  readonly subagents?: (path: string) => string
  /** Whether a file is of this agent, by its first rows. */
  readonly isOwn: (head: readonly JsonObject[]) => boolean
  readonly open: (listener: Listener) => TranscriptReader
  /** Rows at the beginning of a file that a reader has to see, wherever it goes on from. */
  readonly headRows: number
}
