/** GoogleTest. */
import { byLine, lineNumber } from "../lines.ts"

const place = /^(\S+?):(\d+): Failure$/

const before = (lines: readonly string[], at: number) => {
  const own = lines.slice(Math.max(0, at - 40), at)
  const from = own.findLastIndex((line) => place.test(line))
  const [, file, line] = place.exec(own[from] ?? "") ?? []
  return file === undefined
    ? { message: "failed" }
    : { file, message: own[from + 1]?.trim() || "failed", ...lineNumber(line) }
}

export const gtest = byLine({
  family: "gtest",
  marks: /^\[ {2}(?:FAILED|PASSED) {2}\]/m,
  rules: [
    [
      /^\[ {2}FAILED {2}\] (\S+?),?(?: where .*)? \(\d+ ms\)$/,
      ([, test = ""], lines, at) => ({ test, ...before(lines, at) })
    ],
    [
      // The list at the end, where it is all that is left of the output.
      /^\[ {2}FAILED {2}\] ([\w/]+\.[\w/]+)/,
      ([start, test = ""], lines) =>
        lines.some((line) => line.startsWith(`${start} (`)) ? undefined : { test, message: "failed" }
    ]
  ],
  failed: /^ *[1-9]\d* FAILED TESTS?$/m,
  passed: /^\[ {2}PASSED {2}\] [1-9]\d* tests?\.$/m
})
