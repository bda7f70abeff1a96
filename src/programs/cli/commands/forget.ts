/** `hooktape forget`: takes what should not have been kept out of log, spool, backups, notes and search. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { chainsProjection } from "../../../features/chains/tables.ts"
import { dropFindings } from "../../../features/findings/catchUp.ts"
import { isBackupOf } from "../../../features/memory/backUp.ts"
import { metricsProjection } from "../../../features/metrics/tables.ts"
import { searchProjection } from "../../../features/search/tables.ts"
import { sessionsNamed } from "../../../features/timeline/find.ts"
import { timelineProjection } from "../../../features/timeline/tables.ts"
import { count, shortId } from "../../../features/timeline/words.ts"
import { compact } from "../../../log/compact.ts"
import { hostLock, takeLock } from "../../../log/hostLock.ts"
import { type Forgotten, renewProjection } from "../../../log/projection.ts"
import { ingest } from "../../../log/spool/ingest.ts"
import { layerSqlite } from "../../../log/sqlite/SqliteLog.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { installationId } from "../../../state/state.ts"
import { printable } from "../../../state/terminalText.ts"
import { type Affected, forget as forgetOnLog, type Target } from "../../../tools/forget/forget.ts"
import {
  filesWith,
  forgetCallInFiles,
  forgetLogCopies,
  forgetSessionInFiles,
  forgetTextInFiles
} from "../../../tools/forget/forgetFiles.ts"
import { CliError } from "../CliError.ts"
import { confirm, isTerminal } from "../confirm.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { findPlaces } from "../places.ts"
import { Screen } from "../Screen.ts"
import { stopHost } from "../stopHost.ts"
import { defineCommand } from "../syntax/Command.ts"
import { flag, optionalArgument, text } from "../syntax/parameters.ts"
import { json as jsonOption } from "../syntax/shared.ts"

export interface ForgetOptions {
  readonly target: string | undefined
  readonly matching: string | undefined
  readonly dryRun: boolean
  readonly yes: boolean
  readonly json: boolean
}

/** A shorter text stands in what nobody means. */
const shortest = 4

const usage = (reason: string) =>
  new CliError({ what: "forget", reason, remedy: 'See "hooktape forget --help".' })

const shown = 4

/** A part of an id may fit a session of tomorrow as well: what cannot be had back is named in full. */
const partOf = (name: string, near: readonly string[]) => {
  const more = near.length > shown ? ` and ${near.length - shown} more` : ""
  return new CliError({
    what: "forget",
    reason: `"${printable(name)}" is a part of the session ${near.slice(0, shown).map(printable).join(", ")}${more}`,
    remedy: "A session is named by its whole id here."
  })
}

/** A session's id is the agent's and may look like anything; what is no session is a ref. */
const targetOf = Effect.fn("cli.forget.target")(function* ({ matching, target }: ForgetOptions) {
  if ((matching === undefined) === (target === undefined))
    return yield* usage("it takes a session, a ref, or --matching TEXT")
  if (matching !== undefined) {
    if (matching.length < shortest)
      return yield* usage(`a text of fewer than ${shortest} characters stands in too much else`)
    return { kind: "text", text: matching } satisfies Target
  }
  const name = target as string
  const asSession: Target = { kind: "session", session: name }
  const logbook = yield* Logbook
  const known = yield* logbook.hasSession(name)
  if (known) return asSession
  const invocation = yield* logbook.resolve(name).pipe(
    Effect.catchTag("CliError", (unknown) =>
      Effect.flatMap(
        logbook.timeline((db) => sessionsNamed(db, name)),
        (near) => (near.length === 0 ? unknown : partOf(name, near))
      )
    )
  )
  return { kind: "invocation", invocation } satisfies Target
})

const named = (target: Target): string => {
  switch (target.kind) {
    case "session":
      return `session ${printable(target.session)}`
    case "invocation":
      return `invocation ${shortId(target.invocation)}`
    case "text":
      return "this text"
  }
}

