/** What was recorded is told again without what only a terminal understands, and as somebody in the project names it. */
import { describe, expect, it } from "vitest"
import { oneLine, pathIn } from "../../../src/state/terminalText.ts"

describe("a line", () => {
  it("has no more than was asked for, and one kind of space", () => {
    expect(oneLine(" a\n\n b\tc ", 10)).toBe("a b c")
    expect(oneLine("abcdef", 4)).toBe("abc…")
  })

  it.each([
    ["\u001b[31mred\u001b[0m", "red"],
    ["\u001b]0;title\u0007text", "text"],
    ["a\u202eb\u200fc", "abc"],
    ["bell\u0007 \u0000end", "bell end"]
  ])("takes from %j what moves a cursor or turns letters around", (text, told) => {
    expect(oneLine(text, 100)).toBe(told)
  })
})

describe("a path", () => {
  it("is relative where it lies in the project", () => {
    expect(pathIn("/p", "/p/src/a.ts")).toBe("src/a.ts")
    for (const path of ["/p", "/q/a.ts", "/pq/a.ts", "a.ts"]) expect(pathIn("/p", path)).toBe(path)
    expect(pathIn(null, "/p/a.ts")).toBe("/p/a.ts")
  })
})
