/** How a tool call of an agent ended, whichever event told it. */
import type { ToolKind } from "../../../events/agentEvents.ts"

/**
 * What the agent itself says of the end. `ok`: it succeeded, or ended with exit code 0. `failed`: it ran and failed. `denied`: a hook or a rule
 * did not let it run. `rejected`: the agent found fault with how it was called. `stopped`: a person or another call ended it.
 * `untold`: nothing is said.
 */
export type Told = "ok" | "failed" | "denied" | "rejected" | "stopped" | "untold"

export interface ToolOutcome {
  /** The agent's own id of the call, else that of the invocation that told of it. */
  readonly id: string
  readonly name: string
  readonly kind: ToolKind
  readonly command: string | undefined
  /** The files that an edit or a read is about. */
  readonly paths: readonly string[]
  readonly cwd: string | null
  readonly told: Told
  readonly exitCode: number | undefined
  /** What it printed, or answered. */
  readonly text: string
  /** The text that an edit puts in, or a command line holds: by its words it is known what it was about. Bounded. */
  readonly wrote: string
  /** The text that an edit takes out. Bounded. */
  readonly took: string
  /** What tells two calls of a tool apart that is neither a shell nor about a file. */
  readonly asked: string
}
