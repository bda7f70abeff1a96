/** Texts that stand where a secret would in a sentence, a label or a literal, and are none. */
import { expect, it } from "vitest"
import { redact, redactJsonText, redactText } from "../../../src/redact/redact.ts"

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
  '{"type": "null_resource", "values": {"id": "1", "result": "passed as expected"}}',
  '{"type": "random_pet", "values": {"id": "big-dog-1", "result": "passed as expected"}}',
  "cache-key-d41d8cd98f00b204e9800998ecf8427e",
  "libnapi_aarch64linuxgnu1",
  "a-test_a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5",
  "12345678:Abc is here",
  "cd x;PWD=/home/me/project2;echo $PWD",
  "OLDPWD=/home/me/project1\nPWD=/home/me/project2",
  "1234567890:AAAAAAAA"
])("leaves %j as it is", (text) => {
  expect(redactText(text)).toBe(text)
})

/** Made at run time, so that no file holds one. */
const random = ["k3Jd9xQw", "LmZr7Tt0", "bVnY2sHc"].join("")

it.each([
  `Driver={ODBC Driver 18 for SQL Server};Server=db2;UID=sa;PWD=${random};`,
  `Server=db;UID=sa; PWD=${random}`,
  `PWD=${random};UID=sa;Server=db`,
  `Driver={x};UID=sa;PWD={${random};2};`,
  `Server=db;UID=sa;PWD=/${random};`,
  `az login --service-principal -u app -p -8Q~${random} --tenant t`,
  `az login --service-principal -u app -p ${random}`,
  `{"type": "random_password", "name": "db", "instances": [{"attributes": {"length": 24, "result": "${random}"}}]}`,
  `{"bcrypt_hash": "$2a$10$x", "length": 24, "override_special": null, "result": "${random}"}`,
  `resource "random_password" "db" {\n    length = 24\n    result = "${random}"\n}`,
  `tokenghp_${random}${random}`,
  `app-ghp_${random}${random}`,
  `1ghp_${random}${random}END`,
  `idsk-ant-api03-${random}`,
  `keyglpat-${random}`,
  `I used the token "${random}" for it`,
  `Use the token \`${random}\` there.`
])("takes the secret out of %j", (text) => {
  expect(redactText(text)).not.toContain(random)
})

it("takes a generated secret out of a state file, wherever that stands", () => {
  const resource = {
    type: "random_password",
    instances: [{ attributes: { length: 24, result: random } }]
  }
  const state = { version: 4, resources: [resource, { type: "random_pet", result: "the second pet" }] }
  const data = { payload: { tool_response: { stdout: JSON.stringify(state, null, 2), content: state } } }
  const kept = JSON.stringify(redact(data))
  expect(kept).not.toContain(random)
  expect(kept.split("the second pet")).toHaveLength(3)
  expect(redactJsonText(JSON.stringify(state))).not.toContain(random)
})
