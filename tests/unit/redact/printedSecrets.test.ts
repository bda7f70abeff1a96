/** What the redactor finds in sessions of shells, announcements, codes and arguments, and in what tools' commands printed. */
import { describe, expect, it } from "@effect/vitest"
import { redactJsonText, redactText } from "../../../src/redact/redact.ts"
import { printedLookAlikes, printedSecrets } from "../../support/labelled/printedSecrets.ts"

const says = (text: string, secret: string): boolean =>
  text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1))

describe("what programs print and are told", () => {
  it.each(printedSecrets())("%s: %j", (_, text, secret) => {
    expect(secret !== "" && text.includes(secret)).toBe(true)
    expect(says(redactText(text), secret)).toBe(false)
    expect(says(redactJsonText(JSON.stringify({ tool_response: { stdout: text } })), secret)).toBe(false)
  })

  it.each(printedLookAlikes())("stays: %j", (text) => {
    expect(redactText(text)).toBe(text)
    const json = JSON.stringify({ content: text })
    expect(redactJsonText(json)).toBe(json)
  })
})
