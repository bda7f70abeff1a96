/** From facts to the rows of the SQLite log. */
import { createHash } from "node:crypto"
import type { Recorded } from "../../../events/Recorded.ts"
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

export const insertRow = `INSERT INTO recorded (${columns}) VALUES (${columns.replace(/\w+/g, "?")})`
