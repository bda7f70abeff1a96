/** `hooktape show`: one invocation, explained. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { describeInvocation } from "../../../features/timeline/describe.ts"
import { backgroundOf } from "../../../features/timeline/describedJobs.ts"
import { findCalls } from "../../../features/timeline/find.ts"
import { positionIn } from "../../../features/timeline/findObserved.ts"
import { shortId } from "../../../features/timeline/words.ts"
import { CliError } from "../CliError.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { observedAt } from "../observedAt.ts"
import { findPlaces } from "../places.ts"
import { drawInvocation } from "../render/invocation.ts"
import { drawObserved } from "../render/observed.ts"
import { paged } from "../render/pager.ts"
import { Screen } from "../Screen.ts"
import { defineCommand } from "../syntax/Command.ts"
import { flag } from "../syntax/parameters.ts"
import { json as jsonOption, ref as refArgument } from "../syntax/shared.ts"

const isOf = (ref: string, id: string): boolean => {
  const wanted = ref.toLowerCase()
  return wanted.length >= 4 && (id.startsWith(wanted) || shortId(id).startsWith(wanted))
}

/** `hooktape log` shows ids of more than invocations, and each has its own command. */
const elsewhere = Effect.fn("cli.show.elsewhere")(function* (ref: string) {
  const { checkpoints, jobs, notes } = yield* Logbook
  const { project } = findPlaces()
  const kinds = [
    { what: "a job", command: "jobs show", ids: (yield* jobs).map(({ job }) => job) },
    {
      what: "a checkpoint",
      command: "checkpoints show",
      ids: (yield* checkpoints(project)).map(({ checkpoint }) => checkpoint)
    },
    { what: "a note", command: "notes show", ids: (yield* notes).map(({ note }) => note) }
  ]
  return kinds.find(({ ids }) => ids.some((id) => isOf(ref, id)))
})

const resolved = (ref: string) =>
  Effect.flatMap(Logbook, (logbook) =>
    Effect.catchTag(logbook.resolve(ref), "CliError", (unknown) =>
      Effect.flatMap(elsewhere(ref), (found) =>
        found === undefined
          ? unknown
          : new CliError({
              what: `"${ref}"`,
              reason: `this is the id of ${found.what}, not of an invocation`,
              remedy: `Run "hooktape ${found.command} ${ref}".`
            })
      )
    )
  )

interface ShowOptions {
  readonly ref: string
  readonly json: boolean
  readonly raw: boolean
}

/**
 * What stands in no fact of the call and shows in what came after: what the human said to a question, and which jobs handlers asked for
 * as they ran.
 */
const afterwards = Effect.fn("cli.show.afterwards")(function* (invocation: string) {
  const { timeline } = yield* Logbook
  const now = yield* Clock.currentTimeMillis
  const [call] = yield* timeline((db) => findCalls(db, { invocation, own: true }, now))
  return { answered: call?.answered, jobs: (call?.jobs ?? []).map(({ job }) => job) }
})

const show = ({ json, raw, ref }: ShowOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const logbook = yield* Logbook
    const observed = yield* observedAt(ref)
    if (observed !== undefined)
      return yield* json
        ? screen.out(`${JSON.stringify(observed, null, 2)}\n`)
        : paged(screen.out(drawObserved(observed, screen)))
    if (positionIn(ref) !== undefined)
      return yield* new CliError({
        what: `"${ref}"`,
        reason: "nothing that a transcript told has this name",
        remedy: 'Take one from "hooktape log --all".'
      })
    const id = yield* resolved(ref)
    const facts = yield* logbook.invocation(id)
    const { answered, jobs: later } = yield* afterwards(id)
    const planned = backgroundOf(facts).map(({ job }) => job)
    const jobs = yield* logbook.jobsNamed([...new Set([...planned, ...later])])
    const told = describeInvocation(facts, jobs, yield* logbook.answeredBy(facts))
    const described = told.outcome === "asked" && answered !== undefined ? { ...told, answered } : told
    const drawn = () => drawInvocation(described, { ...screen, raw })
    yield* json ? screen.out(`${JSON.stringify(described, null, 2)}\n`) : paged(screen.out(drawn()))
  }).pipe(withLogbook)

export const command = defineCommand({
  group: "Look back",
  summary: "Explain one invocation: states, handlers, intents, and the bytes it answered with.",
  arguments: { ref: refArgument },
  options: {
    raw: flag("Print the bytes that came and went as they were.", {
      details: "the bytes that came and went, exactly"
    }),
    json: jsonOption()
  },
  examples: ["hooktape show last"],
  guards: "keeps",
  ofFleet: "as asked",
  run: show
})
