/** A chain as it is kept and shown: an error, where it was met, what was tried against it, and how it ended. */
import type { ChainContext, ChainSign, ChainState } from "../../../machines/chain.ts"
import { chain as machine, resumed } from "../../../machines/chain.ts"
import { evolve, start, stateOf } from "../../../machines/step.ts"
import type { Purpose } from "../checkpoints/commands.ts"
import type { CheckPlace } from "./where.ts"

export interface Chain extends ChainContext {
  /** That of the invocation in which the error was first seen. */
  readonly id: string
  readonly state: ChainState
  readonly project: string | null
  readonly session: string | null
  readonly agent: string | null
  /** The position on the log of the fact that opened it; undefined while that waits in the spool. */
  readonly position: number | undefined
  readonly opened: number
  /** When it last moved. */
  readonly moved: number
  readonly signature: string
  readonly message: string
  /** By this it is known again: the same error of the same thing. */
  readonly key: string
  readonly context: ErrorContext
  /** What has to go well for the error to be gone: what it was last seen in. */
  readonly awaits: Awaited
}

/** What failed, or went well. A check goes by what it is for: it is run now in whole and now in part. */
export type Subject =
  | ({ readonly type: "check"; readonly purpose: Purpose; readonly text: string } & CheckPlace)
  | { readonly type: "other"; readonly name: string }

/** `folder`: where a check was run. */
export type Awaited = Subject & { readonly folder?: string }

/** Where an error was met. */
export interface ErrorContext {
  readonly tool: string | null
  readonly command: string | null
  readonly path: string | null
  readonly cwd: string | null
}

export type Opening = Pick<
  Chain,
  "id" | "project" | "session" | "agent" | "position" | "signature" | "message" | "key" | "context" | "awaits"
>

export const isOpen = ({ state }: Pick<Chain, "state">): boolean => state === "open" || state === "attempted"

/** Something was done before what had failed went well. Without that there is nothing to learn from it. */
export const hasFix = ({ attempts, state }: Pick<Chain, "attempts" | "state">): boolean =>
  state === "resolved" && attempts.some(({ helped }) => helped === true)

const told = (opening: Opening, snapshot: ReturnType<typeof resumed>, at: number): Chain => {
  const context = snapshot.context as ChainContext
  const { abandoned, attempts, omitted, opened = at, resolved, seen } = context
  return {
    ...opening,
    state: stateOf(snapshot) as ChainState,
    moved: at,
    ...{ opened, seen, attempts, omitted, resolved, abandoned }
  }
}

export const opened = (opening: Opening, at: number): Chain =>
  told(opening, evolve(machine, start(machine).snapshot, { type: "ERROR_OBSERVED", at }).snapshot, at)

/** The chain after this; itself where it does not move. */
export const moved = (chain: Chain, sign: ChainSign): Chain => {
  const { abandoned, attempts, omitted, opened, resolved, seen } = chain
  const before = resumed(chain.state, { abandoned, attempts, omitted, opened, resolved, seen })
  const { refused, snapshot } = evolve(machine, before, sign)
  return refused ? chain : told(chain, snapshot, sign.at)
}
