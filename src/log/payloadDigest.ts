/** The digest of a payload, taken of what is stored: like payloads are found by it when their text is long gone. */
import type { RedactedDraft } from "../redact/redact.ts"
import { digestOf } from "../state/digest.ts"

/** Nobody waits for it: whoever takes facts to the log adds it to those of payloads that have none yet. */
export const withDigest = (draft: RedactedDraft, key: () => Buffer): RedactedDraft => {
  if (draft.type !== "PAYLOAD_BUFFERED") return draft
  const data = draft.data as { readonly payload?: unknown; readonly digest?: unknown }
  if (typeof data.payload !== "string" || data.digest !== undefined) return draft
  const digest = digestOf(key(), data.payload)
  // Data with a type has other members; a payload's text is long, and is not made anew.
  const text = draft.text && `${draft.text.slice(0, -1)},"digest":${JSON.stringify(digest)}}`
  return { ...draft, data: { ...draft.data, digest }, text } as RedactedDraft
}
