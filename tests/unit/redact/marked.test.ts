/** A mark says what stood in its own place, and nothing of what stands beside it. */
import { expect, it } from "vitest"
import { redactJsonText } from "../../../src/redact/redact.ts"

const made = ["Hunter", "9Xq!vLm2"].join("")

it.each([
  ["in front of a secret", `‹redacted:password›${made}`],
  ["apart from it", `‹redacted:x› ${made}`],
  ["behind it", `${made}‹redacted:x›`]
])("%s: what is beside the mark goes", (_, value) => {
  const redacted = redactJsonText(JSON.stringify({ password: value }))
  expect(redacted).not.toContain(made)
  expect(redactJsonText(redacted)).toBe(redacted)
})

it.each(["‹redacted:password›", "Bearer ‹redacted:authorization›"])("%s stays as it is", (value) => {
  const text = JSON.stringify({ password: "‹redacted:password›", authorization: value })
  expect(redactJsonText(text)).toBe(text)
})
