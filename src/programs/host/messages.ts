/** What passes between the host and a process that runs handlers. Plain JSON. */
import type { InvocationFact, Planned } from "../../../events/facts.ts"
import type { InvocationId } from "../../../events/ids.ts"
import type { Transport } from "../../agents/Adapter.ts"
import type { NewNote } from "../../features/notes/storeNote.ts"
import type { HandlingCommand } from "../../runtime/handling.ts"
import type { Guard } from "../../state/manifest.ts"

/** One invocation, as far as its handlers are concerned. */
export interface Lease {
  readonly type: "lease"
  readonly invocation: InvocationId
  /** What its client called it; empty where it called it nothing. */
  readonly call?: string
  readonly bundle: string
  readonly agent: string
  readonly agentEvent: string
  readonly transport: Transport
  readonly cwd: string
  readonly project: string
  readonly timestamp: string
  readonly deadlineMs: number
  /** Monotonic milliseconds at which the call began; the clock is the machine's. */
  readonly began: number
  readonly environment: Readonly<Record<string, string>>
  readonly text: string
  /** The hooks of the build that stand guard; a job has none. */
  readonly guards?: readonly Guard[]
  /** Those of them whose build is gone: what was kept of them runs. */
  readonly lost?: readonly Guard[]
  readonly warnings: readonly string[]
  readonly hints: readonly string[]
  /** Set where another process made the plan. Without it the plan is the first thing that is answered. */
  readonly handlers?: readonly Planned[]
}

type Run = Extract<HandlingCommand, { type: "RUN_HANDLER" }>

/** A handler to run. */
export interface RunMessage {
  readonly type: "run"
  readonly command: Run
}

/** Something that a handler wants remembered: the hooks on `reflection.before` see it first, and they are user code. */
export interface StoreNote {
  readonly type: "note"
  readonly note: Omit<NewNote, "state">
  readonly environment: Readonly<Record<string, string>>
}

export type ToWorker = Lease | RunMessage | { readonly type: "release" } | StoreNote

/**
 * What a process may still be used for: calls of any project; only of the one whose hooks changed something of it that others would
 * meet; or none, because they left something running or broken.
 */
export type GoodFor = "any" | "same" | "none"

export type FromWorker =
  /** The note's id, or who did not want it. */
  | { readonly type: "stored"; readonly result: { readonly note?: string; readonly refusedBy?: string } }
  | { readonly type: "ready" }
  | { readonly type: "facts"; readonly facts: readonly InvocationFact[] }
  /** The bundle does not load, or the like: nothing of the lease can be done. */
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "released"; readonly facts: readonly InvocationFact[]; readonly goodFor: GoodFor }
