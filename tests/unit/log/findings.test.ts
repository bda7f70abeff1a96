/** How what a look at the log found is said, and which of it is damage. */
import { describe, expect, it } from "vitest"
import { describeFinding, type Finding, isSound, type Verdict } from "../../../src/log/verdict.ts"

const finding = (kind: Finding["kind"], more: Partial<Finding> = {}): Finding => ({
  kind,
  first: 3,
  last: 5,
  ...more
})
const verdict = (...findings: readonly Finding[]) => ({ findings }) as unknown as Verdict

describe("a finding", () => {
  it.each([
    ["damaged", "positions 3 to 5: not what was recorded"],
    ["missing", "positions 3 to 5: missing, and nobody took it away"],
    ["altered", "positions 3 to 5: not what was sealed"],
    ["cut", "positions 3 to 5: the end of the log is gone"],
    [
      "restart",
      "positions 3 to 5: went down with the machine; what was written last may be lost with its power"
    ],
    ["file", "the file: damaged"],
    ["newer", "it is of a newer hooktape"],
    ["held", "another program has the log for itself: nothing of it could be looked at"]
  ] as const)("that is %s says so", (kind, text) => expect(describeFinding(finding(kind))).toBe(text))

  it("says what else is known of the file, and of one position", () => {
    expect(describeFinding(finding("missing", { last: 3 }))).toMatch(/^position 3: missing/)
    expect(describeFinding(finding("file", { detail: "page 7" }))).toBe("the file: page 7")
    expect(describeFinding(finding("newer", { detail: "of version 9" }))).toBe("of version 9")
  })
})

describe("a log", () => {
  it("is sound where nothing was found but that the machine went down", () => {
    expect(isSound(verdict())).toBe(true)
    expect(isSound(verdict(finding("restart")))).toBe(true)
    for (const kind of ["damaged", "missing", "altered", "cut", "file", "newer", "held"] as const)
      expect(isSound(verdict(finding("restart"), finding(kind)))).toBe(false)
  })
})
