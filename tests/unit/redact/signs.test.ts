/** What finders need is told wherever it stands, and only there. */
import { describe, expect, it } from "@effect/vitest"
import { near } from "../../../src/redact/near.ts"
import { hasSign, matchesNear, nearSign, signOf } from "../../../src/redact/signs.ts"
import { eachStem } from "../../../src/redact/stems.ts"

const word = signOf("wombat=", "Quokka ")
const line = "nothing of all that stands here\n"
/** More than is read at once. */
const long = line.repeat(2500)

const stemsOf = (text: string): readonly (readonly [string, number])[] => {
  const stems: (readonly [string, number])[] = []
  eachStem(text, (stem, at) => {
    stems.push([stem, at])
    return at + stem.length
  })
  return stems
}

describe("a sign", () => {
  it.each(["wombat=1", "a WomBat=1", "QUOKKA a"])("stands in %j, in any case", (text) => {
    expect(hasSign(text, word)).toBe(true)
  })

  it.each(["wombat", "wombat =", "quokka", ""])("does not stand in %j", (text) => {
    expect(hasSign(text, word)).toBe(false)
  })

  it.each([0, 1, 32_766, 32_767, 32_768, 65_535])("is found where it begins at character %i", (at) => {
    const text = `${long.slice(0, at)}wombat=${long}`
    expect([...matchesNear(text, word, /wombat=/g, 10, 10)].map((found) => found.at)).toEqual([at])
  })

  it("is looked around in whole lines, once where two stand together", () => {
    const text = `${line}aaaaaa wombat=\nbbbb wombat=\n${line}${line}zzzzzz wombat=\n${line}`
    const parts = [...nearSign(text, word, 6, 6)].map(({ start, end }) => text.slice(start, end))
    expect(parts).toEqual(["\naaaaaa wombat=\nbbbb wombat=", "\nzzzzzz wombat="])
  })
})

describe("near places", () => {
  it("no stretch overlaps another, and none leaves the text", () => {
    const text = "x".repeat(9000)
    const parts = [...near(text, [0, 10, 4000, 4100, 8999], 300, 500)]
    for (const [nth, { start, end }] of parts.entries()) {
      expect(start).toBeGreaterThanOrEqual(parts[nth - 1]?.end ?? 0)
      expect(end).toBeLessThanOrEqual(text.length)
      expect(end).toBeGreaterThan(start)
    }
  })
})

describe("a stem", () => {
  it.each([0, 32_765, 32_766, 32_767, 32_768])("is told where it begins at character %i", (at) => {
    expect(stemsOf(`${"-".repeat(at)}oken${"-".repeat(9)}`)).toEqual([["oken", at]])
  })

  it("is told in lower case, also with letters that are none of English", () => {
    expect(stemsOf("PASSWORD ПАРОЛЬ HASŁO пароль")).toEqual([
      ["ass", 1],
      ["парол", 9],
      ["asło", 17],
      ["парол", 22]
    ])
  })

  it("ends the search where whoever is told says so", () => {
    const seen: number[] = []
    eachStem("token token", (_, at) => {
      seen.push(at)
      return -1
    })
    expect(seen).toEqual([1])
  })
})
