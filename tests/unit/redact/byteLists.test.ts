/** Which lists of bytes are keys: those under a name that announces one, as long as a key and as random. */
import { describe, expect, it } from "vitest"
import { areRandomBytes, byteList, byteSecret } from "../../../src/redact/byteLists.ts"
import { redactText } from "../../../src/redact/redact.ts"

const random = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => (at * 151 + 89) % 256)
const key = random(32)

describe("a list of bytes", () => {
  it("is a secret of the kind that its name says", () => {
    expect(byteSecret("secretKey", key)).toBe("secret")
    expect(byteSecret("private_key", key)).toBe("api-key")
    expect(byteSecret("password", key)).toBe("password")
  })

  it("is none under another name, or where it is no list of numbers", () => {
    for (const name of [undefined, "token", "cookie", "tokens", "shape"])
      expect(byteSecret(name, key)).toBeUndefined()
    expect(byteSecret("secretKey", key.map(String))).toBeUndefined()
    expect(byteSecret("secretKey", [])).toBeUndefined()
  })

  it("has sixteen of them at least", () => {
    expect(byteSecret("secretKey", random(16))).toBe("secret")
    expect(byteSecret("secretKey", random(15))).toBeUndefined()
    const pattern = new RegExp(`^${byteList}$`)
    expect(pattern.test(random(16).join(", "))).toBe(true)
    expect(pattern.test(random(15).join(", "))).toBe(false)
    expect(pattern.test(key.map((one) => `0x${one.toString(16)}`).join(",\n    "))).toBe(true)
    expect(pattern.test(key.join(" "))).toBe(false)
  })

  it.each([
    ["counts", Array.from({ length: 32 }, (_, at) => at + 120)],
    ["has few that differ", Array.from({ length: 32 }, (_, at) => (at % 2 === 0 ? 200 : 3))],
    ["has half of them twice", [...random(16), ...random(16)]],
    ["is of small numbers alone", key.map((one) => one % 128)],
    ["has what is no byte", [...key.slice(1), 256]],
    ["has what is negative", [...key.slice(1), -1]],
    ["has a fraction", [...key.slice(1), 1.5]]
  ])("that %s is not random", (_, list) => {
    expect(byteSecret("secretKey", list)).toBeUndefined()
    expect(areRandomBytes(list.join(","))).toBe(false)
  })

  it("is read in decimal and hexadecimal writing", () => {
    expect(areRandomBytes(key.join(", "))).toBe(true)
    expect(areRandomBytes(key.map((one) => ` 0x${one.toString(16)}`).join(","))).toBe(true)
    expect(areRandomBytes([...key.slice(1), 255, 0].join(","))).toBe(true)
  })
})

describe("bytes in a source", () => {
  const hex = key.map((one) => `0x${one.toString(16).padStart(2, "0")}`)
  const lines = `${hex.slice(0, 16).join(", ")},\n  ${hex.slice(16).join(", ")}`

  it.each([
    `const uint8_t key[] = {${hex.join(", ")}};`,
    `static const unsigned char secret_key[32] = { ${hex.join(", ")} };`,
    `uint8_t aes_key[KEY_SIZE] = {\n  ${lines}\n};`,
    `constexpr uint8_t kSecretKey[] = {${hex.join(", ")}};`,
    `char encryption_key[]={${hex.join(",")}};`,
    `const KEY: [u8; 32] = [${hex.join(", ")}];`,
    `static SECRET_KEY: &[u8] = &[${hex.join(", ")}];`,
    `let private_key: [u8; 32] = [${key.join(", ")}];`,
    `let secret = vec![${key.join(", ")}];`,
    `let key = [\n  ${lines}\n];`
  ])("are a secret under a name that announces one: %s", (text) => {
    const found = redactText(text)
    expect(found).toMatch(/= ?&?(?:vec!)?[[{]\s*‹redacted:(?:api-key|secret)›/)
    expect(found).not.toContain(hex[20])
  })

  it.each([
    ["public_key[]"],
    ["sbox[256]"],
    ["key_map[]"],
    ["keycodes[]"],
    ["KEYS[32]"],
    ["token[]"],
    ["font[]"],
    ["sort_key[32]"],
    ["expected_hash[]"],
    ["monkey[]"]
  ])("are none as %s", (name) => {
    for (const text of [
      `const uint8_t ${name} = {${hex.join(", ")}};`,
      `let ${name.replace(/\[.*/, "")}: [u8; 32] = [${hex.join(", ")}];`
    ])
      expect(redactText(text)).toBe(text)
  })

  it("are none where they count, or are few", () => {
    for (const list of [
      "1, 2, 3",
      Array.from({ length: 32 }, (_, at) => at).join(", "),
      hex.slice(0, 8).join(", ")
    ])
      expect(redactText(`const uint8_t key[] = {${list}};`)).toContain(list)
  })
})
