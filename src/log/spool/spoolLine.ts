/** A fact as a line of a spool file. */
import type { RedactedDraft } from "../../redact/redact.ts"

/** The text of its data stands in it as it was looked through, and is not made again. Throws where the data is no JSON. */
export const spoolLine = (draft: RedactedDraft): string => {
  const { id, stream, type, schemaVersion, at, cause } = draft
  const { agent, agentEvent, event, session, project, toolUseId } = draft
  const marks = { agent, agentEvent, event, session, project, toolUseId }
  const around = JSON.stringify({ id, stream, type, schemaVersion, at, cause, ...marks })
  return `${around.slice(0, -1)},"data":${draft.text ?? JSON.stringify(draft.data)}}\n`
}
