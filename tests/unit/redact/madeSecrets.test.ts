/** What nobody typed, where no name or known command stands beside it: lists of bytes, links that log in, pairs behind a user's flag. */
import { describe, expect, it } from "vitest"
import { redact, redactJsonText, redactText } from "../../../src/redact/redact.ts"

const bytes = Array.from({ length: 64 }, (_, at) => (at * 151 + 89) % 256)
/** Made at run time, so that no file holds one. */
const [random, letters, hex] = [
  ["Kq7Zx2mP", "v9LtRw4B"].join(""),
  ["AbqwCdRtEf", "ZuGhLkIjMn"].join(""),
  ["11e4c5a9b0d3f7e8", "a2c6b4d1f0e9a8b7c6"].join("")
]

const said = bytes.join(",")
const spaced = bytes.join(",\n  ")
const hexadecimal = bytes.map((byte) => `0x${byte.toString(16)}`).join(", ")

it.each([
  `"secretKey": [${said}]`,
  `{"a": 1, "private_key": [\n  ${spaced}\n]}`,
  `const secretKey = Uint8Array.from([${said}])`,
  `const secretKey: number[] = [${said}]`,
  `private_key = bytes([${said}])`,
  `privateKey := []byte{${hexadecimal}}`
])("takes the bytes out of %s", (text) => {
  for (const redacted of [redactText(text), redactJsonText(text), redactJsonText(JSON.stringify({ text }))])
    for (const list of [said, spaced, hexadecimal]) {
      expect(redacted).not.toContain(list.slice(0, 80))
      expect(redacted).not.toContain(list.slice(-80))
    }
})

describe.each([{ secretKey: bytes }, { private_keys: [bytes, bytes] }, { a: [{ api_key: bytes, b: [1] }] }])(
  "the bytes in %j",
  (value) => {
    it("are taken out of the value as out of its JSON", () => {
      const clean = redact({ value })
      expect(JSON.stringify(clean)).not.toContain("89,240")
      expect(JSON.parse(redactJsonText(JSON.stringify({ value }, null, 2)))).toEqual(clean)
    })
  }
)

it.each([
  `https://app.example.com/login?token=${letters}`,
  `https://app.example.com/magic-link/${random}`,
  `https://app.example.com/reset-password/${random}?lang=en`,
  `https://app.example.com/password/reset/${hex}`,
  `[Log in](https://app.example.com/auth/verify/${random})`,
  `https://a.example.com/__/auth/action?mode=signIn&oobCode=${random}`,
  `java -jar cli.jar -s http://ci.example.com -auth bob:${hex} build x`,
  `tool --user bob:${hex} sync`,
  `tool -u bob@example.com:${random} sync`
])("takes the secret out of %s", (text) => {
  for (const redacted of [redactText(text), redactJsonText(JSON.stringify({ stdout: `ok\n${text}\n` }))])
    for (const secret of [random, letters, hex]) expect(redacted).not.toContain(secret)
})

it.each([
  `"input_tokens": [${said}]`,
  `"token": [${said}]`,
  `"pixels": [${said}]`,
  '"api_keys": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]',
  '"password": [8, 128, 8, 8, 128, 8, 8, 128, 8, 8, 128, 8, 8, 128, 8, 8, 128]',
  "https://docs.example.com/guide/reset/how-to-reset-a-password-2",
  "https://example.com/login/callback-after-single-sign-on",
  "https://example.com/verify/550e8400-e29b-41d4-a716-446655440000",
  "https://example.com/search?key=someLongCamelCaseName",
  "docker run --user 1000:1000 alpine",
  "docker run -u node:node12 alpine",
  "git push -u origin:feature-branch-number-12",
  "java -jar cli.jar -auth @secrets.txt build x"
])("leaves %s as it is", (text) => {
  expect(redactText(text)).toBe(text)
  expect(redactJsonText(`{${text}}`)).toBe(`{${text}}`)
})
