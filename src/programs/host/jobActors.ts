/** Jobs as actors: the queue folds their facts anyway, and says what it knows when somebody looks. */
import { job } from "../../../machines/job.ts"
import type { AnyMachine } from "../../../machines/machines.ts"
import { stateOf } from "../../../machines/step.ts"
import { contextOf, type JobObserver, type OpenJob } from "../../jobs/openJobs.ts"
import type { ActorView, Subject } from "../../runtime/actors/ActorView.ts"
import { followed } from "../../runtime/actors/logActors.ts"
import type { Registry } from "../../runtime/actors/registry.ts"

const subjectOf = (open: OpenJob): Subject => ({
  agent: open.marks.agent,
  agentEvent: open.marks.agentEvent,
  session: open.marks.session,
  project: open.marks.project,
  name: contextOf(open).enqueued?.handler ?? null
})

export const jobView = (open: OpenJob): ActorView => ({
  stream: open.stream,
  machine: job.id,
  state: stateOf(open.snapshot),
  since: new Date(open.movedAt).toISOString(),
  ...subjectOf(open)
})

/** Shows each step of a job, as soon as it is on the log. */
export const showJobs =
  (registry: Registry): JobObserver =>
  (before, recorded) => {
    if (!registry.isWatched()) return
    const actor = before && {
      stream: before.stream,
      machine: job as AnyMachine,
      snapshot: before.snapshot,
      version: before.version,
      since: before.movedAt,
      subject: subjectOf(before)
    }
    const frame = followed(actor, recorded)?.frame
    if (frame) registry.publish(frame)
  }
