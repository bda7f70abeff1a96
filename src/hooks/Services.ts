/** What a handler asks of the world, so that every answer is on the log and a replay can give it again. */
import type { Json, JsonObject } from "../../events/intents.ts"

/**
 * The time, as it is recorded.
 *
 * @example
 * const age = (clock: Clock, since: number) => clock.now() - since
 */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}

/**
 * Chance, as it is recorded.
 *
 * @example
 * const sampled = (random: Random) => random.next() < 0.1
 */
export interface Random {
  /** From 0 up to 1. */
  next(): number
  uuid(): string
}

/**
 * What was read of a file.
 *
 * @example
 * const isWhole = ({ truncated }: FileText) => !truncated
 */
export interface FileText {
  readonly text: string
  /** Of the whole file. */
  readonly bytes: number
  /** There is more of it than was read. */
  readonly truncated: boolean
}

/**
 * What a directory holds under one name.
 *
 * @example
 * const files = (entries: readonly FileEntry[]) => entries.filter(({ kind }) => kind === "file")
 */
export interface FileEntry {
  readonly name: string
  readonly kind: "file" | "directory" | "link" | "other"
}

/**
 * Files to read. A file that is not there is an answer; what cannot be read rejects. Paths are as seen from `cwd` of the context.
 *
 * @example
 * const version = async (files: Files) => JSON.parse((await files.read("package.json"))?.text ?? "{}").version
 */
export interface Files {
  /** Undefined where there is no such file. At most 64 KiB unless it says otherwise, never more than 1 MiB. */
  read(path: string, options?: { readonly maxBytes?: number }): Promise<FileText | undefined>
  /** What is there: a link is what it leads to. */
  exists(path: string): Promise<"file" | "directory" | "other" | undefined>
  /** By name, at most 1000. Undefined where there is no such directory. */
  list(path: string): Promise<readonly FileEntry[] | undefined>
}

/**
 * How a program is started, and how much of it is kept.
 *
 * @example
 * const quick: RunOptions = { timeout: 2000, maxOutput: 4096, env: { CI: "1" } }
 */
export interface RunOptions {
  /** Default: `cwd` of the context. */
  readonly cwd?: string
  /** Milliseconds. Default 10,000. Ends with the handler in any case. */
  readonly timeout?: number
  /** Bytes that are kept of each stream, 64 KiB unless it says otherwise, at most 1 MiB. */
  readonly maxOutput?: number
  /** What the command reads. Default nothing. */
  readonly input?: string
  /** Laid over the environment of the call. */
  readonly env?: Readonly<Record<string, string>>
  /**
   * Of the environment of the call only where things lie and which language to speak, and of that nothing within the repository
   * around this folder. A repository can set variables, and some load code into whatever starts. Default: all of it.
   */
  readonly environment?: { readonly outside: string }
}

/**
 * What became of a program.
 *
 * @example
 * const why = ({ exitCode, failure, stderr }: Ran) => (exitCode === 0 ? undefined : (failure ?? stderr))
 */
export interface Ran {
  /** Null where it was ended by a signal or did not start. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  /** There was more output than is kept. */
  readonly truncated: boolean
  /** Why it has no exit code: no such program, over its time, ended by a signal. */
  readonly failure?: "missing" | "timed-out" | "killed" | "refused"
}

/**
 * Which facts are asked for.
 *
 * @example
 * const failures: LogQuery = { types: ["HANDLER_FAILED"], since: Date.now() - 3_600_000, pick: ["handler", "error.message"] }
 */
export interface LogQuery {
  readonly types?: readonly string[]
  readonly stream?: string
  readonly session?: string
  /** Default: the project of the call. `null` is every project. */
  readonly project?: string | null
  /** Not before this time, milliseconds since 1970. */
  readonly since?: number
  /** Default 100, at most 1000. */
  readonly limit?: number
  /** Default true. */
  readonly newestFirst?: boolean
  /** Only these members of each fact's data, by path: `["tool.command", "events"]`. What is asked for is recorded: ask for little. */
  readonly pick?: readonly string[]
}

