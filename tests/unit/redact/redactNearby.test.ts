/** Texts that stand where a secret would in a sentence, a label or a literal, and are none. */
import { expect, it } from "vitest"
import { redactText } from "../../../src/redact/redact.ts"

it.each([
  "Use JWT_TOKEN2 as the token for the tests.",
  "Use sha256 as the password hash.",
  "Use argon2id as the password hash algorithm.",
  "Use base64url as the token format.",
  "Log in with GitHub and BitBucket.",
  "Log in as admin and open page-2 of the report.",
  "You can log in as root / admin on the test box.",
  "login: broken since v2.3.1 / v3",
  "credentials are read from env and ~/.aws2/config",
  "The credentials are stored in vault and AWS_PROFILE2",
  "sign in with SSO and OAuth2.",
  "Changed the token to v2 in the docs",
  "change the password to something else",
  "renamed password to passwordHash2",
  "Set the secret to process.env.SECRET2",
  "updated token to src/auth/token2.ts",
  "Update the API key to API_KEY_V2 in the code",
  "setup key: press F12 to continue",
  "pw: 1280",
  "const pw = await chromium.launch()",
  "echo deb-src | sudo tee /etc/apt/sources.list",
  "sudo -S is how it reads from standard input",
  '<string name="password">Password</string>',
  '<string name="error_invalid_password">Too short (min. eight characters)</string>',
  '<li key="token">12 tokens</li>',
  "password: |\n    description",
  "token: >\n  the token of the user",
  'token = b"abc"',
  'api_key: "{{ .Values.apiKey1 | default \\"\\" | b64enc }}"',
  '"sort_key": "A1#B2#C3#D4#E5#F6#G7#H8#I9#J0#K1#L2"',
  "the token 'identifier' is unexpected",
  'unexpected token "}" in JSON at position 12',
  'the token "access_token_v2" is read from the file',
  'the token "src/parser2.ts" names a file',
  "az login -p --tenant t",
  '{"attributes": {"id": "none", "length": 24, "result": "passed as expected"}}',
  "12345678:Abc is here",
  "1234567890:AAAAAAAA"
])("leaves %j as it is", (text) => {
  expect(redactText(text)).toBe(text)
})

/** Made at run time, so that no file holds one. */
const random = ["k3Jd9xQw", "LmZr7Tt0", "bVnY2sHc"].join("")

it.each([
  `az login --service-principal -u app -p -8Q~${random} --tenant t`,
  `az login --service-principal -u app -p ${random}`,
  `I used the token "${random}" for it`,
  `Use the token \`${random}\` there.`
])("takes the secret out of %j", (text) => {
  expect(redactText(text)).not.toContain(random)
})
