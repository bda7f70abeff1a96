/** The rules of appending, on a log that is only told of. */
import { describe, expect, it } from "vitest"
import type { Draft, Recorded } from "../../../events/Recorded.ts"
import { type Admitted, admit, type Row, type StreamView, toRecorded } from "../../../src/log/admit.ts"
import { type Batch, EventLogError, type Expected } from "../../../src/log/EventLog.ts"
import { redactDraft } from "../../../src/redact/redact.ts"
import { draftOf } from "../../support/log/drafts.ts"

const view = (there: readonly Row[] = []): StreamView => ({
  version: (stream) => there.filter(({ fact }) => fact.stream === stream).length,
  byId: (id) => there.find(({ fact }) => fact.id === id),
  last: there.length,
  source: "here",
  now: 5000
})

const batch = (stream: string, expected: Expected, ...drafts: readonly Draft[]): Batch =>
  ({ stream, expected, drafts }) as unknown as Batch

const admitted = (batches: readonly Batch[], there: readonly Row[] = []): Admitted => {
  const outcome = admit(batches, view(there))
  if (outcome instanceof EventLogError) throw outcome
  return outcome
}

const refused = (batches: readonly Batch[], there: readonly Row[] = []) => {
  const outcome = admit(batches, view(there))
  return outcome instanceof EventLogError ? [outcome.op, outcome.reason, outcome.detail] : outcome
}

describe("an append", () => {
  it("gives each fact its place: in the log, in its stream, by whom and when", () => {
    const drafts = [draftOf("a"), draftOf("b", { session: "S" }), draftOf("a")] as const
    const { rows, recorded } = admitted([
      batch("a", "no-stream", drafts[0]),
      batch("b", "any", drafts[1]),
      batch("a", "stream-exists", drafts[2])
    ])
    const placed = ({ id, position, recordedAt, source, stream, version }: Recorded) => [
      id,
      position,
      stream,
      version,
      source,
      recordedAt
    ]
    const expected = [
      [drafts[0].id, 1, "a", 1, "here", 5000],
      [drafts[1].id, 2, "b", 1, "here", 5000],
      [drafts[2].id, 3, "a", 2, "here", 5000]
    ]
    expect(rows.map(({ fact }) => placed(fact))).toEqual(expected)
    expect(recorded.map(placed)).toEqual(expected)
    expect(recorded.map(({ known }) => known)).toEqual([true, true, true])
    expect(rows.map(({ text }) => JSON.parse(text))).toEqual(drafts.map(({ data }) => data))
    expect(rows.map(toRecorded)).toEqual(recorded)
  })

  it("goes on where the log ends", () => {
    const { rows: there } = admitted([batch("a", "any", draftOf("a"), draftOf("a"))])
    const { recorded } = admitted(
      [batch("a", { exact: 2 }, draftOf("a")), batch("b", "any", draftOf("b"))],
      there
    )
    expect(recorded.map(({ position, version }) => [position, version])).toEqual([
      [3, 3],
      [4, 1]
    ])
  })

  it.each<[Expected, number, string]>([
    ["no-stream", 1, "a is at version 1, expected no-stream"],
    ["stream-exists", 0, "a is at version 0, expected stream-exists"],
    [{ exact: 2 }, 1, "a is at version 1, expected version 2"]
  ])("that expects %j is refused where the stream has %i", (expected, count, detail) => {
    const there = count === 0 ? [] : admitted([batch("a", "any", draftOf("a"))]).rows
    expect(refused([batch("a", expected, draftOf("a"))], there)).toEqual(["append", "version", detail])
  })

  it("looks at the version once, before the first that is new", () => {
    const { rows: there } = admitted([batch("a", "any", draftOf("a"))])
    const [row] = there
    const again = { ...(row as Row).fact } as unknown as Draft
    const { rows, recorded } = admitted([batch("a", { exact: 1 }, again, draftOf("a"), draftOf("a"))], there)
    expect(rows).toHaveLength(2)
    expect(recorded.map(({ version }) => version)).toEqual([1, 2, 3])
    expect(refused([batch("a", "no-stream", again)], there)).toEqual({
      rows: [],
      recorded: [toRecorded(row as Row)]
    })
  })

  it("of a fact that came before answers what was recorded, and nothing is added", () => {
    const one = draftOf("a", { session: "S", toolUseId: "t" })
    const twice = admitted([batch("a", "any", one, one)])
    expect(twice.rows).toHaveLength(1)
    expect(twice.recorded[1]).toEqual(twice.recorded[0])
    expect(admitted([batch("a", "no-stream", one)], twice.rows)).toEqual({
      rows: [],
      recorded: [twice.recorded[0]]
    })
  })

  it.each([
    ["type", "HOST_READY"],
    ["schemaVersion", 2],
    ["at", 7],
    ["cause", "c"],
    ["agent", "codex"],
    ["agentEvent", "Stop"],
    ["event", "turn.stop"],
    ["session", "other"],
    ["project", "/p"],
    ["toolUseId", "u"],
    ["data", { type: "EXITED", code: 3 }]
  ])("is refused where a fact of that id differs in its %s alone", (member, value) => {
    const one = draftOf("a")
    const { rows } = admitted([batch("a", "any", one)])
    expect(
      refused([batch("a", "any", redactDraft({ ...one, [member]: value } as Draft) as Draft)], rows)
    ).toEqual(["append", "conflict", `fact ${one.id} is already recorded at 1 with another body`])
  })

  it("is refused where the fact stands in another stream", () => {
    const one = draftOf("a")
    const { rows } = admitted([batch("a", "any", one)])
    expect(refused([batch("b", "any", { ...one, stream: "b" })], rows)).toEqual([
      "append",
      "conflict",
      `fact ${one.id} is already recorded at 1 with another body`
    ])
  })

  it("is refused for a fact of another stream, one without data, and one that is no JSON", () => {
    expect(refused([batch("a", "any", draftOf("b"))])).toEqual([
      "append",
      "invalid",
      "a fact of b cannot be appended to a"
    ])
    const bare = redactDraft({ ...draftOf("a"), data: undefined } as unknown as Draft)
    expect(refused([batch("a", "any", bare)])).toEqual(["append", "invalid", `fact ${bare.id} has no data`])
    const large = redactDraft({ ...draftOf("a"), data: { type: "EXITED", code: 1n } } as unknown as Draft)
    expect(refused([batch("a", "any", large)])).toEqual(["append", "invalid", `fact ${large.id} is no JSON`])
  })
})
