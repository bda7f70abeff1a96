/** Texts with a secret's name and a literal near it that is none of its values. */
import { expect, it } from "vitest"
import { redactText } from "../../../src/redact/redact.ts"

it.each([
  'export const addToken = Effect.fn("collector.tokens.add")(function* () {',
  'const secrets = ["noisy:", "cannot make sense of"]',
  'const secret = ["hunter2", part].join("-")',
  'expect "Password:"; send "$password"',
  'dotnet user-secrets set "Smtp:Host" "smtp.example.com"',
  "bundle config set without development:test",
  "git config user.signingkey 3AA5C34371567BD2"
])("leaves %j as it is", (text) => {
  expect(redactText(text)).toBe(text)
})
