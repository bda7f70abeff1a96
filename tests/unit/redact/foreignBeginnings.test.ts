import { describe, expect, it } from "vitest"
import { eachPlace } from "../../../src/redact/beginnings.ts"
import { foreignWord } from "../../../src/redact/foreignNames.ts"
import { foreignBeginnings } from "../../../src/redact/foreignSecrets.ts"

/** All that a pattern of letters, groups, classes and optional parts stands for. */
const wordsOf = (pattern: string): readonly string[] => {
  let at = 0
  const joined = (heads: readonly string[], tails: readonly string[]) =>
    heads.flatMap((head) => tails.map((tail) => head + tail))
  const atom = (): readonly string[] => {
    const c = pattern.charAt(at++)
    if (c === "[") {
      const end = pattern.indexOf("]", at)
      const letters = [...pattern.slice(at, end)]
      at = end + 1
      return letters
    }
    if (c !== "(") return [c]
    if (pattern.startsWith("?:", at)) at += 2
    const found = either()
    at++
    return found
  }
  const either = (): readonly string[] => {
    const words: string[] = []
    let sofar: readonly string[] = [""]
    for (; at < pattern.length && pattern.charAt(at) !== ")"; ) {
      if (pattern.charAt(at) === "|") {
        words.push(...sofar)
        sofar = [""]
        at++
        continue
      }
      const next = atom()
      const isOptional = pattern.charAt(at) === "?"
      if (isOptional) at++
      sofar = joined(sofar, isOptional ? ["", ...next] : next)
    }
    return [...words, ...sofar]
  }
  return either()
}

const isTold = (word: string): boolean => {
  let told = false
  eachPlace(`${word}: `, foreignBeginnings, (place) => {
    told ||= place === 0
    return told ? -1 : 0
  })
  return told
}

describe("where a name in another language may begin", () => {
  const words = wordsOf(foreignWord)

  it("has every name that there is", () => {
    expect(words.length).toBeGreaterThan(100)
    expect(words.filter((word) => !new RegExp(`^${foreignWord}$`).test(word))).toEqual([])
    expect(words.filter((word) => !isTold(word))).toEqual([])
  })

  it("is no place of other words", () => {
    expect(["return", "number", "the user", "string", "import"].filter(isTold)).toEqual([])
  })
})
