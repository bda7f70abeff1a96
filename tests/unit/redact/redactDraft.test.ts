/** A draft carries the text that is looked through and stored: it is made once, whoever takes the draft on. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { type FactId, timeOf } from "../../../events/ids.ts"
import { makeDraft } from "../../../events/makeDraft.ts"
import { admit } from "../../../src/log/admit.ts"
import { withDigest } from "../../../src/log/payloadDigest.ts"
import { parseLine } from "../../../src/log/spool/spoolFiles.ts"
import { spoolLine } from "../../../src/log/spool/spoolLine.ts"
import { redactDraft } from "../../../src/redact/redact.ts"
import { nextId } from "../../support/log/drafts.ts"

afterEach(() => {
  vi.restoreAllMocks()
})

const draftOf = (fact: { readonly type: string; readonly [key: string]: unknown }) => {
  const id = nextId() as FactId
  return makeDraft(fact, { id, stream: "invocation/a", at: timeOf(id), marks: { session: "s" } })
}

const view = { version: () => 0, byId: () => undefined, last: 0, source: "test", now: 1 }
const admitted = (draft: ReturnType<typeof redactDraft>) =>
  admit([{ stream: draft.stream, expected: "any", drafts: [draft] }], view)

const key = () => Buffer.alloc(32, 1)

describe("the text of a redacted draft", () => {
  it("is the JSON of its data, and becomes the row as it is", () => {
    const draft = draftOf({ type: "EXITED", code: 0, ms: {}, odd: 'a "b" ‹' })
    const redacted = redactDraft(draft)
    expect(redacted).toEqual({ ...draft, text: JSON.stringify(draft.data) })
    expect(redacted.data).toBe(draft.data)
    expect(admitted(redacted)).toMatchObject({ rows: [{ text: redacted.text, fact: { data: draft.data } }] })
  })

  it("is that of the data without its secrets", () => {
    const draft = draftOf({ type: "EXITED", note: "https://me:hunter2@host/r.git" })
    const { data, text } = redactDraft(draft)
    expect(data).toEqual({ type: "EXITED", note: "https://me:‹redacted:url-password›@host/r.git" })
    expect(text).toBe(JSON.stringify(data))
  })

  it("has the digest of a payload behind what it had", () => {
    const { data, text } = withDigest(
      redactDraft(draftOf({ type: "PAYLOAD_BUFFERED", payload: '{"x":"}"}' })),
      key
    )
    expect(data).toMatchObject({ payload: '{"x":"}"}', digest: expect.any(String) })
    expect(text).toBe(JSON.stringify(data))
  })

  it("is made once on the whole way: looked through, kept in the spool, given a digest, admitted", () => {
    const { data, ...around } = draftOf({ type: "PAYLOAD_BUFFERED", payload: "long" })
    const made = vi.spyOn(JSON, "stringify")
    const redacted = redactDraft({ ...around, data })
    const line = spoolLine(redacted)
    const row = admitted(withDigest(redacted, key))
    const whole = made.mock.calls.filter(
      ([value]) =>
        (value as { type?: unknown })?.type === "PAYLOAD_BUFFERED" && "payload" in (value as object)
    )
    expect(whole).toHaveLength(1)
    expect(row).toMatchObject({ rows: [{ text: expect.stringContaining('"digest":') }] })
    expect(parseLine(line.slice(0, -1))).toEqual({ ...around, data })
  })

  it("is not made where somebody made it already", () => {
    const draft = draftOf({ type: "PROMPT_OBSERVED", text: "long" })
    const text = JSON.stringify(draft.data)
    const made = vi.spyOn(JSON, "stringify")
    expect(redactDraft(draft, text).text).toBe(text)
    expect(made).not.toHaveBeenCalled()
  })

  it("is none where the data is no JSON, which neither the spool nor the log takes", () => {
    const loop: { type: string; self?: unknown } = { type: "EXITED" }
    loop.self = loop
    const redacted = redactDraft(draftOf(loop as never))
    expect(redacted.text).toBeUndefined()
    expect(() => spoolLine(redacted)).toThrow(/circular/)
    expect(admitted(redacted)).toMatchObject({ reason: "invalid", detail: `fact ${redacted.id} is no JSON` })
  })
})
