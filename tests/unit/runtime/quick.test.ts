/** Patterns that nobody watches: only those that cannot go on for ever, and they are told by how they are written. */
import { describe, expect, it } from "vitest"
import { endsByItself } from "../../../src/runtime/quick.ts"

describe("a pattern", () => {
  it.each([/^rm\b/, /git push .*(--force|-f)\b/, /^(npm|pnpm) test$/, /[*+?{}]x\+\?/, /a?b?c/])(
    "that ends by itself is not watched: %s",
    (pattern) => {
      expect(endsByItself(pattern, "x".repeat(2000))).toBe(true)
      expect(endsByItself(pattern, "x".repeat(2001))).toBe(false)
      expect(endsByItself(pattern, undefined)).toBe(true)
    }
  )

  it.each([
    /^(\w+\s?)*$/,
    /(a|a)+$/,
    /(a|ab)?c/,
    /a*a*b/,
    /(a{1,50}){1,50}b/,
    /(x)\1+/,
    /(?<n>x)\k<n>/,
    /a?a?a?a?b/
  ])("that may not end is watched: %s", (pattern) => {
    expect(endsByItself(pattern, "a")).toBe(false)
  })

  it("that is called quick is so on the worst text there is for it", () => {
    const patterns = [/x.*y$/, /^.*(--force|-f)\b/, /\s+$/, /a?a?a+$/]
    for (const pattern of patterns)
      for (const text of ["x".repeat(2000), `${" ".repeat(1999)}!`, `${"a".repeat(1999)}!`]) {
        const began = performance.now()
        pattern.test(text)
        // Ends what hangs; a quick one takes a few milliseconds at most.
        expect(performance.now() - began).toBeLessThan(60_000)
      }
  })
})