/**
 * A fact of the log.
 *
 * @example
 * const isLate = ({ type }: LogFact) => type === "HANDLER_TIMED_OUT"
 */
export interface LogFact {
  readonly id: string
  readonly stream: string
  readonly type: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly agent: string | null
  readonly event: string | null
  readonly session: string | null
  readonly project: string | null
  readonly data: JsonObject
}

/**
 * What the log answered.
 *
 * @example
 * const count = ({ facts, problem }: LogFacts) => (problem === undefined ? facts.length : undefined)
 */
export interface LogFacts {
  readonly facts: readonly LogFact[]
  /** Why there may be others that are not among them. */
  readonly problem?: string
}

/**
 * One thing that was said, called or answered.
 *
 * @example
 * const said = (entries: readonly TranscriptEntry[]) => entries.filter(({ role }) => role === "assistant").at(-1)?.text
 */
export interface TranscriptEntry {
  readonly role: "user" | "assistant" | "tool"
  /** What was said; of a tool what it answered. */
  readonly text: string
  /** Of a tool's call or answer. */
  readonly tool?: string
  /** Of a call. */
  readonly input?: Json
  /** ISO 8601, where the agent tells. */
  readonly at?: string
}

/**
 * What was said in a session.
 *
 * @example
 * const turns = ({ entries }: Transcript) => entries.filter(({ role }) => role === "user").length
 */
export interface Transcript {
  /** In the order in which they were said. */
  readonly entries: readonly TranscriptEntry[]
  /** There is more before them. */
  readonly truncated: boolean
  /** Why there are none, or fewer than there should be. */
  readonly problem?: string
}

/**
 * A note that was remembered.
 *
 * @example
 * const line = ({ text, tags }: NoteFound) => `${text} (${tags.join(", ")})`
 */
export interface NoteFound {
  readonly note: string
  readonly text: string
  readonly kind: string
  readonly tags: readonly string[]
  /** ISO 8601. */
  readonly at: string
}

/**
 * Something to be remembered.
 *
 * @example
 * const note: NewNote = { text: "The build needs Node 20.", tags: ["build"], importance: 0.8 }
 */
export interface NewNote {
  readonly text: string
  /** Default `note`. */
  readonly kind?: string
  readonly tags?: readonly string[]
  /** 0–1. */
  readonly importance?: number
  /** 0–1. */
  readonly confidence?: number
}

/**
 * What is remembered of a project. Rejects where the state directory cannot be written.
 *
 * @example
 * const known = async (notes: Notes) => (await notes.search("flaky test", { limit: 3 })).map(({ text }) => text)
 */
export interface Notes {
  /** Those that tell most about it, of this project. */
  search(query: string, options?: { readonly limit?: number }): Promise<readonly NoteFound[]>
  /** The newest of this project. */
  list(options?: { readonly limit?: number }): Promise<readonly NoteFound[]>
  /** Stored after the reply, by a job; the hooks on `reflection.before` see it first. */
  add(note: NewNote): Promise<void>
}

/**
 * All that a handler can ask for. What it asks and what it is answered is recorded; where a replay has no answer, `UnrecordedCall` is
 * thrown.
 *
 * @example
 * const branch = async ({ run }: Services) => (await run("git", ["branch", "--show-current"])).stdout.trim()
 */
export interface Services {
  readonly clock: Clock
  readonly random: Random
  readonly files: Files
  /** Starts a program, no shell. Rejects for nothing that the program does. */
  run(command: string, args?: readonly string[], options?: RunOptions): Promise<Ran>
  readonly log: { facts(query: LogQuery): Promise<LogFacts> }
  readonly notes: Notes
  /** What was said in this session, as the agent itself keeps it. The newest 50 entries unless it says otherwise. */
  readonly transcript: { read(options?: { readonly last?: number }): Promise<Transcript> }
  /**
   * Whatever has no service: `act` is called, and what it resolves with (plain JSON) is recorded. A replay gives the recorded
   * answer and never calls it. `name` and `input` are how the answer is found again.
   */
  call<A extends Json | undefined>(name: string, input: Json, act: () => A | Promise<A>): Promise<A>
}
