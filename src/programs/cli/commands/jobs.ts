/** `hooktape jobs list|show|retry`: the work that goes on after replies. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { count, shortId } from "../../../features/timeline/words.ts"
import type { Job, JobState } from "../../../jobs/Job.ts"
import { printable } from "../../../state/terminalText.ts"
import { CliError } from "../CliError.ts"
import { jobStates } from "../jobStates.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { resolveJob } from "../refs.ts"
import { drawJob, drawJobs } from "../render/job.ts"
import { Screen } from "../Screen.ts"
import { defineAction, defineGroup } from "../syntax/Command.ts"
import { choice, flag } from "../syntax/parameters.ts"
import { json as jsonOption, optionalRefTo, refTo } from "../syntax/shared.ts"

export interface ListOptions {
  /** Default: every state but `done`. */
  readonly state: JobState | "all" | undefined
  readonly json: boolean
}

const document = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const nothing = (jobs: readonly Job[], state: ListOptions["state"]): string => {
  if (jobs.length === 0) return "no jobs yet. A hook with `background: true` makes them.\n"
  return state === undefined
    ? 'nothing is left to do. "--state done" shows what was done.\n'
    : `no job is ${state}.\n`
}

const list = ({ json, state }: ListOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const logbook = yield* Logbook
    const jobs = yield* logbook.jobs
    const wanted = jobs.filter((one) =>
      state === undefined ? one.state !== "done" : state === "all" || one.state === state
    )
    if (json) return yield* screen.out(document({ jobs: wanted.map(({ history: _, ...job }) => job) }))
    if (wanted.length === 0) return yield* screen.note(nothing(jobs, state))
    yield* screen.out(drawJobs(wanted, yield* Clock.currentTimeMillis, screen))
  }).pipe(withLogbook)

const named = Effect.fn("cli.jobs.named")(function* (ref: string) {
  const logbook = yield* Logbook
  const jobs = yield* logbook.jobs
  const id = yield* Either.match(resolveJob(ref, jobs), { onLeft: Effect.fail, onRight: Effect.succeed })
  return jobs.find(({ job }) => job === id) as Job
})

const show = ({ json, ref }: { readonly ref: string; readonly json: boolean }) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const job = yield* named(ref)
    yield* screen.out(json ? document(job) : drawJob(job, yield* Clock.currentTimeMillis, screen))
  }).pipe(withLogbook)

export interface RetryOptions {
  readonly ref: string | undefined
  readonly allDead: boolean
}

const what = "jobs retry"

const standing: Readonly<Record<JobState, string>> = {
  queued: "it is about to be tried",
  running: "it runs right now",
  waiting: "it has just begun",
  done: "it is done",
  dead: "it has just been taken up",
  dropped: "it has just been dropped"
}

const retry = ({ allDead, ref }: RetryOptions) =>
  Effect.gen(function* () {
    const { out, note, style } = yield* Screen
    const logbook = yield* Logbook
    if ((ref === undefined) !== allDead) {
      const reason = allDead ? "several things to retry were named" : "no job was named"
      return yield* new CliError({ what, reason, remedy: 'Name one job, or give "--all-dead".' })
    }
    const jobs =
      ref === undefined ? (yield* logbook.jobs).filter(({ state }) => state === "dead") : [yield* named(ref)]
    if (jobs.length === 0) return yield* note("no job is dead.\n")
    const retried: Job[] = []
    for (const job of jobs) if (yield* logbook.retry(job.job)) retried.push(job)
    const [only] = jobs
    if (ref !== undefined && only && retried.length === 0) {
      const [now = only] = yield* logbook.jobsNamed([only.job])
      return yield* new CliError({
        what: `"${ref}"`,
        reason: `${now.state === "queued" && now.reason !== null ? `it is held up (${now.reason})` : standing[now.state]}, so there is nothing to retry`,
        remedy: "Only a job that is dead, was dropped, or waits can be retried."
      })
    }
    const names = retried.map(({ handler, job, kind }) => `${printable(handler ?? kind)} ${shortId(job)}`)
    yield* out(
      `${style.good("✔")} queued again: ${retried.length > 3 ? count(retried.length, "job") : names.join(", ")}. It runs as soon as a host does.\n`
    )
  }).pipe(withLogbook)

export const command = defineGroup({
  group: "Look after",
  summary: "Look after the work that goes on after replies.",
  heading: "list|retry",
  line: "list | show <ref> | retry <ref> [options]",
  examples: ["hooktape jobs list --state dead", "hooktape jobs retry --all-dead"],
  subcommands: {
    list: defineAction({
      summary: "What is queued, runs, waits for its next attempt, is dead, or was dropped.",
      options: {
        state: choice(
          "STATE",
          [...jobStates, "all"],
          `Only these: ${[...jobStates, "all"].join(", ")}. Default: all but done.`,
          { sample: "dead" }
        ),
        json: jsonOption()
      },
      examples: ["hooktape jobs list"],
      guards: "keeps",
      run: list
    }),
    show: defineAction({
      summary: "One job with all its attempts.",
      arguments: { ref: refTo("A job") },
      options: {
        json: jsonOption(
          "as in the list, and `history: [{attempt, startedAt, outcome, ms, error?, reason?, noise?}]`"
        )
      },
      examples: ["hooktape jobs show last"],
      guards: "keeps",
      run: show
    }),
    retry: defineAction({
      summary: "Try a dead, dropped or waiting job again now, with all its attempts anew.",
      arguments: { ref: optionalRefTo("A job") },
      options: { allDead: flag("Every job that is dead.", { example: "hooktape jobs retry --all-dead" }) },
      examples: ["hooktape jobs retry 1f2e3d4c"],
      guards: "keeps",
      run: retry
    })
  }
})
