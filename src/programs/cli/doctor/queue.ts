/** Whether jobs come faster than they are done: said before there are so many that some are dropped. */
import { basename } from "node:path"
import { count } from "../../../features/timeline/words.ts"
import { type Bounds, defaultBounds } from "../../../jobs/bounds.ts"
import type { Job } from "../../../jobs/Job.ts"
import { hookKind } from "../../../runtime/enqueue.ts"
import { printable } from "../../../state/terminalText.ts"
import { type Check, warn } from "./Check.ts"

/** From so much of a bound on it is spoken of. */
const nearly = 0.7

/** What a bound of its own holds for. */
const isOfHook = ({ kind }: Job): boolean => kind === hookKind

const remedy = "Look: hooktape jobs list. Is its hook slow, held up, or without a host?"

export const checkQueue = (jobs: readonly Job[], bounds: Bounds = defaultBounds): readonly Check[] => {
  const waiting = jobs.filter(({ state }) => state === "queued" || state === "waiting")
  const groups = new Map<string, Job[]>()
  for (const job of waiting.filter(isOfHook)) {
    const group = JSON.stringify([job.handler, job.project])
    const there = groups.get(group)
    if (there === undefined) groups.set(group, [job])
    else there.push(job)
  }
  const crowded = [...groups.values()].filter(({ length }) => length >= bounds.perHook * nearly)
  const checks = crowded.map((group) => {
    const [{ handler, project }] = group as [Job]
    const where = project === null ? "" : ` of ${printable(basename(project))}`
    return warn(
      "queue",
      `${count(group.length, "job")} of "${printable(handler ?? "")}"${where} wait; from ${bounds.perHook} on some are dropped`,
      remedy
    )
  })
  if (waiting.length < bounds.inAll * nearly) return checks
  return [
    ...checks,
    warn(
      "queue",
      `${count(waiting.length, "job")} wait in all; from ${bounds.inAll} on some are dropped`,
      remedy
    )
  ]
}
