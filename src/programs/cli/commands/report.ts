/** `hooktape report`: a session as one HTML file. */
import { writeFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { openChains } from "../../../features/chains/catchUp.ts"
import { sessionDetail } from "../../../features/inspector/read/session.ts"
import { sessionReport } from "../../../features/inspector/report/sessionReport.ts"
import { openMetrics } from "../../../features/metrics/catchUp.ts"
import type { CallOutcome } from "../../../features/timeline/Call.ts"
import { findCalls, newestSession } from "../../../features/timeline/find.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { printable } from "../../../state/terminalText.ts"
import { CliError } from "../CliError.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { findPlaces } from "../places.ts"
import { readyToAsk } from "../ready.ts"
import { Screen } from "../Screen.ts"
import { fullSession } from "../sessions.ts"
import { defineCommand } from "../syntax/Command.ts"
import { argument, text } from "../syntax/parameters.ts"
import { version } from "../version.ts"

interface ReportOptions {
  readonly session: string
  readonly out: string | undefined
}

const what = "report"

/** What is worth a line beside the tools. */
const told: ReadonlySet<CallOutcome> = new Set([
  "blocked",
  "asked",
  "failed",
  "late",
  "unheard",
  "undelivered",
  "rejected",
  "lost"
])

/** Of an id only what a file name may hold. */
const fileName = (session: string): string =>
  `session-${session.replace(/[^\w-]/g, "").slice(-12) || "one"}.html`

const isThere = (cause: unknown): boolean => (cause as { readonly code?: string }).code === "EEXIST"

const write = (file: string, page: string) =>
  Effect.try({
    // What is there already is somebody's.
    try: () => writeFileSync(file, page, { flag: "wx", mode: 0o600 }),
    catch: (cause) =>
      new CliError({
        what,
        reason: isThere(cause) ? `${file} is there already` : `it cannot be written: ${messageOf(cause)}`,
        remedy: "Name another file with --out.",
        cause
      })
  })

const report = ({ out, session: asked }: ReportOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const { timeline } = yield* Logbook
    const { cwd, state } = findPlaces()
    const now = yield* Clock.currentTimeMillis
    const session = asked === "last" ? yield* timeline((db) => newestSession(db)) : yield* fullSession(asked)
    const log = join(state, "log.sqlite")
    yield* readyToAsk(what, () => openChains(log))
    yield* readyToAsk(what, () => openMetrics(log))
    const page = yield* timeline((db) => {
      if (session === undefined || findCalls(db, { session, limit: 1 }, now).length === 0) return undefined
      return sessionReport({
        detail: sessionDetail({ db, state, now, version }, session),
        calls: findCalls(db, { session, own: false }, now).filter(
          ({ jobs, outcome }) => told.has(outcome) || jobs.some(({ state }) => state === "dead")
        ),
        version,
        now
      })
    })
    if (session === undefined || page === undefined)
      return yield* new CliError({
        what,
        reason:
          session === undefined
            ? "no session was recorded so far"
            : `hooks recorded nothing of a session "${printable(session)}"`,
        remedy:
          session === undefined
            ? "Use the agent, then try again."
            : '"hooktape log" shows the end of each session\'s id, behind the agent.'
      })
    if (out === "-") {
      yield* screen.out(page)
      return 0
    }
    const file = out === undefined ? join(cwd, fileName(session)) : resolve(cwd, out)
    yield* write(file, page)
    yield* screen.out(`${printable(relative(cwd, file))}\n`)
    return 0
  }).pipe(withLogbook)

export const command = defineCommand({
  group: "Look back",
  summary: "Write a session as one HTML file, to be printed, kept or sent.",
  arguments: {
    session: argument("<session>", 'A session: its id, the beginning or end of one, or "last".')
  },
  options: {
    out: text("FILE", 'Write it there; "-" is standard output. Default: session-<id>.html, here.', {
      sample: "review.html"
    })
  },
  heading: "<session>",
  line: "<session> [options]",
  examples: ["hooktape report last"],
  guards: "keeps",
  run: report
})
