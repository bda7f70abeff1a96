/** The digest of a payload, taken of what is stored: like payloads are found by it when their text is long gone. */
import type { Draft } from "../../events/Recorded.ts"
import { dataWith } from "../redact/dataText.ts"
import type { RedactedDraft } from "../redact/redact.ts"
import { digestOf } from "../state/digest.ts"

/** Nobody waits for it: whoever takes facts to the log adds it to those of payloads that have none yet. */
export const withDigest = (draft: RedactedDraft, key: () => Buffer): RedactedDraft => {
  if (draft.type !== "PAYLOAD_BUFFERED") return draft
  const data = draft.data as { readonly payload?: unknown; readonly digest?: unknown }
  if (typeof data.payload !== "string" || data.digest !== undefined) return draft
  return { ...draft, data: dataWith(draft.data, "digest", digestOf(key(), data.payload)) as Draft["data"] }
}
