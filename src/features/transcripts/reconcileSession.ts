/**
 * Reads what is new in the transcript of a session that has hooks, and keeps what they could not see. The facts are those of an import, with the
 * same ids: whoever imports the session later adds the rest, and nothing twice.
 */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Agent } from "../../../events/agentEvents.ts"
import type { ObservedFact } from "../../../events/observedFacts.ts"
import { observedStream } from "../../../events/observedStream.ts"
import type { Draft } from "../../../events/Recorded.ts"
import { adapters } from "../../agents/adapters.ts"
import type { Seen, TranscriptFormat } from "../../agents/transcripts/Transcript.ts"
import type { Reader } from "../../log/reader.ts"
import { spoolName } from "../../log/spool/spoolName.ts"
import { openSpool } from "../../log/spool/spoolWriter.ts"
import { redactDraft } from "../../redact/redact.ts"
import { dispatchSources as sources } from "../../runtime/dispatch/sources.ts"
import { besideHooks, type Expected } from "./besideHooks.ts"
import { formatOfFile } from "./formats.ts"
import { hookedCalls } from "./hookedCalls.ts"
import { readTranscript } from "./readFile.ts"
import { makeToDraft } from "./toDraft.ts"
import { transcriptProblem } from "./transcriptProblem.ts"

export interface Reconciling {
  readonly state: string
  readonly agent: Agent
  readonly session: string
  /** The file that the agent names. */
  readonly transcript: string
  readonly mostBytes: number
  /** The session is over: what has no end has none. */
  readonly isOver: boolean
}

export interface Reconciled {
  readonly facts: number
  readonly missed: number
  readonly ignored: number
  /** Why nothing was read. */
  readonly skipped?: string
}

const maxFacts = 10_000
/** Before the first thing that a part of a transcript tells, hooks may have been told of it already. */
const marginMs = 60_000
/** What is taken of a file, or made ready for the log, before other work has its turn: rows, and characters. */
const rowsAtOnce = 200
const charactersAtOnce = 1_000_000
const maxSubagents = 100

const nothing: Reconciled = { facts: 0, missed: 0, ignored: 0 }

