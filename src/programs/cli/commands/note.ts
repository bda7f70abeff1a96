/** `hooktape note`: something to remember, in a sentence. */
import { text as readAll } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import { BadNote, storeNote } from "../../../features/notes/storeNote.ts"
import { shortId } from "../../../features/timeline/words.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { printable } from "../../../state/terminalText.ts"
import { CliError } from "../CliError.ts"
import { firstBuild } from "../firstBuild.ts"
import { findPlaces } from "../places.ts"
import { prepareState } from "../prepare.ts"
import { printHookMessages } from "../printHookMessages.ts"
import { Screen } from "../Screen.ts"
import { defineCommand } from "../syntax/Command.ts"
import { argument, number, text, texts } from "../syntax/parameters.ts"
import { json as jsonOption, project as projectOption } from "../syntax/shared.ts"

export interface NoteOptions {
  readonly text: string
  readonly kind: string | undefined
  readonly tag: readonly string[]
  readonly importance: number | undefined
  readonly session: string | undefined
  readonly project: string | undefined
  readonly json: boolean
}

const notStored = (cause: unknown): CliError => {
  const reason = messageOf(cause)
  return new CliError({
    what: "note",
    reason: `not stored: ${reason}`,
    ...(cause instanceof BadNote ? {} : { remedy: 'Run "hooktape doctor".' }),
    cause
  })
}

const note = Effect.fn("cli.note")(function* (options: NoteOptions) {
  const { out, style } = yield* Screen
  const { importance, json, kind, session, tag } = options
  const places = findPlaces(options.project)
  const { cwd, project, state } = places
  yield* prepareState(state, { migrates: false })
  yield* firstBuild(places)
  const stored = yield* Effect.tryPromise({
    try: async () => {
      const text = options.text === "-" ? (await readAll(process.stdin)).trim() : options.text
      return storeNote({
        state,
        project,
        cwd,
        text,
        kind,
        tags: tag,
        importance,
        session,
        source: "operator"
      })
    },
    catch: notStored
  })
  yield* printHookMessages(stored.intents)
  if ("refused" in stored) {
    const { handler, reason } = stored.refused
    if (json) yield* out(`${JSON.stringify({ stored: false, hook: handler, reason }, null, 2)}\n`)
    else
      return yield* new CliError({
        what: "note",
        reason: printable(`not stored: hook ${handler}: ${reason}`)
      })
    return 1
  }
  yield* out(
    json
      ? `${JSON.stringify({ stored: true, ...stored.note }, null, 2)}\n`
      : `${style.good("✔")} stored as ${shortId(stored.note.note)}${stored.note.text === options.text ? "" : `: ${printable(stored.note.text)}`}\n`
  )
  return 0
})

export const command = defineCommand({
  group: "Remember",
  summary: "Store a note for later sessions.",
  arguments: { text: argument("<text>", "What is to be remembered; `-` reads it from standard input.") },
  options: {
    kind: text("NAME", "What sort of note: decision, fix, preference … Default: note.", { sample: "fix" }),
    tag: texts("NAME", "A word to find it by. May be given several times.", { sample: "tests" }),
    importance: number("N", "0 to 1.", { sample: "1" }),
    session: text("ID", "The session of an agent that it belongs to.", { sample: "s1" }),
    project: projectOption,
    json: jsonOption("`{stored, …the note}`, or `{stored: false, hook, reason}` and exit code 1")
  },
  examples: [
    'hooktape note "Uses pnpm"',
    'hooktape note "Releases are cut from main" --kind decision --tag release'
  ],
  guards: "keeps",
  run: note
})
