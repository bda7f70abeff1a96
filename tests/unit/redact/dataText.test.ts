/** What is stored is what JSON.stringify says, whoever made the text and whatever was added since. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { noMarks } from "../../../events/Recorded.ts"
import { dataText, dataWith, keptDataText, takeDataText } from "../../../src/redact/dataText.ts"
import { redact } from "../../../src/redact/redact.ts"

afterEach(() => {
  vi.restoreAllMocks()
})

describe("the text of data with one member more", () => {
  it.each([{}, { a: 1 }, { type: "PAYLOAD_BUFFERED", payload: '{"x":"}"}' }])("is the JSON of %j", (data) => {
    for (const ask of [dataText, takeDataText, () => undefined]) {
      const before = { ...data }
      ask(before)
      const more = dataWith(before, "digest", 'a "b"')
      expect(more).toEqual({ ...data, digest: 'a "b"' })
      const expected = JSON.stringify(more)
      expect(keptDataText(more)).toBe(expected)
      expect(takeDataText(more)).toBe(expected)
      expect(takeDataText(before)).toBe(JSON.stringify(data))
    }
  })

  it("is not made anew where it is kept", () => {
    const data = { payload: "long" }
    dataText(data)
    const whole = vi.spyOn(JSON, "stringify")
    expect(takeDataText(dataWith(data, "digest", "d"))).toBe('{"payload":"long","digest":"d"}')
    expect(whole.mock.calls.map(([value]) => value as unknown)).toEqual(["digest", "d"])
  })

  it("is looked through for secrets as it is, not made anew", () => {
    const data = { type: "PROMPT_OBSERVED", text: "long" }
    const draft = { ...noMarks, stream: "transcript/codex/s", type: data.type, data }
    keptDataText(data)
    const whole = vi.spyOn(JSON, "stringify")
    expect(redact(draft)).toBe(draft)
    expect(takeDataText(data)).toBe('{"type":"PROMPT_OBSERVED","text":"long"}')
    expect(whole.mock.calls.map(([value]) => value as unknown)).toEqual([])
  })
})
