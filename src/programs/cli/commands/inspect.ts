/** `hooktape inspect`: looks at the log in a browser. Serves until it is interrupted. */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { makeBringUp } from "../../../features/inspector/server/bringUp.ts"
import { type Inspector, serveInspector } from "../../../features/inspector/server/server.ts"
import type { World } from "../../../features/inspector/server/World.ts"
import { openTimeline } from "../../../features/timeline/catchUp.ts"
import { keepTimeline } from "../../../features/timeline/keepTimeline.ts"
import { spoolDirectory } from "../../../log/spool/spoolWriter.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { namesIn } from "../../../state/namesIn.ts"
import { CliError } from "../CliError.ts"
import { inspectorActs } from "../inspectorActs.ts"
import { recordsIn } from "../installRecords.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { findPlaces } from "../places.ts"
import { readyToAsk } from "../ready.ts"
import { makeStately } from "../render/stately.ts"
import { Screen } from "../Screen.ts"
import { defineCommand } from "../syntax/Command.ts"
import { choice, integer } from "../syntax/parameters.ts"
import { packageFolder, version } from "../version.ts"
import { followFrames, livingActors } from "./actors.ts"
import { hostNow } from "./host.ts"

interface InspectOptions {
  readonly port: number | undefined
  readonly stream: "stately" | undefined
}

const what = "inspect"

/** What one look brought is not looked for again by all who ask at the same moment. */
const together = (act: () => Promise<void>): (() => Promise<void>) => {
  let underway: Promise<void> | undefined
  return () => {
    underway ??= act().finally(() => {
      underway = undefined
    })
    return underway
  }
}

const worldOf = Effect.fn("cli.inspect.world")(function* (state: string) {
  const { takeIn } = yield* Logbook
  const file = join(state, "log.sqlite")
  const timeline = yield* Effect.acquireRelease(
    Effect.sync(() => keepTimeline(file)),
    ({ close }) => Effect.sync(close)
  )
  const spool = spoolDirectory(state)
  return {
    hasNews: timeline.hasNews,
    hasSpooled: () => namesIn(spool).some((name) => /^[0-9a-f-]{36}\.(?:ndjson|frame)$/.test(name)),
    ask: (question) => timeline.ask((db) => question({ db, state, now: Date.now(), version })),
    bringUp: makeBringUp(file),
    // What cannot be taken in waits in the spool: what is on the log can be seen all the same.
    takeIn: together(() => Effect.runPromise(Effect.ignore(takeIn))),
    actors: () => Effect.runPromise(Effect.map(livingActors(state), Option.getOrUndefined)),
    host: () =>
      Effect.runPromise(
        Effect.map(hostNow(state), (host) => host && { pid: host.pid, since: Date.parse(host.startedAt) })
      ),
    agents: () =>
      Effect.runPromise(
        Effect.map(recordsIn(state), (records) => [...new Set(records.map(({ agent }) => agent))])
      ),
    // What is replayed, and what a fixture is made of, is a payload: none was shipped.
    ...(state === findPlaces().state ? { acts: yield* inspectorActs(state) } : {})
  } satisfies World
})

const cannotServe = (port: number, cause: unknown): CliError =>
  new CliError({
    what: "the inspector cannot be served",
    reason: messageOf(cause),
    ...(port === 0 ? {} : { remedy: "Leave out --port, or give another." }),
    cause
  })

const serve = (world: World, port: number, note: (text: string) => void) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () =>
        serveInspector({
          world,
          page: join(packageFolder, "dist", "inspector"),
          port,
          token: randomBytes(24).toString("base64url"),
          note
        }),
      catch: (cause) => cannotServe(port, cause)
    }),
    (inspector: Inspector) => Effect.promise(inspector.close)
  )

/** Serves until its scope ends; what comes back is the address with the token. */
export const servedAt = Effect.fn("cli.inspect.serve")(function* (state: string, port: number) {
  const screen = yield* Screen
  yield* readyToAsk(what, () => openTimeline(join(state, "log.sqlite")))
  const world = yield* worldOf(state)
  const note = (text: string): void => void Effect.runFork(screen.note(`${text}\n`))
  const { address } = yield* serve(world, port, note)
  return address
})

/** For a tool of somebody else's: nothing is served, and standard output is all it reads. */
const streamed = Effect.fn("cli.inspect.stream")(function* ({ port }: InspectOptions) {
  if (port !== undefined)
    return yield* new CliError({
      what: "usage",
      reason: "--stream writes to standard output, and nothing is served",
      remedy: "Leave out --port, or --stream."
    })
  const messages = makeStately()
  return yield* followFrames(
    (frame) =>
      messages(frame)
        .map((message) => `${JSON.stringify(message)}\n`)
        .join(""),
    true
  )
})

const inspect = (options: InspectOptions) =>
  options.stream === undefined ? served(options) : streamed(options).pipe(withLogbook)

const served = ({ port = 0 }: InspectOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      return yield* new CliError({
        what: "usage",
        reason: `${port} is no port`,
        remedy: "Ports go from 1 to 65535."
      })
    const address = yield* servedAt(findPlaces().logState, port)
    yield* screen.out(`${address}\n`)
    yield* screen.note(
      "open it in a browser on this machine: whoever has the whole address may read the log. Ctrl-C ends it.\n"
    )
    return yield* Effect.never
  }).pipe(Effect.scoped, withLogbook)

export const command = defineCommand({
  group: "Look back",
  summary: "See what happens, and what happened, in a browser: calls, sessions, hooks, jobs, actors.",
  options: {
    port: integer("N", "Serve at this port of 127.0.0.1. Left out: any that is free.", { sample: "4321" }),
    stream: choice(
      "FORMAT",
      ["stately"],
      "Write each step of each actor to standard output instead, as Stately's inspector reads it.",
      { sample: "stately" }
    )
  },
  examples: ["hooktape inspect", "hooktape inspect --port 4321"],
  guards: "keeps",
  ofFleet: "as asked",
  run: inspect
})
