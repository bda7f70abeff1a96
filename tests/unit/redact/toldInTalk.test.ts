/** Codes, answers and names of many languages, as talk tells them, beside what looks alike. */
import { describe, expect, it } from "vitest"
import { redactJsonText, redactText } from "../../../src/redact/redact.ts"
import { toldInTalk, toldInTalkLookAlikes } from "../../support/labelled/toldInTalk.ts"

const says = (text: string, secret: string): boolean =>
  text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1))

const stdout = (text: string): string => JSON.stringify({ tool_response: { stdout: text } })

const kinds = [...new Set(toldInTalk.map(([kind]) => kind))]

describe.each(kinds)("%s", (kind) => {
  const ofKind = toldInTalk.filter(([one]) => one === kind)

  it("are said in their samples", () => {
    expect(ofKind.length).toBeGreaterThan(7)
    expect(ofKind.filter(([, text, secret]) => !text.includes(secret))).toEqual([])
  })

  it.each<[string, (text: string) => string]>([
    ["as text", redactText],
    ["in a payload", (text) => redactJsonText(stdout(text))],
    ["behind a line of a payload", (text) => redactJsonText(stdout(`done\n${text}\nok\n`))]
  ])("are all taken out, %s", (_, redacted) => {
    const kept = ofKind.filter(([, text, secret]) => says(redacted(text), secret))
    expect(kept.map(([, text]) => text)).toEqual([])
  })
})

it("leaves what looks alike", () => {
  const changed = toldInTalkLookAlikes.filter(
    (text) => redactText(text) !== text || redactJsonText(stdout(text)) !== stdout(text)
  )
  expect(changed.map((text) => redactText(text))).toEqual([])
})
