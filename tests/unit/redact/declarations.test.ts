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
  '{"errors":{"password":["can\'t be blank","too_short1"]}}',
  '{"errors":{"password":["must be at least 12 characters","unlike Password1"]}}',
  "'password' => 'hashed'",
  "'password' => 'confirmed'",
  "'password' => 'encrypted'",
  "'password' => 'required|string|regex:/^(a|B2c)+$/'",
  "'token' => 'sometimes|nullable|exists:users,token2'",
  "<td>Password</td><td>varchar(255)</td>",
  "password: varchar(255)",
  "<td>Token</td><td>OAuth2.0</td>",
  "**API key:** X-API-Key-2",
  '{"token": {"type": "IDENT", "value": "parseInt32"}}',
  'const errorToken: string = "ERR_TOKEN_2"',
  "opts.token || 'anonymous'",
  'token <- "Iris-setosa-1"',
  'apiKeys: ["read-only-1"]',
  "bundle config mirror.https://rubygems.org http://localhost:8808",
  "echo production1 | vercel env add NODE_ENV",
  "az vm list -p x",
  "use ssh/id_ed25519 to log in",
  "kubectl create secret generic a --from-literal=port=5432 --from-literal=host=db1.example2.com",
  "docker buildx build --secret id=foo1,src=./a.txt .",
  "docker build --secret=type=file,id=foo1,src=./a1.txt ."
])("leaves %j as it is", (text) => {
  expect(redactText(text)).toBe(text)
  expect(redactJsonText(text)).toBe(text)
})

/** Made at run time, so that no file holds one. */
const [plain, random] = [["hunter2", "Xyz9"].join(""), ["q7Xk2m", "fj29sdJ4"].join("")]

it.each([
  ["'password' => '@'", "ab|Cd3fgh!x"],
  ['"password" => "@"', `${plain}|x`],
  ["'password' => '@'", "required|Cd3fgh!x"],
  ["name, password\nbob, @", plain],
  ['{"passwords":["@"]}', `correct horse ${plain}`],
  ['{"token": {"value": "@"}}', `${random}${random}`],
  ["<td>Password</td><td>@</td>", plain],
  ["az vm user update -u bob -p @", plain],
  ["az sql server create -n a -p @", plain],
  ["az sql db import -s a -n b -u c -p @", plain],
  ["bundle config mirror.https://gems.example.com bob:@", plain],
  ["echo @ | vercel env add STRIPE production", random],
  ["echo @ | vercel env add API_TOKEN", plain],
  ["kubectl create secret generic a --from-literal=api=@", random],
  ["use bob / @ to log in", plain]
])("takes the secret out of %j", (form, secret) => {
  const text = form.replace("@", secret)
  expect(redactText(text)).not.toContain(secret)
  expect(redactJsonText(JSON.stringify({ text }))).not.toContain(secret)
})
