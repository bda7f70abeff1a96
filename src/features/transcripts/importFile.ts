/** Brings one transcript onto the log: what is there already is left as it is. */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import type { Draft } from "../../../events/Recorded.ts"
import type { Seen } from "../../agents/transcripts/Transcript.ts"
import { EventLog } from "../../log/EventLog.ts"
import { byStream } from "../../log/spool/ingest.ts"
import { redactDraft } from "../../redact/redact.ts"
import type { TranscriptFile } from "./findFiles.ts"
import { readTranscript } from "./readFile.ts"
import { makeToDraft } from "./toDraft.ts"

/** In one transaction, whichever comes first. */
const maxFacts = 2000
const maxCharacters = 4_000_000

/** A session that nobody wrote to for so long is over. */
const overMs = 86_400_000

export interface Imported {
  readonly facts: number
  /** Of them tool calls. */
  readonly calls: number
  /** What was on the log already. */
  readonly known: number
  readonly sessions: ReadonlySet<string>
  /** Rows of no known kind, by name. */
  readonly unknown: ReadonlyMap<string, number>
  readonly bytes: number
}

export interface ImportOptions {
  readonly now: number
  /** Only what happened then or later, milliseconds since 1970. */
  readonly since?: number | undefined
  /** Only sessions of this project. */
  readonly project?: string | undefined
  readonly dryRun?: boolean | undefined
  /** How many bytes of the file were read so far. */
  readonly progress?: (bytes: number) => void
}

/** `over`: 1 where nobody wrote to it any more. */
const marks = ["offset", "size", "written", "over"] as const

const markOf = (path: string): string =>
  `import/${createHash("sha256").update(path).digest("hex").slice(0, 32)}`

/** Where a file was left; undefined where it is not known, or is another one by now. */
const leftAt = Effect.fnUntraced(function* ({ bytes, path, written }: TranscriptFile) {
  const log = yield* EventLog
  const [offset, size, at, over] = yield* Effect.forEach(marks, (name) =>
    log.checkpoint(`${markOf(path)}/${name}`)
  )
  if (size === undefined || size === 0 || size > bytes) return { from: 0, isSame: false, wasOver: false }
  return { from: offset ?? 0, isSame: size === bytes && at === Math.round(written), wasOver: over === 1 }
})

/** Whether all of it is on the log, as it is now. */
export const isImported = Effect.fn("transcripts.isImported")((file: TranscriptFile) =>
  Effect.map(leftAt(file), ({ isSame }) => isSame)
)

const leave = Effect.fnUntraced(function* (path: string, values: readonly [number, number, number, number]) {
  const log = yield* EventLog
  for (const [nth, name] of marks.entries())
    yield* log.setCheckpoint(`${markOf(path)}/${name}`, values[nth] as number)
})

/** With the text of its data, which is counted, looked through and stored: it is made once. */
interface Held {
  readonly draft: Draft<Seen["fact"]>
  readonly text: string
}

export const importFile = Effect.fn("transcripts.importFile")(function* (
  file: TranscriptFile,
  { dryRun, now, progress, project, since }: ImportOptions
) {
  const log = yield* EventLog
  const unknown = new Map<string, number>()
  const sessions = new Set<string>()
  const total = { facts: 0, calls: 0, known: 0 }
  // Another question about the same file is no reason to pass over what it leaves out.
  const isWhole = since === undefined && project === undefined
  const left = isWhole ? yield* leftAt(file) : { from: 0, isSame: false, wasOver: false }
  const isOver = now - file.written > overMs
  const done = (bytes: number): Imported => ({ ...total, sessions, unknown, bytes })
  // What had no end while it was written to may be known to have none by now.
  if (left.isSame && left.wasOver === isOver) return done(file.bytes)
  const toDraft = makeToDraft(file.format.agent)
  const reading = readTranscript({
    file: file.path,
    format: file.format,
    from: left.from,
    isOver,
    // A machine whose clock is behind has files of later, and what they tell is as good.
    now: Math.max(now, file.written),
    unknown: (kind) => void unknown.set(kind, (unknown.get(kind) ?? 0) + 1)
  })
  let held = new Map<string, Held>()
  let characters = 0
  const flush = Effect.fnUntraced(function* () {
    if (held.size === 0) return
    const known = yield* log.has([...held.keys()])
    const fresh = [...held.values()].filter(({ draft }) => !known.has(draft.id))
    total.known += known.size
    total.facts += fresh.length
    total.calls += fresh.filter(({ draft }) => draft.type === "TOOL_CALL_OBSERVED").length
    for (const { draft } of held.values()) if (draft.session !== null) sessions.add(draft.session)
    if (dryRun !== true && fresh.length > 0)
      yield* log.appendMany(byStream(fresh.map(({ draft, text }) => redactDraft(draft, text))))
    held = new Map()
    characters = 0
    yield* Effect.yieldNow()
  })
  const wanted = (draft: Draft): boolean =>
    (since === undefined || draft.at >= since) && (project === undefined || draft.project === project)
  let step = reading.next()
  for (; step.done !== true; step = reading.next()) {
    for (const seen of step.value.seen) {
      const draft = toDraft(seen)
      if (!wanted(draft) || held.has(draft.id)) continue
      const text = JSON.stringify(draft.data)
      held.set(draft.id, { draft, text })
      characters += text.length
    }
    if (held.size < maxFacts && characters < maxCharacters) continue
    yield* flush()
    progress?.(step.value.bytes)
  }
  yield* flush()
  const { bytes, resumeAt } = step.value
  if (isWhole && dryRun !== true)
    yield* leave(file.path, [resumeAt, file.bytes, Math.round(file.written), isOver ? 1 : 0])
  return done(bytes)
})
