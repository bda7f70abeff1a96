/** What is shortened: where the cut falls, and what of a secret or a mark is not left there. */
import { describe, expect, it } from "vitest"
import { cut, cutWindow } from "../../../src/redact/cut.ts"

const words = (length: number): string => "lorem ".repeat(Math.ceil(length / 6)).slice(0, length)

describe("a text", () => {
  it("that fits stays as it is, whatever is in it", () => {
    expect(cut("password=hunter2", 16)).toBe("password=hunter2")
    expect(cut("😀", 2)).toBe("😀")
    expect(cut("", 0)).toBe("")
  })

  it("that is too long has so many characters, and no half of one", () => {
    expect(cut(words(20), 10)).toBe(words(10))
    expect(cut(words(20_000), 3000)).toBe(words(3000))
    expect(cut("a😀b", 2)).toBe("a")
    expect(cut("a😀b", 3)).toBe("a😀")
    expect(cut("\ud7ffabc", 1)).toBe("\ud7ff")
    expect(cut("\udc00abc", 1)).toBe("\udc00")
    expect(cut("\ud800abc", 1)).toBe("")
    expect(cut("\udbffabc", 1)).toBe("")
  })

  it("shows no beginning of a secret that the cut falls into, and no part of its mark", () => {
    const text = `${words(12)}password=hunter2hunter2 and more`
    const mark = "‹redacted:password›"
    const whole = `${words(12)}password=${mark} and more`
    for (let longest = 0; longest < 60; longest++) {
      const kept = cut(text, longest)
      const end = 21 + mark.length
      const expected =
        longest >= text.length ? text : whole.slice(0, longest > 21 && longest < end ? 21 : longest)
      expect([longest, kept]).toEqual([longest, expected])
    }
  })

  it("may hold such a sign that is no mark", () => {
    expect(cut(`${words(10)}‹quoted and so on`, 14)).toBe(`${words(10)}‹quo`)
    expect(cut("‹redacted:x› and then more", 20)).toBe("‹redacted:x› and the")
  })

  it("is looked at as far as a secret may reach, and no further", () => {
    const secret = "password=hunter2hunter2\n"
    const long = `${secret.repeat(20)}${"y".repeat(2 * cutWindow)}`
    const kept = cut(long, 200)
    expect(kept).not.toMatch(/hunter/)
    expect(kept.startsWith("password=‹redacted:password›\npassword=")).toBe(true)
    expect(kept.length).toBeLessThanOrEqual(200)
    // What is left of the window is shorter than what may be kept: its end may be half a secret.
    const dense = `${"password=x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7x7\n".repeat(400)}`
    const head = cut(dense, 2000)
    expect(head).not.toMatch(/x7x7/)
    expect(head.length).toBeLessThanOrEqual(2000)
  })
})
