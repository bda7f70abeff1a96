/** Takes a checkpoint where something was done since the last one. */
import type { Reader } from "../../log/reader.ts"
import { evidenceIn, evidenceTypes, maxEvidence } from "./evidence.ts"
import { type Taking, takeCheckpoint } from "./takeCheckpoint.ts"

export interface TakenByItself {
  readonly quality?: number
  /** By whom, and why. */
  readonly refused?: string
  readonly skipped?: string
}

export const takeChanged = async (reader: Reader, place: Omit<Taking, "log">): Promise<TakenByItself> => {
  const { facts } = reader.facts({
    types: [...evidenceTypes],
    project: place.project,
    newestFirst: true,
    limit: maxEvidence
  })
  const log = evidenceIn([...facts].reverse())
  if (!log.changed) return { skipped: "nothing was done since the last one" }
  const { checkpoint } = await takeCheckpoint({ ...place, log })
  const { quality, refused } = checkpoint
  return refused === null ? { quality } : { quality, refused: `${refused.by}: ${refused.reason}` }
}
