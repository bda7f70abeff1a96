/** Drafts for tests: ids that are new each time, everything else the plainest there is. */
import { type FactId, uuidv7 } from "../../../events/ids.ts"
import { type Draft, noMarks } from "../../../events/Recorded.ts"
import { type RedactedDraft, redactDraft } from "../../../src/redact/redact.ts"

let count = 0

/** A UUIDv7 that no other call gives. */
export const nextId = (): string => {
  count++
  const random = new Uint8Array(10)
  new DataView(random.buffer).setUint32(4, count)
  new DataView(random.buffer).setUint16(8, process.pid % 65_536)
  return uuidv7(1_760_000_000_000 + count, random)
}

export const draftOf = (
  stream: string,
  over: Partial<Omit<Draft, "data">> & {
    readonly data?: { readonly type: string; readonly [key: string]: unknown }
  } = {}
): RedactedDraft =>
  redactDraft({
    ...noMarks,
    id: nextId() as FactId,
    stream,
    type: "EXITED",
    schemaVersion: 1,
    at: 1_760_000_000_000,
    cause: null,
    data: { type: over.type ?? "EXITED", code: 0, ms: {} } as Draft["data"],
    ...over
  })
