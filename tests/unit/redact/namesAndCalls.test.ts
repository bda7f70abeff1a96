/** Secrets that a name, a call or a sentence announces are not kept, wherever the text stands that holds them. */
import { describe, expect, it } from "vitest"
import { redact, redactJsonText, redactText } from "../../../src/redact/redact.ts"
import { namedSecrets } from "../../support/labelled/namesAndCalls.ts"

const samples = namedSecrets()

const says = (text: string, secret: string): boolean => {
  const once = JSON.stringify(secret).slice(1, -1)
  return [secret, once, JSON.stringify(once).slice(1, -1)].some((one) => text.includes(one))
}

/** As it stands, as the output of a tool within a fact, and as JSON within JSON. */
const writings: Readonly<Record<string, (text: string) => string>> = {
  "as text": redactText,
  "in a fact": (text) =>
    JSON.stringify(
      redact({ type: "PAYLOAD_BUFFERED", payload: { tool_response: { stdout: `done\n${text}\nok` } } })
    ),
  "in JSON within JSON": (text) => redactJsonText(JSON.stringify({ text: JSON.stringify({ content: text }) }))
}

/** Those that are known to stay. */
const staying: Readonly<Record<string, number>> = { names: 3, calls: 0, prose: 0 }

describe.each(Object.entries(staying))("%s", (kind, most) => {
  const ofKind = samples.filter((sample) => sample.kind === kind)

  it("are many, and say their secrets", () => {
    expect(ofKind.length).toBeGreaterThan(70)
    for (const { text, secret } of ofKind) expect(secret !== "" && text.includes(secret)).toBe(true)
  })

  it.each(Object.entries(writings))("are not kept, %s", (_, write) => {
    const kept = ofKind.filter(({ text, secret }) => says(write(text), secret))
    expect(kept.map(({ text }) => text).slice(most)).toEqual([])
  })
})