const told = (affected: readonly Affected[]): string => {
  const kinds = new Map<string, number>()
  for (const { stream } of affected) {
    const kind = stream.slice(0, stream.indexOf("/"))
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  const facts = affected.reduce((sum, one) => sum + one.facts, 0)
  const of = [...kinds].map(([kind, many]) => count(many, kind)).join(", ")
  return of === "" ? "nothing on the log" : `${count(facts, "fact")} of ${of}`
}

const failed = (cause: unknown) =>
  new CliError({
    what: "forget",
    reason: messageOf(cause),
    remedy: 'Run it again when no other process writes the log; "hooktape doctor" tells more.',
    cause
  })

/** One call is a number among those of its day; a session is taken out of them, and a text out of their names. */
const forgottenOf = (target: Target): Forgotten => {
  if (target.kind === "session") return { session: target.session }
  return target.kind === "text" ? { text: target.text } : {}
}

/** With the host stopped and its place taken, so that nobody has any of it in memory or in a file of its own. */
const perform = (state: string, target: Target) =>
  Effect.gen(function* () {
    yield* stopHost(state)
    yield* takeLock(hostLock(state), "5 seconds")
    const file = join(state, "log.sqlite")
    const source = installationId(state)
    const affected = yield* ingest(state, source).pipe(
      Effect.zipRight(forgetOnLog(source, target)),
      Effect.provide(layerSqlite({ file, source, onDamage: () => undefined, older: "refuse" })),
      Effect.scoped
    )
    return yield* Effect.try(() => {
      const files =
        target.kind === "text"
          ? forgetTextInFiles(state, target.text)
          : target.kind === "session"
            ? forgetSessionInFiles(state, target.session, (name) => isBackupOf(target.session, name))
            : forgetCallInFiles(state, target.invocation)
      // Made anew from what is on the log now.
      for (const projection of [searchProjection, chainsProjection, timelineProjection, metricsProjection])
        renewProjection(file, projection, forgottenOf(target))
      dropFindings(file)
      const compacted = compact(file)
      return {
        affected,
        files: [...files, ...forgetLogCopies(state)],
        compacted,
        left: target.kind === "text" ? filesWith(state, target.text) : []
      }
    })
  }).pipe(
    Effect.scoped,
    Effect.mapError((error) => (error instanceof CliError ? error : failed(error)))
  )

const isWanted = Effect.fn("cli.forget.isWanted")(function* (question: string, yes: boolean) {
  if (yes) return true
  if (!isTerminal())
    return yield* usage("what is forgotten cannot be had back: outside a terminal it takes --yes")
  return yield* confirm(question)
})

const forget = (options: ForgetOptions) =>
  Effect.gen(function* () {
    const { note, out } = yield* Screen
    const { state } = findPlaces()
    const target = yield* targetOf(options)
    // A text may stand anywhere, and is forgotten without being asked for first: looking for it takes as long as forgetting it.
    if (target.kind === "text" && options.yes && !options.dryRun) return { state, target }
    const planned = yield* (yield* Logbook).affectedBy(target)
    // A text may stand beside the log as well.
    if (planned.length === 0 && target.kind !== "text")
      return yield* usage(`nothing of ${named(target)} is on the log`)
    const plan = told(planned)
    if (options.dryRun) {
      const where = target.kind === "text" ? filesWith(state, target.text) : []
      if (options.json)
        return yield* out(`${JSON.stringify({ dryRun: true, affected: planned, files: where })}\n`)
      const files = where.map((file) => `  ${printable(file)}\n`).join("")
      return yield* out(`would forget ${named(target)}: ${plan}\n${files}`)
    }
    if (!(yield* isWanted(`Forget ${named(target)} (${plan}) for good?`, options.yes)))
      return yield* note("nothing was forgotten\n")
    return { state, target }
  }).pipe(
    withLogbook,
    // The log was closed by then: what is taken out of it is taken out by one process alone.
    Effect.flatMap((decided) =>
      decided === undefined ? Effect.void : finish(options, decided.state, decided.target)
    )
  )

const finish = Effect.fn("cli.forget.finish")(function* (
  { json }: ForgetOptions,
  state: string,
  target: Target
) {
  const { note, out, style } = yield* Screen
  const { affected, compacted, files, left } = yield* perform(state, target)
  if (json) {
    yield* out(`${JSON.stringify({ affected, files, compacted, left })}\n`)
    return left.length === 0 ? 0 : 1
  }
  const beside = files.length === 0 ? "" : ` and ${count(files.length, "file")}`
  yield* out(`${style.good("✔")} forgot ${named(target)}: ${told(affected)}${beside}\n`)
  if (!compacted)
    yield* note(
      `${style.warn("!")} another process reads the log: pages of before are still in its file. Run it again later.\n`
    )
  if (left.length === 0) return 0
  yield* note(
    `${style.warn("!")} it still stands in ${left.map((file) => printable(join(state, file))).join(", ")}: what hooktape needs to undo an installation, or what another process is writing. Remove it by hand, or run this again.\n`
  )
  return 1
})

export const command = defineCommand({
  group: "Look after",
  summary: "Take a session, a call or a text out of everything that is kept.",
  arguments: {
    target: optionalArgument(
      "<session or ref>",
      'A session: its calls, jobs, notes and checkpoints, and the copies of its transcript. Or one call: its id, the beginning or end of one, or "last".'
    )
  },
  options: {
    matching: text("TEXT", "Exactly this text, wherever it stands: what holds it stays, without it.", {
      details: "this text, of four characters or more",
      example: "hooktape forget --matching 'hunter2'"
    }),
    dryRun: flag("Say what would go, and change nothing."),
    yes: flag("Do not ask. Needed where nobody sits at a terminal."),
    json: jsonOption(
      "`{affected: [{stream, fact, facts}], files, compacted, left}`; with `--dry-run` `{dryRun, affected, files}`"
    )
  },
  heading: "<ref>",
  line: "<session> | <ref> | --matching TEXT [options]",
  examples: ["hooktape forget last", "hooktape forget --matching 'hunter2' --yes"],
  guards: "weakens",
  run: forget
})
