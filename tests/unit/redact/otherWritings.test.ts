/** Secrets as payloads of tools, password managers, lists of arguments, tables, dialogues and other languages write them, each kind for itself. */
import { describe, expect, it } from "vitest"
import { makeDraft } from "../../../events/makeDraft.ts"
import { redactDraft, redactJsonText, redactText } from "../../../src/redact/redact.ts"
import {
  otherLookAlikes,
  sentLookAlikes,
  sentSecrets,
  writtenSecrets
} from "../../support/labelled/otherWritings.ts"
import { nextId } from "../../support/log/drafts.ts"

const says = (text: string, secret: string): boolean =>
  text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1))

/** What is stored of a call that sends this, as the value of a fact and as its text. */
const storedOf = (input: unknown): readonly string[] => {
  const payload = {
    hook_event_name: "PostToolUse",
    tool_name: "t",
    tool_input: input,
    tool_response: { input }
  }
  const fact = { type: "PAYLOAD_BUFFERED", payload }
  const draft = makeDraft(fact, { id: nextId() as never, stream: "invocation/a", at: 0 })
  return [redactDraft(draft as never).text ?? "", redactJsonText(JSON.stringify(payload))]
}

const written = writtenSecrets()
const kinds = [...new Set(written.map(([kind]) => kind))]

/** Those that are known to stay: what a command printed that was asked for it, and a value behind an anchor on the next line. */
const staying: Readonly<Record<string, number>> = {
  "password managers": 3,
  "argument lists": 1,
  tables: 1,
  blocks: 1
}

describe.each(kinds)("%s", (kind) => {
  const ofKind = written.filter(([one]) => one === kind)

  it.each<[string, (text: string) => readonly string[]]>([
    ["as text", (text) => [redactText(text)]],
    ["in a payload", (text) => storedOf({ stdout: text })],
    ["behind a line of a payload", (text) => storedOf({ stdout: `done\n${text}\nok\n` })]
  ])("no more stay than are known to, %s", (_, redacted) => {
    const kept = ofKind.filter(([, text, secret]) => redacted(text).some((after) => says(after, secret)))
    expect(kept.map(([, text]) => text).slice(staying[kind] ?? 0)).toEqual([])
  })
})

/** The rows of a table beside the names of its columns. */
const stayingPayload = /^\{"columns"/

it.each(
  sentSecrets()
    .filter(([, text]) => !stayingPayload.test(text))
    .map(([, text, secret]) => [text, secret])
)("takes the secret out of the payload %s", (text, secret) => {
  for (const after of storedOf(JSON.parse(text))) expect(says(after, secret)).toBe(false)
})

it.each(otherLookAlikes())("leaves %j as it is", (text) => {
  expect(redactText(text)).toBe(text)
  const json = JSON.stringify({ text: `done\n${text}\n` })
  expect(redactJsonText(json)).toBe(json)
})

it.each(sentLookAlikes)("leaves the payload %j as it is", (input) => {
  for (const after of storedOf(input)) expect(after).not.toContain("‹redacted:")
})

it("keeps JSON what it was, but for its secrets", () => {
  for (const [, text] of sentSecrets()) {
    const before = JSON.parse(text)
    const after = JSON.parse(redactJsonText(text))
    expect(Object.keys(after)).toHaveLength(Object.keys(before).length)
  }
})
