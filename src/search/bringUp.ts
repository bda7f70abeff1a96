/** Brings what can be searched up to the end of the log. */
import { bringUpProjection, openProjection, type Round, type Steps } from "../log/projection.ts"
import { searchProjection } from "./tables.ts"

export const openSearchIndex = (file: string, round: Round = {}): Steps =>
  openProjection(file, searchProjection, round)

/** All of it, now. */
export const bringUp = (file: string): void => bringUpProjection(file, searchProjection)
