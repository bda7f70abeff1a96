/** Whether a transcript can have told of a time: rows are written by programs, and by whatever damaged or made up a file. Pure. */
import type { Seen } from "../../agents/transcripts/Transcript.ts"

/** Before any agent. */
const earliest = Date.UTC(2000, 0, 1)
/** Clocks of several machines differ, and so do their zones. */
const aheadMs = 86_400_000

/** By name, as rows are that nobody understands. */
export const noTime = "time that cannot be"

/** `latest`: nothing that was seen is later. */
export const makePlausible = (latest: number) => {
  const isTime = (at: number): boolean => at >= earliest && at <= latest + aheadMs
  return {
    isSeen: ({ at }: Seen): boolean => isTime(at),
    /** Undefined where nothing is wrong with its end. */
    withoutEnd: (one: Seen): Seen | undefined => {
      if (!("ended" in one.fact) || one.fact.ended === undefined || isTime(one.fact.ended)) return undefined
      const { ended: _, ...fact } = one.fact
      return { ...one, fact }
    }
  }
}
