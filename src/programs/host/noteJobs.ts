/** Stores what handlers want remembered: in a process of its own kind, since hooks see each note before it is stored. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { InvocationFact } from "../../../events/facts.ts"
import type { Json, JsonObject } from "../../../events/intents.ts"
import { invocationStream } from "../../../events/invocationOf.ts"
import { JobError, type Runner, type Work } from "../../jobs/Runner.ts"
import { EventLog } from "../../log/EventLog.ts"
import { isOurs } from "../../state/manifest.ts"
import { messageOf } from "../../state/messageOf.ts"
import type { Places } from "./background.ts"
import type { Builds } from "./builds.ts"
import { completed } from "./leftEnvironment.ts"
import type { StoreNote } from "./messages.ts"

/** A job waits for a build longer than an agent would. */
const patienceMs = 30_000

type Opened = Extract<InvocationFact, { type: "INVOCATION_OPENED" }>
type Buffered = Extract<InvocationFact, { type: "PAYLOAD_BUFFERED" }>

const failed = (name: string, message: string, final = false): JobError =>
  new JobError({ error: { name, message }, final })

const requestOf = (input: JsonObject, opened: Opened, session: string | null): StoreNote => {
  const { confidence, importance, kind, source, tags, text } = input
  const { cwd, env, project } = opened
  return {
    type: "note",
    environment: completed(opened.env, cwd, { ...process.env, ...env }),
    note: {
      project,
      cwd,
      source: String(source),
      text: String(text),
      ...(typeof kind === "string" ? { kind } : {}),
      ...(Array.isArray(tags) ? { tags: tags.map(String) } : {}),
      ...(typeof importance === "number" ? { importance } : {}),
      ...(typeof confidence === "number" ? { confidence } : {}),
      ...(session === null ? {} : { session })
    }
  }
}

/** Whether the hooks that see it before are all our own. */
const areOurs = async (builds: Builds, { note }: StoreNote): Promise<boolean> => {
  const { found } = await builds.serving(note.cwd, patienceMs)
  return found === undefined || isOurs(found.manifest, ["reflection.before"])
}

const store = async (
  { atWork, workers: processes }: Places,
  builds: Builds,
  message: StoreNote,
  { enqueued, signal }: Work
): Promise<Json> => {
  const workers = (await areOurs(builds, message)) ? atWork : processes
  const worker = await workers.take("notes", enqueued.deadlineMs)
  signal.addEventListener("abort", worker.kill)
  try {
    worker.send(message)
    for (;;) {
      const answer = await worker.next(enqueued.deadlineMs)
      if (answer.type === "stored") return answer.result as Json
      if (answer.type === "failed") throw new Error(answer.message)
    }
  } finally {
    signal.removeEventListener("abort", worker.kill)
    // Hooks ran in it that are those of one project and one call.
    workers.give("notes", worker, "none")
  }
}

/** The runner of jobs of the kind `note`. */
export const makeNoteRunner = (places: Places, builds: Builds): Effect.Effect<Runner, never, EventLog> =>
  Effect.map(
    EventLog,
    (log): Runner =>
      Effect.fn("jobs.note")(function* (work: Work) {
        const { input, invocation } = work.enqueued
        if (invocation === undefined)
          return yield* failed("NoInvocation", "the job names no invocation", true)
        const facts = yield* Effect.mapError(
          Stream.runCollect(
            log.read({
              stream: invocationStream(invocation),
              types: ["INVOCATION_OPENED", "PAYLOAD_BUFFERED"]
            })
          ),
          ({ message }) => failed("EventLogError", message)
        )
        const known = [...facts].filter((fact) => fact.known).map(({ data }) => data as Opened | Buffered)
        const opened = known.find((fact) => fact.type === "INVOCATION_OPENED")
        if (opened === undefined)
          return yield* failed("NoInvocation", `the invocation ${invocation} is not on the log`)
        const session = known.find((fact) => fact.type === "PAYLOAD_BUFFERED")?.session ?? null
        const message = requestOf(input as JsonObject, opened, session)
        const result = yield* Effect.tryPromise({
          try: () => store(places, builds, message, work),
          catch: (cause) => failed("NotStored", messageOf(cause))
        })
        return { result }
      })
  )
