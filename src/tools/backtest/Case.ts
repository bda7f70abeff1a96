/** A call of the past, as hooks are asked about it once more, and what was decided of it then. */
import type { ServiceCalled } from "../../../events/facts.ts"
import type { Remembered } from "../replay/recalled.ts"

/** What hooks say of an action. `none`: nothing, so that the agent goes by its own rules. */
export type Ruling = "allow" | "none" | "ask" | "block"

/** By hook. */
export type Rulings = ReadonlyMap<string, Ruling>

export interface Case {
  /** The invocation, or the fact of the transcript. */
  readonly id: string
  readonly source: "hooks" | "transcript"
  /** Milliseconds since 1970. */
  readonly at: number
  readonly agent: string
  readonly agentEvent: string
  readonly payload: string
  readonly cwd: string
  readonly project: string
  readonly session: string | null
  /** The agent's own name of the turn, and the subagent. */
  readonly turn: string | null
  readonly subagent: string | null
  /** What it was about, in one line, and what calls like it have in common. */
  readonly subject: string
  readonly shape: string
  /** Undefined where nobody knows: the transcript tells that some hook denied it, and not which. */
  readonly before: Rulings | undefined
  /** What was known of the calls before it. */
  readonly planned?: Remembered | undefined
  /** What its handlers were answered by services. */
  readonly recorded: readonly ServiceCalled[]
}

/** What one hook says of a case today. */
export interface HookRuling {
  readonly hook: string
  readonly ruling: Ruling
  readonly reason: string | null
  readonly ms: number
  /** It needed what nobody has any more, so that its ruling says nothing. */
  readonly missing?: string
  /** It failed by itself. */
  readonly failed?: string
}

/** What today's hooks say of a case. */
export interface Judged {
  readonly hooks: readonly HookRuling[]
  readonly ms: number
}

export const strictness: Readonly<Record<Ruling, number>> = { allow: 0, none: 1, ask: 2, block: 3 }
