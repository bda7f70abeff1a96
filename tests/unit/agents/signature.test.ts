/** The same error is met again under the same name, whatever differs from run to run. */
import { describe, expect, it } from "vitest"
import { signatureOf, tellingLine } from "../../../src/agents/signature.ts"

describe("the line that says what went wrong", () => {
  it.each([
    ["", ""],
    [" \n\t\n", ""],
    ["only this", "only this"],
    ["first\nsecond", "first"],
    ["Exit code 1\nwarning\n  TypeError: it failed  \nerror again", "TypeError: it failed"],
    ["exit code: 12\nwhat it printed", "what it printed"],
    ["my exit code 1\nlater", "my exit code 1"],
    ["exit code 1 of many\nlater", "exit code 1 of many"],
    ["Traceback (most recent call last):\n  File a\nKeyError: undefined", "KeyError: undefined"],
    ["see the traceback\nerror", "see the traceback"],
    ["fine\nno such file", "no such file"],
    ["fine\npermission denied", "permission denied"],
    ["fine\nterrors and errorless", "fine"]
  ])("of %j is %j", (text, line) => expect(tellingLine(text)).toBe(line))

  it("is looked for at both ends of a long text, and nowhere else", () => {
    const quiet = "nothing to see\n".repeat(1093)
    expect(quiet.length).toBeGreaterThan(16_384)
    expect(tellingLine(`${quiet}${quiet}fatal: it broke`)).toBe("fatal: it broke")
    expect(tellingLine(`fatal: it broke\n${quiet}${quiet}`)).toBe("fatal: it broke")
    expect(tellingLine(`${quiet}fatal: it broke\n${quiet}`)).toBe("nothing to see")
  })

  it("is cut where it is long", () => {
    expect(tellingLine(`error ${"x".repeat(1000)}`)).toHaveLength(400)
  })
})

describe("a signature", () => {
  it.each([
    ["Error: Cannot find module './a/b.ts'", "error: cannot find module ‹text›"],
    ['error in "a b" and `c`', "error in ‹text› and ‹text›"],
    ["Error at /usr/lib/x-1.2/a.js:12:5", "error at ‹path›:‹n›:‹n›"],
    ["error in C:\\Users\\me\\a.ts", "error in ‹path›"],
    ["error at 0x7fFF and deadbeef01", "error at ‹hex› and ‹hex›"],
    ["error in commit DEADBEEF", "error in commit ‹hex›"],
    ["error deadbee 12", "error deadbee ‹n›"],
    ["\u001b[1;31merror\u001b[0m:  two\t spaces ", "error: two spaces"]
  ])("of %j is %j", (text, signature) => expect(signatureOf(text)).toBe(signature))

  it("is bounded", () => expect(signatureOf(`error ${"x".repeat(300)}`)).toHaveLength(160))
})
