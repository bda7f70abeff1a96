/** From facts to the rows of the SQLite log. */
import { createHash } from "node:crypto"
import type { Recorded } from "../../events/Recorded.ts"
import type { Row } from "./admit.ts"
import { columns } from "./sqliteSelect.ts"

/** Longer data goes to the blob table, once however many facts carry it. */
const inlineBytes = 65_536

export const blobHash = (text: string): string => createHash("sha256").update(text).digest("hex")

export const isLong = (text: string): boolean =>
  text.length > inlineBytes || (text.length > inlineBytes / 3 && Buffer.byteLength(text) > inlineBytes)

/** The text that stands for a fact's type and schema version; of each type mostly one version comes. */
export const makeKindText = () => {
  const made = new Map<string, { readonly schemaVersion: number; readonly text: string }>()
  return ({ type, schemaVersion }: Recorded): string => {
    const there = made.get(type)
    if (there?.schemaVersion === schemaVersion) return there.text
    const text = JSON.stringify([type, schemaVersion])
    made.set(type, { schemaVersion, text })
    return text
  }
}

/** The text that stands for a fact's marks; the same for a run of facts, which is what mostly comes. */
export const makeMarksText = (source: string) => {
  let last: Recorded | undefined
  let text = ""
  return (fact: Recorded): string => {
    if (
      last === undefined ||
      last.session !== fact.session ||
      last.event !== fact.event ||
      last.agentEvent !== fact.agentEvent ||
      last.agent !== fact.agent ||
      last.project !== fact.project
    ) {
      const { agent, agentEvent, event, session, project } = fact
      text = JSON.stringify([source, agent, agentEvent, event, session, project])
    }
    last = fact
    return text
  }
}

const oneRow = `(${columns.replace(/\w+/g, "?")})`

const inserts = new Map<number, string>()

/** The statement that inserts so many rows; one string for each, since it is by its text that it is found prepared. */
export const insertRows = (count: number): string => {
  const there = inserts.get(count)
  if (there !== undefined) return there
  const made = `INSERT INTO recorded (${columns}) VALUES ${Array(count).fill(oneRow).join(",")}`
  inserts.set(count, made)
  return made
}

/** The numbers that stand for what a fact shares with others. */
export interface Numbers {
  readonly stream: number
  readonly kind: number
  readonly marks: number
}

/** Adds a row's parameters; `blob` is the hash under which its data is kept elsewhere. */
export const pushRow = (
  params: unknown[],
  { fact, text }: Row,
  { stream, kind, marks }: Numbers,
  blob: string | null
): void => {
  params.push(
    fact.position,
    fact.id,
    stream,
    fact.version,
    kind,
    fact.at,
    fact.recordedAt,
    fact.cause,
    marks,
    fact.toolUseId,
    blob === null ? text : null,
    blob
  )
}
