/** Texts with a secret's name and a literal near it that is none of its values. */
import { expect, it } from "vitest"
import { redactJsonText, redactText } from "../../../src/redact/redact.ts"

it.each([
  'export const addToken = Effect.fn("collector.tokens.add")(function* () {',
  'const secrets = ["noisy:", "cannot make sense of"]',
  'const secret = ["hunter2", part].join("-")',
  'expect "Password:"; send "$password"',
  'dotnet user-secrets set "Smtp:Host" "smtp.example.com"',
  "bundle config set without development:test",
  "git config user.signingkey 3AA5C34371567BD2",
  "'password' => 'required|min:8'",
  'items.map(token => "t-1234567")',
  'opts.password || "no password"',
  '"password":{"type":"string","default":"changeit"}',
  "kubectl create secret generic a-token --from-literal=mode=production",
  "docker secret create my_secret -v foo:/bar",
  "gcloud secrets versions access latest --secret=foo-bar1",
  "sqlplus / as sysdba @scripts/setup.sql",
  "| Field | Password |\n| --- | --- |\n| Type | VARCHAR(255) |\n| Least | 8-chars |\n| Standard | NIST800-63 |",
  "user, password\nfoo, Bar12345",
  '{"errors":{"password":["can\'t be blank","too_short1"]}}'
])("leaves %j as it is", (text) => {
  expect(redactText(text)).toBe(text)
  expect(redactJsonText(text)).toBe(text)
})
