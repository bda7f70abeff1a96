/** Sealed values, references, public keys, digests, names, code and sentences stay as they are, wherever they stand. */
import { describe, expect, it } from "vitest"
import { redact, redactJsonText, redactText } from "../../../src/redact/redact.ts"
import { publicThings } from "../../support/labelled/publicThings.ts"

const texts = publicThings()

/** As it stands, and as the output of a tool within a fact and within its JSON. */
const writings: Readonly<Record<string, (text: string) => readonly [string, string]>> = {
  "as text": (text) => [redactText(text), text],
  "in a fact": (text) => {
    const fact = { type: "PAYLOAD_BUFFERED", payload: { tool_response: { stdout: `done\n${text}\nok` } } }
    return [JSON.stringify(redact(fact)), JSON.stringify(fact)]
  },
  "in JSON": (text) => {
    const json = JSON.stringify({ content: text })
    return [redactJsonText(json), json]
  }
}

describe("what only looks like a secret", () => {
  it("is many things", () => {
    expect(texts.length).toBeGreaterThan(250)
  })

  it.each(Object.entries(writings))("is not changed, %s", (_, write) => {
    const changed = texts.filter((text) => {
      const [after, before] = write(text)
      return after !== before
    })
    expect(changed).toEqual([])
  })
})
