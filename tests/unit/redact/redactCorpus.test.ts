/** What the redactor finds of a labelled set of secrets, and what it leaves alone of a set of look-alikes. */
import { describe, expect, it } from "vitest"
import { redactJsonText, redactText } from "../../../src/redact/redact.ts"
import { harmlessLookAlikes } from "../../support/labelled/lookAlikes.ts"
import { plantedSecrets } from "../../support/labelled/secrets.ts"

const secrets = plantedSecrets()
const lookAlikes = harmlessLookAlikes()
/** So much of a text that nothing in it is near another. */
const filler = "Nothing of note was said here, line after line.\n".repeat(60)

const isKept = (text: string, secret: string): boolean => redactText(text).includes(secret)

describe("of secrets in the texts of a session", () => {
  it("the set is large and of many places", () => {
    expect(secrets.length).toBeGreaterThanOrEqual(150)
    expect(new Set(secrets.map(([place]) => place)).size).toBeGreaterThanOrEqual(12)
    for (const [, text, secret] of secrets)
      expect(text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1))).toBe(true)
  })

  it("at least 97 of 100 are not kept", () => {
    const kept = secrets.filter(([, text, secret]) => isKept(text, secret))
    expect(kept.map(([place, text]) => `${place}: ${text}`).slice(Math.floor(secrets.length * 0.03))).toEqual(
      []
    )
  })

  it("as many in the middle of a long text, and in its JSON", () => {
    const kept = secrets.filter(([, text, secret]) => {
      const long = `${filler}${text}\n${filler}`
      return isKept(long, secret) || redactJsonText(JSON.stringify({ long })).includes(secret)
    })
    expect(kept.map(([place, text]) => `${place}: ${text}`).slice(Math.floor(secrets.length * 0.03))).toEqual(
      []
    )
  })
})

describe("of texts that only look like secrets", () => {
  it("the set is large", () => {
    expect(lookAlikes.length).toBeGreaterThanOrEqual(150)
  })

  it("at most 2 of 100 are redacted", () => {
    const changed = lookAlikes.filter(
      (text) =>
        redactText(text) !== text || redactJsonText(JSON.stringify({ text })) !== JSON.stringify({ text })
    )
    expect(changed.map((text) => redactText(text)).slice(Math.floor(lookAlikes.length * 0.02))).toEqual([])
  })
})
