/** What the redactor finds of secrets in declarations, statements, commands and tables, each alone in its payload. */
import { describe, expect, it } from "vitest"
import { redactJsonText, redactText } from "../../../src/redact/redact.ts"
import { freshLookAlikes } from "../../support/labelled/freshLookAlikes.ts"
import { freshSecrets } from "../../support/labelled/freshSecrets.ts"
import { heldOutSecrets } from "../../support/labelled/heldOutSecrets.ts"

const says = (text: string, secret: string): boolean =>
  text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1))

/** As it stands, in a payload of its own, and in the middle of what a tool printed. */
const writings: Readonly<Record<string, (text: string) => string>> = {
  "as text": redactText,
  "alone in a payload": (text) => redactJsonText(JSON.stringify({ tool_response: { stdout: text } })),
  "behind a line of a payload": (text) =>
    redactJsonText(JSON.stringify({ tool_response: { stdout: `done\n${text}\nok\n` } }))
}

describe.each([0, 1] as const)("half %i", (half) => {
  const secrets = freshSecrets(half)
  const lookAlikes = freshLookAlikes(half)

  it("is large, and says its secrets", () => {
    expect(secrets.length).toBeGreaterThanOrEqual(100)
    expect(lookAlikes.length).toBeGreaterThanOrEqual(100)
    for (const [, text, secret] of secrets) expect(secret !== "" && text.includes(secret)).toBe(true)
  })

  it.each(Object.entries(writings))("at least 97 of 100 secrets are not kept, %s", (_, redacted) => {
    const kept = secrets.filter(([, text, secret]) => says(redacted(text), secret))
    expect(kept.map(([, text]) => text).slice(Math.floor(secrets.length * 0.03))).toEqual([])
  })

  it("at most 2 of 100 look-alikes are changed", () => {
    const changed = lookAlikes.filter((text) => {
      const json = JSON.stringify({ text: `done\n${text}\n` })
      return redactText(text) !== text || redactJsonText(json) !== json
    })
    expect(changed.map((text) => redactText(text)).slice(Math.floor(lookAlikes.length * 0.02))).toEqual([])
  })
})

it("of all these sets no more than two secrets are kept, so that no kind is missed unseen", () => {
  const all = [...freshSecrets(0), ...freshSecrets(1), ...heldOutSecrets()]
  const kept = all.filter(([, text, secret]) => says(redactText(text), secret))
  expect(kept.map(([, text]) => text.replace(/\w{8,}/g, "…"))).toMatchInlineSnapshot(`
    [
      "{"tokens": {"default": "…"}}",
    ]
  `)
})
