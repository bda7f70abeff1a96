/** Work after the reply: what waits, what runs, what failed for good. */
import type { JobRow, Jobs } from "../../../features/inspector/contract/hooks.ts"
import { ask } from "../core/api.ts"
import { count, counted, dayed, oneLine, projectName, span } from "../core/format.ts"
import { useKeys } from "../core/keys.ts"
import { addressOf, go, query, select } from "../core/router.ts"
import { tick } from "../core/stream.ts"
import { usePages } from "../core/usePages.ts"
import { Rows, rowId } from "../parts/Rows.tsx"
import { Empty, Failed, Waiting } from "../parts/say.tsx"

const label = "Jobs"
const looks: Readonly<Record<JobRow["state"], string>> = {
  queued: "unknown",
  running: "accent",
  waiting: "late",
  done: "ok",
  dead: "failed",
  dropped: "unknown"
}
const states = ["queued", "running", "waiting", "done", "dead", "dropped"] as const

const Row = ({
  id,
  isSelected,
  job
}: {
  readonly job: JobRow | undefined
  readonly id: string
  readonly isSelected: boolean
}) =>
  job === undefined ? (
    <div class="srow" id={id} role="option" aria-selected={isSelected} aria-label="Not read yet" />
  ) : (
    <div class="srow" id={id} role="option" aria-selected={isSelected}>
      <span class="num muted">{dayed(job.at)}</span>
      <span />
      <span class="ell b">{job.hook}</span>
      <span class={`ell ${job.state === "dead" ? "is-failed" : "muted"}`}>
        {oneLine(job.error ?? projectName(job.project))}
      </span>
      <span class="muted r">
        attempt {job.attempts}
        {job.maxAttempts === null ? "" : ` of ${job.maxAttempts}`}
      </span>
      <span class="r num muted">{job.ms === null ? "" : span(job.ms)}</span>
      <span class="r">
        <span class={`tag ${looks[job.state]}`}>{job.state}</span>
      </span>
    </div>
  )

const sentenceOf = (by: Readonly<Record<string, number>>): string => {
  const dead = by["dead"] ?? 0
  const open = (by["queued"] ?? 0) + (by["running"] ?? 0) + (by["waiting"] ?? 0)
  const failed = dead === 0 ? "No job failed for good." : `${counted(dead, "job")} failed for good.`
  return `${failed} ${open === 0 ? "None waits." : `${counted(open, "job")} ${open === 1 ? "is" : "are"} under way or waiting.`}`
}

export const JobsView = () => {
  const { hook, sel, state } = query.value
  const pages = usePages<JobRow, Jobs>(
    `jobs ${state ?? ""} ${hook ?? ""}`,
    tick.value,
    (offset, limit, upTo) =>
      ask("jobs", {
        state: state as JobRow["state"],
        hook,
        offset: String(offset),
        limit: String(limit),
        upTo: upTo?.toString()
      }),
    ({ jobs }) => jobs
  )
  const { error, part, total } = pages
  const at = sel === undefined ? null : Number(sel)
  const open = (to: number): void => {
    const job = pages.row(to)
    if (job !== undefined) go(addressOf(["actors"], { actor: `job/${job.job}` }))
  }
  useKeys({
    j: () => select({ sel: Math.min((at ?? -1) + 1, total - 1) }),
    k: () => select({ sel: Math.max((at ?? 1) - 1, 0) }),
    Enter: () => at !== null && open(at)
  })
  return (
    <div class="view fill">
      <div class="tbar">
        <div class="seg" role="group" aria-label="Which jobs">
          <button
            type="button"
            aria-pressed={state === undefined}
            onClick={() => select({ state: null, sel: null })}
          >
            All
          </button>
          {states.map((one) => (
            <button
              type="button"
              key={one}
              aria-pressed={state === one}
              onClick={() => select({ state: one, sel: null })}
            >
              {one} {part === undefined ? "" : (part.states[one] ?? 0)}
            </button>
          ))}
        </div>
        <b>{part === undefined ? "" : sentenceOf(part.states)}</b>
        <span class="sp" />
        {hook !== undefined && (
          <button type="button" class="btn" onClick={() => select({ hook: null })}>
            {hook} ×
          </button>
        )}
        <span class="muted sm num">{part === undefined ? "" : counted(total, "job")}</span>
      </div>
      {error !== undefined && part === undefined ? (
        <Failed error={error} again={() => location.reload()} />
      ) : part === undefined ? (
        <Waiting say="Reading jobs" />
      ) : total === 0 ? (
        <Empty title={state === undefined ? "No job yet." : `No job is ${state}.`}>
          <p>
            {state === undefined
              ? "A hook with background: true runs as a job, after the agent has its reply."
              : `${count(Object.values(part.states).reduce((sum, one) => sum + one, 0))} jobs are on the log.`}
          </p>
        </Empty>
      ) : (
        <Rows
          label={label}
          total={total}
          height={33}
          selected={at}
          onSelect={(to) => select({ sel: to })}
          onOpen={open}
          onSight={pages.onSight}
          row={(nth) => <Row job={pages.row(nth)} id={rowId(label, nth)} isSelected={nth === at} />}
        />
      )}
    </div>
  )
}
