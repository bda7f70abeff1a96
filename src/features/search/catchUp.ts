/** Brings what can be searched up to the end of the log. */
import { catchUpProjection, openProjection, type Round, type Steps } from "../../log/projection.ts"
import { searchProjection } from "./tables.ts"

export const openSearchIndex = (file: string, round: Round = {}): Steps =>
  openProjection(file, searchProjection, round)

/** All of it, now. False where somebody else writes all the while. */
export const catchUp = (file: string): boolean => catchUpProjection(file, searchProjection)
