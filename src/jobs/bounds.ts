/** How many jobs may wait: of one hook in one project, and of all together. What is over is told with its reason. Pure. */
import { contextOf, type OpenJob } from "./openJobs.ts"

export interface Bounds {
  readonly perHook: number
  readonly inAll: number
}

export const defaultBounds: Bounds = { perHook: 100, inAll: 1000 }

export interface Excess {
  readonly job: OpenJob
  readonly reason: string
}

/** A job without a key stores a note, say: it is counted among all of them only. */
const groupOf = (job: OpenJob): string => contextOf(job).enqueued?.key ?? job.stream

const grouped = (jobs: readonly OpenJob[]): OpenJob[][] => {
  const groups = new Map<string, OpenJob[]>()
  for (const job of jobs) {
    const group = groupOf(job)
    const there = groups.get(group)
    if (there === undefined) groups.set(group, [job])
    else there.push(job)
  }
  return [...groups.values()]
}

/** One fewer, by what the newest says: what a hook chose last counts. */
const takeOne = (group: OpenJob[], bound: string): Excess => {
  const newest = group[group.length - 1] as OpenJob
  if (contextOf(newest).enqueued?.whenFull === "refuse") {
    group.pop()
    return { job: newest, reason: `refused: ${bound} wait already` }
  }
  return { job: group.shift() as OpenJob, reason: `superseded: more than ${bound} waited` }
}

/** `waiting`: what has not begun. Over the bound of all, whoever has the most waiting makes room. */
export const excessOf = (waiting: readonly OpenJob[], { inAll, perHook }: Bounds): readonly Excess[] => {
  if (waiting.length <= Math.min(perHook, inAll)) return []
  const groups = grouped([...waiting].sort((a, b) => a.enqueuedAt - b.enqueuedAt))
  const excess: Excess[] = []
  for (const group of groups)
    while (group.length > perHook) excess.push(takeOne(group, `${perHook} jobs of this hook`))
  for (let left = waiting.length - excess.length; left > inAll; left--) {
    const largest = groups.reduce((most, group) => (group.length > most.length ? group : most))
    excess.push(takeOne(largest, `${inAll} jobs in all`))
  }
  return excess
}
