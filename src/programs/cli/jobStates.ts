/** The states a job can be asked for: here because help and parser need no more of a job than this. */
import type { JobState } from "../../jobs/Job.ts"

export const jobStates = [
  "queued",
  "running",
  "waiting",
  "done",
  "dead",
  "dropped"
] as const satisfies JobState[]
