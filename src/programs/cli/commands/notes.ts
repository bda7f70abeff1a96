/** `hooktape notes list|show|confirm|retract`: what was kept for later sessions. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { MemoryFact } from "../../../../events/facts.ts"
import { asOf } from "../../../features/learning/confidence.ts"
import { shortId } from "../../../features/timeline/words.ts"
import { keep } from "../../../runtime/dispatch/keep.ts"
import { dispatchSources } from "../../../runtime/dispatch/sources.ts"
import { type Note, noteStream } from "../../../runtime/services/Note.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { printable } from "../../../state/terminalText.ts"
import { CliError } from "../CliError.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { findPlaces } from "../places.ts"
import { resolveId, type Words } from "../refs.ts"
import { drawNote, drawNotes } from "../render/note.ts"
import { Screen } from "../Screen.ts"
import { defineAction, defineGroup } from "../syntax/Command.ts"
import { flag, text } from "../syntax/parameters.ts"
import { json as jsonOption, ofProject, ofSession, refTo } from "../syntax/shared.ts"

export interface ListOptions {
  readonly kind: string | undefined
  readonly tag: string | undefined
  readonly session: string | undefined
  readonly project: string | undefined
  readonly all: boolean
  readonly json: boolean
}

const document = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const words: Words = {
  stream: "note/",
  none: { reason: "there is no note yet", remedy: 'Store one: hooktape note "…".' },
  unknown: { reason: "no note has this id", remedy: 'Take one from "hooktape notes list", or "last".' }
}

const nothing = (all: readonly Note[]): string =>
  all.length === 0
    ? 'no notes yet. Store one: hooktape note "Releases are cut from main"\n'
    : 'no note fits. Leave out a filter to see more; "--all" has those of other projects.\n'

const list = ({ all, json, kind, project, session, tag }: ListOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const logbook = yield* Logbook
    const notes = yield* logbook.notes
    const place = findPlaces(project).project
    const wanted = notes.filter(
      (note) =>
        (all || (note.retracted === null && note.project === place)) &&
        (kind === undefined || note.kind === kind) &&
        (tag === undefined || note.tags.includes(tag)) &&
        (session === undefined || note.session === session)
    )
    const now = yield* Clock.currentTimeMillis
    if (json) return yield* screen.out(document({ notes: wanted.map((note) => asOf(note, now)) }))
    if (wanted.length === 0) return yield* screen.note(nothing(notes))
    yield* screen.out(drawNotes(wanted, now, screen))
  }).pipe(withLogbook)

const named = Effect.fn("cli.notes.named")(function* (ref: string) {
  const logbook = yield* Logbook
  const notes = yield* logbook.notes
  const candidates = notes.map(({ kind, note }) => ({ id: note, about: kind }))
  const id = yield* Either.match(resolveId(ref, candidates, words), {
    onLeft: Effect.fail,
    onRight: Effect.succeed
  })
  return notes.find(({ note }) => note === id) as Note
})

const show = ({ json, ref }: { readonly ref: string; readonly json: boolean }) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const note = yield* named(ref)
    const now = yield* Clock.currentTimeMillis
    yield* screen.out(json ? document(asOf(note, now)) : drawNote(note, now, screen))
  }).pipe(withLogbook)

const add = ({ note, project, session }: Note, fact: MemoryFact) =>
  Effect.try({
    try: () =>
      keep(
        findPlaces().state,
        { stream: noteStream(note), fact, marks: { project, session } },
        dispatchSources
      ),
    catch: (cause) =>
      new CliError({
        what: "notes",
        reason: `not recorded: ${messageOf(cause)}`,
        remedy: 'Run "hooktape doctor".',
        cause
      })
  })

const confirm = ({ ref }: { readonly ref: string }) =>
  Effect.gen(function* () {
    const { out, style } = yield* Screen
    const note = yield* named(ref)
    if (note.retracted !== null)
      return yield* new CliError({
        what: `"${ref}"`,
        reason: "the note was retracted",
        remedy: "Store it anew where it holds again."
      })
    yield* add(note, { type: "NOTE_CONFIRMED", note: note.note, by: "operator" })
    yield* out(`${style.good("✔")} ${shortId(note.note)} still holds: ${printable(note.text).slice(0, 80)}\n`)
  }).pipe(withLogbook)

const retract = ({ reason, ref }: { readonly ref: string; readonly reason: string | undefined }) =>
  Effect.gen(function* () {
    const { note: remark, out, style } = yield* Screen
    const note = yield* named(ref)
    if (note.retracted !== null) return yield* remark("it was retracted before.\n")
    const why = reason === undefined ? {} : { reason }
    yield* add(note, { type: "NOTE_RETRACTED", note: note.note, by: "operator", ...why })
    yield* out(
      `${style.good("✔")} ${shortId(note.note)} is found no more: ${printable(note.text).slice(0, 80)}\n`
    )
  }).pipe(withLogbook)

const noteRef = refTo("A note")

export const command = defineGroup({
  group: "Remember",
  summary: "Look at the notes that were stored, confirm or retract one.",
  heading: "list|show|…",
  examples: ["hooktape notes list --kind summary", 'hooktape notes retract last --reason "wrong"'],
  subcommands: {
    list: defineAction({
      summary: "The notes of this project that hold, newest last.",
      options: {
        kind: text("NAME", "Only of this kind.", { sample: "summary" }),
        tag: text("NAME", "Only with this tag.", { sample: "release" }),
        session: ofSession,
        project: ofProject,
        all: flag("Of all projects, and those that were retracted."),
        json: jsonOption()
      },
      examples: ["hooktape notes list"],
      guards: "keeps",
      run: list
    }),
    show: defineAction({
      summary: "One note, whole.",
      arguments: { ref: noteRef },
      options: { json: jsonOption("as in the list") },
      examples: ["hooktape notes show last"],
      guards: "keeps",
      run: show
    }),
    confirm: defineAction({
      summary: "Say that it still holds.",
      arguments: { ref: noteRef },
      examples: ["hooktape notes confirm 1f2e3d4c"],
      guards: "keeps",
      run: confirm
    }),
    retract: defineAction({
      summary: "It no longer holds: it stays on the log and is found no more.",
      arguments: { ref: noteRef },
      options: { reason: text("TEXT", "Why it no longer holds.", { sample: '"moved to pnpm"' }) },
      examples: ["hooktape notes retract last"],
      guards: "keeps",
      run: retract
    })
  }
})