const subagentFiles = (format: TranscriptFormat, transcript: string): readonly string[] => {
  const folder = format.subagents?.(transcript)
  if (folder === undefined) return []
  try {
    return readdirSync(folder)
      .filter((name) => format.isTranscript(join(folder, name)))
      .slice(0, maxSubagents)
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

type Mark = Extract<ObservedFact, { type: "TRANSCRIPT_RECONCILED" }>

/** Where each file was left. */
const marksIn = (reader: Reader, stream: string): ReadonlyMap<string, Mark> => {
  const { facts } = reader.facts({
    stream,
    types: ["TRANSCRIPT_RECONCILED"],
    newestFirst: true,
    limit: maxFacts
  })
  return new Map(
    facts.toReversed().map(({ data }) => {
      const mark = data as unknown as Mark
      return [mark.file, mark]
    })
  )
}

const eventOf = (agent: Agent, native: string): string => adapters[agent].events[native]?.event ?? ""

/** What this session's hooks, or the installation that stands, say of the events at which the agent calls them. */
const expectedOf = (reader: Reader, agent: Agent, seen: ReadonlySet<string>): Expected => {
  const installed = reader
    .facts({ types: ["HOOKS_INSTALLED", "HOOKS_REMOVED"], streamPrefix: "operator/", newestFirst: true })
    .facts.find(({ data }) => (data as { readonly agent?: string }).agent === agent)
  const events =
    installed?.type === "HOOKS_INSTALLED"
      ? (installed.data as unknown as { readonly events: readonly string[] }).events.map((native) =>
          eventOf(agent, native)
        )
      : []
  const has = (event: string): boolean => seen.has(event) || events.includes(event)
  return { before: has("tool.before"), after: has("tool.after") }
}

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const readTail = async (
  { isOver, mostBytes }: Reconciling,
  format: TranscriptFormat,
  file: string,
  left: number | undefined
): Promise<{ readonly seen: readonly Seen[]; readonly resumeAt: number; readonly size: number }> => {
  const { mtimeMs, size } = statSync(file)
  // Of a long file that is read for the first time, the end; one that was written anew begins again.
  const start = left === undefined || left > size ? Math.max(0, size - mostBytes) : left
  const to = start + mostBytes
  const seen: Seen[] = []
  const reading = readTranscript({
    file,
    format,
    from: start,
    to,
    isOver,
    now: Math.max(sources.now(), mtimeMs),
    unknown: () => {}
  })
  let rows = 0
  let pausedAt = start
  let step = reading.next()
  for (; step.done !== true; step = reading.next()) {
    const { bytes: until, seen: more } = step.value
    for (const one of more) seen.push(one)
    rows++
    if (rows % rowsAtOnce !== 0 && until - pausedAt < charactersAtOnce) continue
    pausedAt = until
    await pause()
  }
  const { bytes, resumeAt } = step.value
  // What began before the part that was read is not gone back to, and a turn that is longer than a part is not read for ever.
  const from = Math.max(start, resumeAt)
  return { seen, size, resumeAt: from === start && to < size ? Math.max(bytes, start) : from }
}

interface Found {
  readonly drafts: readonly Draft<ObservedFact>[]
  readonly counts: Reconciled
}

const lookAt = async (
  reader: Reader,
  wanted: Reconciling,
  format: TranscriptFormat,
  file: string,
  left: number | undefined
): Promise<Found> => {
  const { agent, session } = wanted
  const stream = observedStream(agent, session)
  const { resumeAt, seen, size } = await readTail(wanted, format, file, left)
  const own = seen.filter((one) => one.session === session)
  const since = own.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY) - marginMs
  const first = reader.facts({ session, types: ["PAYLOAD_BUFFERED"], limit: 1 }).facts[0]
  if (first === undefined || own.length === 0) return { drafts: [], counts: nothing }
  const told = reader.facts({
    session,
    types: ["PAYLOAD_BUFFERED", "REPLY_DELIVERED"],
    since,
    limit: maxFacts
  })
  const events = told.facts.flatMap(({ data, type }) =>
    type === "PAYLOAD_BUFFERED"
      ? ((data as unknown as { readonly events: readonly { readonly event: string }[] }).events[0]?.event ??
        [])
      : []
  )
  const isWhole = told.problem === undefined
  const expected = isWhole ? expectedOf(reader, agent, new Set(events)) : undefined
  // What happened before the first hook of the session is for an import.
  const hooked = own.filter(({ at }) => at >= first.at)
  const beside = besideHooks(agent, hooked, hookedCalls(told.facts), expected)
  const known = new Set(reader.facts({ stream, since, limit: maxFacts }).facts.map(({ id }) => id))
  const toDraft = makeToDraft(agent)
  const fresh = (all: readonly Seen[]) => all.map(toDraft).filter(({ id }) => !known.has(id))
  const [news, missed, ignored] = [beside.news, beside.missed, beside.ignored].map(fresh) as [
    Draft<ObservedFact>[],
    Draft<ObservedFact>[],
    Draft<ObservedFact>[]
  ]
  const counts = { facts: news.length, missed: missed.length, ignored: ignored.length }
  const at = sources.now()
  const project = news[0]?.project ?? first.project
  const mark = toDraft({
    fact: {
      type: "TRANSCRIPT_RECONCILED",
      source: "transcript",
      file,
      resumeAt,
      size,
      ...counts,
      ...(isWhole ? {} : { unjudged: "too many calls of hooks to look for those that are missing" })
    },
    at,
    session,
    identity: `${session}/reconciled/${file}/${at}`
  })
  return { drafts: [...news, ...missed, ...ignored, { ...mark, project }], counts }
}

const write = async (state: string, drafts: readonly Draft<ObservedFact>[]): Promise<void> => {
  const spool = openSpool(state, spoolName(sources))
  try {
    let characters = 0
    for (const draft of drafts) {
      const redacted = redactDraft(draft)
      spool.append(redacted)
      characters += redacted.text?.length ?? 0
      if (characters < charactersAtOnce) continue
      characters = 0
      await pause()
    }
    spool.close()
  } catch (error) {
    spool.discard()
    throw error
  }
}

export const reconcileSession = async (reader: Reader, wanted: Reconciling): Promise<Reconciled> => {
  const { agent, session, state, transcript } = wanted
  const skipped = transcriptProblem(transcript)
  if (skipped !== undefined) return { ...nothing, skipped }
  const format = formatOfFile(transcript)
  if (format?.agent !== agent)
    return { ...nothing, skipped: `it is no transcript of ${agent} that can be read` }
  const marks = marksIn(reader, observedStream(agent, session))
  let total = nothing
  for (const file of [transcript, ...subagentFiles(format, transcript)]) {
    const left = marks.get(file)
    if (transcriptProblem(file) !== undefined) continue
    // A subagent that has ended is not written to any more.
    if (file !== transcript && left?.size === statSync(file).size) continue
    const { counts, drafts } = await lookAt(reader, wanted, format, file, left?.resumeAt)
    if (drafts.length > 0) await write(state, drafts)
    total = {
      facts: total.facts + counts.facts,
      missed: total.missed + counts.missed,
      ignored: total.ignored + counts.ignored
    }
  }
  return total
}
