/** What is shortened for the log: wherever the cut falls, no half of a secret is left. */
import { describe, expect, it } from "vitest"
import { cut, cutWindow } from "../../../src/redact/cut.ts"
import { redactText } from "../../../src/redact/redact.ts"
import { clip } from "../../../src/runtime/clip.ts"
import { parsePayload } from "../../../src/runtime/payload.ts"
import { secretTexts } from "../../support/log/secretCases.ts"

const filler = (length: number) => "lorem ".repeat(Math.ceil(length / 6)).slice(0, length)

/** All that shortens for the log. They take turns at the places where a cut may fall. */
const ways: readonly ((text: string) => string)[] = [
  (text) => cut(text, 2048),
  (text) => clip(text) as string,
  (text) => (parsePayload({ kind: "buffered", bytes: Buffer.from(text) }) as { excerpt: string }).excerpt
]

describe("a cut", () => {
  it.each(secretTexts)("leaves no half of the secret in %j", (text, secret) => {
    const found = text.indexOf(secret)
    for (let into = 1; into < Math.min(secret.length, 60); into += 2) {
      const at = found + into
      const given = `${filler(2047 - at)}\n${text}\n${filler(9000)}`
      const half = text.slice(0, at).slice(-Math.min(into, 4))
      const shorten = ways[into % ways.length] as (typeof ways)[number]
      const kept = redactText(shorten(given))
      expect(kept.length).toBeLessThan(2048 + 20)
      if (into >= 4) expect(kept.slice(-40)).not.toContain(half)
    }
  })

  it("leaves short texts as they are, and harmless ones to the last character", () => {
    expect(cut("password=hunter2", 100)).toBe("password=hunter2")
    const long = filler(20_000)
    expect(cut(long, 2048)).toBe(long.slice(0, 2048))
    expect(cut("A".repeat(9000), 2048)).toBe("A".repeat(2048))
  })

  it("tears neither a mark nor a character", () => {
    const given = `${filler(2040)} password=hunter2 ${filler(50)}`
    for (let longest = 2041; longest < 2090; longest++) {
      expect(cut(given, longest)).toMatch(/(?:^|[^‹])[^‹]*$|‹redacted:password›[^‹]*$/)
      expect(redactText(cut(given, longest))).not.toMatch(/hunter|‹(?!redacted:password›)/)
    }
    expect(cut("😀".repeat(10), 5)).toBe("😀😀")
  })

  it("does not bring the end of what it looked at into reach", () => {
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}`
    const marked = `password=${"x7".repeat(500)}\n`.repeat(20)
    for (let n = 0; n < 40; n++) {
      const given = `${marked.slice(0, 2048 + cutWindow - 40)}\n${filler(n)}\n${token}${filler(9000)}`
      expect(redactText(cut(given, 2048))).not.toMatch(/ghp_|a1B2/)
    }
  })
})
