/** What becomes of whatever comes in: one object, or a reason. */
import { describe, expect, it } from "vitest"
import { parsePayload, payloadLimit } from "../../../src/runtime/payload.ts"
import type { ReceivedPayload } from "../../../src/runtime/stdin.ts"

const parse = (input: string | Buffer, kind: "buffered" | "timed-out" = "buffered") =>
  parsePayload({ kind, bytes: Buffer.from(input as string) })

const rejection = (rejected: string, detail: RegExp, excerpt?: string) => ({
  rejected,
  detail: expect.stringMatching(detail) as string,
  ...(excerpt === undefined ? {} : { excerpt })
})

describe("a payload", () => {
  it("is taken with its exact text", () => {
    const text = ' {"a" : "\\u00e9", "a":2}\n'
    expect(parse(text)).toEqual({ text, payload: { a: 2 } })
  })

  it("may begin with a byte order mark, which is not part of its text", () => {
    expect(parse('\uFEFF{"a":1}')).toEqual({ text: '{"a":1}', payload: { a: 1 } })
  })

  it("may hold lone surrogates and NUL as escapes", () => {
    expect(parse('{"a":"\\ud800","b":"\\u0000"}')).toMatchObject({ payload: { a: "\ud800", b: "\0" } })
  })

  it("may be ten thousand levels deep", () => {
    const text = `{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`
    expect(parse(text)).toMatchObject({ text })
  })

  it("may hold __proto__, which becomes a key and no prototype", () => {
    const parsed = parse('{"__proto__":{"polluted":true}}')
    if ("rejected" in parsed) throw new Error(parsed.detail)
    expect(Object.keys(parsed.payload)).toEqual(["__proto__"])
    expect(Object.getPrototypeOf(parsed.payload)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined()
  })

  it.each([
    ["nothing", "", rejection("empty", /^standard input was empty$/)],
    ["white space", " \n\t", rejection("empty", /white space/, " \n\t")],
    ["a byte order mark alone", "\uFEFF", rejection("empty", /white space/, "\uFEFF")],
    ["half an object", '{"a":', rejection("malformed", /JSON/, '{"a":')],
    ["two values", '{"a":1}{"b":2}', rejection("malformed", /JSON/, '{"a":1}{"b":2}')],
    ["text", "hello", rejection("malformed", /JSON/, "hello")],
    ["a NUL", '{"a":1}\0', rejection("malformed", /JSON/, '{"a":1}\\x00')],
    ["a NUL in a string", '{"a":"\0"}', rejection("malformed", /JSON/, '{"a":"\\x00"}')],
    ["a number", "42", rejection("not-a-hook-payload", /not number$/, "42")],
    ["a string", '"x"', rejection("not-a-hook-payload", /not string$/, '"x"')],
    ["null", "null", rejection("not-a-hook-payload", /not null$/, "null")],
    ["a list", "[{}]", rejection("not-a-hook-payload", /not a list$/, "[{}]")]
  ])("is turned down when it is %s", (_, input, expected) => {
    expect(parse(input)).toEqual({ ...expected })
  })

  it("is turned down when it is binary, and its bytes are written out", () => {
    expect(parse(Buffer.from([0xff, 0xfe, 0x00, 0x41, 0x0a]))).toEqual(
      rejection("malformed", /not UTF-8/, "\\xff\\xfe\\x00A\n")
    )
  })

  it("is turned down when it holds a surrogate as bytes", () => {
    expect(parse(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toMatchObject({ rejected: "malformed" })
  })

  it("that is binary still shows its secrets to the redactor", () => {
    const parsed = parse(Buffer.concat([Buffer.from([0xff]), Buffer.from("token=ghp_secret")]))
    expect(parsed).toMatchObject({ excerpt: "\\xfftoken=ghp_secret" })
  })

  it("that is long is excerpted, even where the cut falls within a character", () => {
    const parsed = parse(`x${"é".repeat(5000)}`)
    expect("excerpt" in parsed && parsed.excerpt?.length).toBeLessThan(10_000)
    expect("excerpt" in parsed && parsed.excerpt).toMatch(/^x/)
  })

  it("keeps what came when it was not complete at the deadline", () => {
    expect(parse('{"a":', "timed-out")).toEqual(rejection("timed-out", /held 5 bytes/, '{"a":'))
    expect(parse("", "timed-out")).toEqual(rejection("timed-out", /held 0 bytes/))
  })

  it("says how large it was when it was too large", () => {
    const received: ReceivedPayload = { kind: "too-large", bytes: Buffer.from("{"), total: 11_000_000 }
    expect(parsePayload(received)).toEqual(
      rejection("too-large", new RegExp(`11000000.*${payloadLimit}`), "{")
    )
  })

  it("says why it could not be read", () => {
    const broken = (bytes: string): ReceivedPayload => ({
      kind: "unreadable",
      bytes: Buffer.from(bytes),
      detail: "EISDIR"
    })
    expect(parsePayload(broken(""))).toEqual(rejection("empty", /could not be read: EISDIR/))
    expect(parsePayload(broken("{"))).toEqual(rejection("malformed", /could not be read: EISDIR/, "{"))
  })
})
