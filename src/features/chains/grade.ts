/** How far a fix may be believed. Grade A is told to models unasked: in doubt it is B. Pure. */
import type { Grade } from "../../../machines/chain.ts"
import { unparsed } from "../checks/fallback.ts"
import type { Problem } from "../checks/Problem.ts"
import type { Clearing } from "./clears.ts"
import type { Step } from "./Step.ts"

/** From here on the evidence points to it. */
export const enough = 3

/** Where more is named, any of it may be what helped; a few more are believed where all of them speak of what the problem does. */
const mostNamed = (top: number): number => (top > enough ? 3 : 2)

/** Of so much work between two runs nobody can tell what it was good for. */
const mostDone = 8

interface Evidence {
  readonly top: number
  readonly fix: readonly Step[]
  /** All that was done since the problem was last seen. */
  readonly done: readonly Step[]
  readonly problem: Problem
  readonly clearing: Clearing
}

/** Something else was repaired until the check went well. */
export const gradeOfWork = ({ clearing, done, fix, problem, top }: Evidence): Grade => {
  const { isSilent, shown } = clearing
  if (problem.family === unparsed || problem.family === "unended")
    return fix.length === 1 && top >= enough ? "B" : "C"
  if (isSilent || shown === "cleared") return "B"
  return top >= enough && fix.length <= mostNamed(top) && done.length <= mostDone ? "A" : "B"
}

/** The call was made in another way: that it was this is sure where nothing else was done, and it is about the same. */
export const gradeOfCall = (
  { clearing, done, fix, problem }: Omit<Evidence, "top">,
  isAkin: boolean
): Grade => {
  const grade = gradeOfWork({ top: enough, fix, done, problem, clearing })
  return grade === "A" && (done.length > 0 || !isAkin) ? "B" : grade
}
