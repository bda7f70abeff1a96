/** A text is taken out of data in every writing in which it may stand there. */
import { describe, expect, it } from "vitest"
import { forgotten, plainPart, withoutText, writingsOf } from "../../../src/redact/withoutText.ts"

const text = 'my "secret" a/b'
const without = (value: unknown, what = text): unknown => withoutText(value, writingsOf(what))

describe("a text", () => {
  it("has a writing for each depth of JSON, for URLs and for forms, the longest first, each once", () => {
    const writings = writingsOf(text)
    let escaped = text
    for (let depth = 0; depth <= 3; depth++) {
      expect(writings).toContain(escaped)
      escaped = JSON.stringify(escaped).slice(1, -1)
    }
    expect(writings).not.toContain(escaped)
    expect(writings).toContain("my%20%22secret%22%20a%2Fb")
    expect(writings).toContain("my+%22secret%22+a%2Fb")
    expect(writings.map(({ length }) => length)).toEqual(
      writings.map(({ length }) => length).sort((a, b) => b - a)
    )
    expect(writings[0]).toBe('my \\\\\\\\\\\\\\"secret\\\\\\\\\\\\\\" a/b')
    expect(writingsOf("plain")).toEqual(["plain"])
    expect(writingsOf("\ud800")).toContain("\ud800")
  })

  it("is taken out of values and names, wherever they are, and nothing else is", () => {
    const value = {
      [`name ${text}`]: [`${text}, ${text}`, { deep: JSON.stringify({ inner: text }) }],
      url: `https://x/?q=${encodeURIComponent(text)}`,
      other: ["my secret", 7, null, true]
    }
    expect(without(value)).toEqual({
      [`name ${forgotten}`]: [`${forgotten}, ${forgotten}`, { deep: `{"inner":"${forgotten}"}` }],
      url: `https://x/?q=${forgotten}`,
      other: ["my secret", 7, null, true]
    })
    const proto = without(JSON.parse('{"__proto__":"x"}'), "x")
    expect(JSON.stringify(proto)).toBe(`{"__proto__":"${forgotten}"}`)
  })

  it("is looked for by the longest part that is written alike everywhere", () => {
    expect(plainPart('a "longest_part.1~-" bc')).toBe("longest_part.1~-")
    expect(plainPart("ab cd")).toBe("ab")
    expect(plainPart('" "')).toBe("")
  })
})
