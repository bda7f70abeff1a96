/** What an object is for one of its members, wherever that stands in it and whatever stands in the texts beside it. */
import { describe, expect, it } from "vitest"
import { redact, redactJsonText, redactText } from "../../../src/redact/redact.ts"

/** Made at run time, so that no file holds one. */
const key = ["abcdefghij", "0123456789", "ABCD"].join("")
const digest = ["0123456789abcdef", "0123456789abcdef"].join("")

const objects: readonly string[] = [
  `{"kid":"a{b","kty":"oct","k":"${key}"}`,
  `{"kid":"a}b","k":"${key}","kty":"oct"}`,
  `{"kid":"a\\"}b","k":"${key}","kty":"oct"}`,
  `{"x":{"a":1},"kty":"oct","k":"${key}"}`,
  `{"k":"${key}","x":{"a":1},"kty":"oct"}`,
  `{"k":"${key}","x":["}",{}],"kty":"oct"}`,
  `{"keys":[{"kty":"RSA","n":"abc"},{"k":"${key}","kid":"it's }","kty":"oct"}]}`,
  `{"username":"bob","x":{"a":1},"key":"${digest}"}`,
  `{"key":"${digest}","x":"{","username":"bob"}`
]

const says = (text: string): boolean => text.includes(key) || text.includes(digest)

describe.each(objects)("the secret of %s", (json) => {
  it("is taken out of JSON", () => {
    expect(says(redactJsonText(json))).toBe(false)
    expect(says(redactJsonText(JSON.stringify({ list: [1, JSON.parse(json)] }, null, 2)))).toBe(false)
  })

  it("is taken out of a value", () => {
    expect(says(JSON.stringify(redact({ data: JSON.parse(json) })))).toBe(false)
  })

  it.runIf(json.includes("kty"))("is taken out of a text around it", () => {
    expect(says(redactText(`the key is:\n${json}\nand {no more}`))).toBe(false)
    expect(says(redactText(`{"line": ${JSON.stringify(json)}} {"line": 2}`))).toBe(false)
  })
})

it.each([
  `{"kty":"RSA","x":1},{"k":"${key}"}`,
  `{"kty":1,"k":"${key}"}`,
  `{"a":"\\"kty\\":\\"oct\\"","k":"${key}"}`,
  `{"x":{"username":"bob"},"key":"${digest}"}`
])("leaves what is another object's: %s", (members) => {
  const json = `{"list":[${members}]}`
  expect(redactJsonText(json)).toBe(json)
})
