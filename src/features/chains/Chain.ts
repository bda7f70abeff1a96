/** A chain as it is kept and shown: a problem, where it was met, what was tried against it, and how it ended. */
import type { ChainContext, ChainSign, ChainState, Sighting } from "../../../machines/chain.ts"
import { chain as machine, resumed } from "../../../machines/chain.ts"
import { evolve, start, stateOf } from "../../../machines/step.ts"
import type { Problem } from "../checks/Problem.ts"
import type { Subject } from "./Subject.ts"

/**
 * How its problem stands to those that were met before: `new`; a `recurrence` of one that had ended; `same pattern`, the same sort of mistake
 * elsewhere. (Seen again while it is open it is the same chain: a later sighting is `reobserved`.)
 */
export type Relation = "new" | "recurrence" | "same pattern"

export interface Earlier {
  readonly chain: string
  readonly toolUseId: string
}

export interface Chain extends ChainContext {
  /** That of the invocation in which the problem was first seen; of several in one, those after the first have a number behind it. */
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
  readonly pattern: string
  readonly problem: Problem
  readonly subject: Subject
  readonly context: ProblemContext
  /** The count of the session's calls at which it was last seen: what began later was done in its knowledge. */
  readonly seen: number
  /** How many tests were run when it was last seen, where a summary said. */
  readonly collected?: number | undefined
  /** The chain whose end brought it to light: something else had failed before it could. */
  readonly revealedBy: string | null
}

/** A chain with how it stands to others: that hangs on all there are, in whatever order they became known, so it is not kept with it. */
export interface Related extends Chain {
  readonly relation: Relation
  readonly earlier: Earlier | null
}

/** Where a problem was met. */
export interface ProblemContext {
  readonly tool: string | null
  readonly command: string | null
  readonly path: string | null
  readonly cwd: string | null
}

export type Opening = Omit<Chain, keyof ChainContext | "state" | "opened" | "moved">

export const isOpen = ({ state }: Pick<Chain, "state">): boolean => state === "open" || state === "attempted"

/** It may still come back, or be proved. */
export const isFollowed = ({ state }: Pick<Chain, "state">): boolean =>
  state === "open" || state === "attempted" || state === "cleared"

/** Something was done before the problem was gone. Without that there is nothing to learn from it. */
export const hasFix = ({ ending, state }: Pick<Chain, "ending" | "state">): boolean =>
  state === "resolved" && ending !== undefined && !ending.flaky && ending.fix.length > 0

/** How often the problem was seen. */
export const timesSeen = ({ omitted, sightings }: Pick<Chain, "omitted" | "sightings">): number =>
  sightings.length + omitted

const told = (opening: Opening, snapshot: ReturnType<typeof resumed>, at: number): Chain => {
  const context = snapshot.context as ChainContext
  return {
    ...opening,
    ...context,
    state: stateOf(snapshot) as ChainState,
    opened: context.sightings[0]?.at ?? at,
    moved: at
  }
}

export const openedBy = (opening: Opening, sighting: Sighting): Chain => {
  const observed: ChainSign = { type: "PROBLEM_OBSERVED", sighting, effects: [] }
  return told(opening, evolve(machine, start(machine).snapshot, observed).snapshot, sighting.at)
}

const timeOf = (sign: ChainSign): number => {
  switch (sign.type) {
    case "PROBLEM_OBSERVED":
      return sign.sighting.at
    case "PROBLEM_GONE":
    case "PROBLEM_SUPPRESSED":
      return sign.ending.at
    default:
      return sign.at
  }
}

/** The chain after this; itself where it does not move. */
export const moved = (chain: Chain, sign: ChainSign): Chain => {
  const { abandoned, attempts, ending, omitted, sightings } = chain
  const before = resumed(chain.state, { abandoned, attempts, ending, omitted, sightings })
  const { refused, snapshot } = evolve(machine, before, sign)
  return refused ? chain : told(chain, snapshot, timeOf(sign))
}
