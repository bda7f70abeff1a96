/** The rules of appending, the same for every implementation: expected versions, idempotency by id, order. */
import type { Draft, Recorded } from "../../events/Recorded.ts"
import type { RedactedDraft } from "../redact/redact.ts"
import { type Batch, EventLogError, type Expected } from "./EventLog.ts"
import { decodeFact, decodeText } from "./validity.ts"

/** A fact and the text of its data, which is what is stored: its bytes never change. */
export interface Row {
  readonly fact: Recorded
  readonly text: string
}

/** What the log says when it is asked inside the transaction. */
export interface StreamView {
  /** Version of a stream, 0 where there is none. */
  readonly version: (stream: string) => number
  readonly byId: (id: string) => Row | undefined
  /** Position of the newest fact. */
  readonly last: number
  readonly source: string
  readonly now: number
}

/** The fact as a reader gets it: its data made from the text, so that nobody holds another's. */
export const toRecorded = ({ fact, text }: Row): Recorded => ({
  ...fact,
  ...decodeText(fact.type, fact.schemaVersion, text)
})

const wanted = (expected: Expected): string =>
  typeof expected === "object" ? `version ${expected.exact}` : expected

const holds = (expected: Expected, version: number): boolean => {
  if (expected === "any") return true
  if (expected === "no-stream") return version === 0
  if (expected === "stream-exists") return version > 0
  return version === expected.exact
}

const invalid = (detail: string): EventLogError =>
  new EventLogError({ op: "append", reason: "invalid", detail })

const textOf = ({ data, id, text }: RedactedDraft): string | EventLogError => {
  try {
    return text ?? JSON.stringify(data) ?? invalid(`fact ${id} has no data`)
  } catch (cause) {
    return new EventLogError({ op: "append", reason: "invalid", detail: `fact ${id} is no JSON`, cause })
  }
}

const same = (row: Row, draft: Draft, text: string): boolean =>
  row.text === text &&
  row.fact.stream === draft.stream &&
  row.fact.type === draft.type &&
  row.fact.schemaVersion === draft.schemaVersion &&
  row.fact.at === draft.at &&
  row.fact.cause === draft.cause &&
  row.fact.agent === draft.agent &&
  row.fact.agentEvent === draft.agentEvent &&
  row.fact.event === draft.event &&
  row.fact.session === draft.session &&
  row.fact.project === draft.project &&
  row.fact.toolUseId === draft.toolUseId

export interface Admitted {
  /** What has to be inserted, in order. */
  readonly rows: readonly Row[]
  /** What the append answers, in the order of its drafts. */
  readonly recorded: readonly Recorded[]
}

/** Decides an append, or says why it cannot be. Pure. */
export const admit = (batches: readonly Batch[], view: StreamView): Admitted | EventLogError => {
  const rows: Row[] = []
  const recorded: Recorded[] = []
  const versions = new Map<string, number>()
  const added = new Map<string, Row>()
  for (const { stream, expected, drafts } of batches) {
    let checked = false
    for (const draft of drafts) {
      if (draft.stream !== stream) return invalid(`a fact of ${draft.stream} cannot be appended to ${stream}`)
      const text = textOf(draft)
      if (typeof text !== "string") return text
      const there = added.get(draft.id) ?? view.byId(draft.id)
      if (there !== undefined) {
        if (!same(there, draft, text)) {
          const detail = `fact ${draft.id} is already recorded at ${there.fact.position} with another body`
          return new EventLogError({ op: "append", reason: "conflict", detail })
        }
        recorded.push(toRecorded(there))
        continue
      }
      const version = versions.get(stream) ?? view.version(stream)
      if (!checked && !holds(expected, version)) {
        const detail = `${stream} is at version ${version}, expected ${wanted(expected)}`
        return new EventLogError({ op: "append", reason: "version", detail })
      }
      checked = true
      const { known, data } = decodeFact(draft.type, draft.schemaVersion, draft.data)
      // Member by member: spreading objects costs more than all the rest.
      const fact: Recorded = {
        position: view.last + rows.length + 1,
        id: draft.id,
        source: view.source,
        stream,
        version: version + 1,
        type: draft.type,
        schemaVersion: draft.schemaVersion,
        at: draft.at,
        recordedAt: view.now,
        cause: draft.cause,
        agent: draft.agent,
        agentEvent: draft.agentEvent,
        event: draft.event,
        session: draft.session,
        project: draft.project,
        toolUseId: draft.toolUseId,
        known,
        data
      }
      const row: Row = { fact, text }
      versions.set(stream, version + 1)
      added.set(draft.id, row)
      rows.push(row)
      recorded.push(fact)
    }
  }
  return { rows, recorded }
}
