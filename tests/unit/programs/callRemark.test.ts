/** What a line of the log says of two invocations of one call. */
import { describe, expect, it } from "vitest"
import { makeCallRemark } from "../../../src/programs/cli/render/callRemark.ts"
import { openedAt } from "../../support/facts.ts"

const opened = (invocation: string, position: number, call: string) =>
  openedAt(invocation, position, { call })

describe("the remark on a call", () => {
  it("names the invocation that the later one took the place of", () => {
    const remark = makeCallRemark()
    expect(remark(opened("aaaaaaaa", 1, "one"))).toBe("")
    expect(remark(opened("bbbbbbbb", 2, "two"))).toBe("")
    expect(remark(opened("cccccccc", 3, "one"))).toBe(" · in place of aaaaaaaa")
  })

  it("remembers no more calls than were asked for: a log may be long", () => {
    const remark = makeCallRemark(1)
    remark(opened("aaaaaaaa", 1, "one"))
    remark(opened("bbbbbbbb", 2, "two"))
    expect(remark(opened("cccccccc", 3, "one"))).toBe("")
    expect(remark(opened("dddddddd", 4, "one"))).toBe(" · in place of cccccccc")
  })
})
