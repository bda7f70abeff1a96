/** Jest, and those that print as it does. */
import { lineNumber, linesOf } from "../lines.ts"
import { maxProblems, type Parser, type Problem } from "../Problem.ts"
import { jsFrame, lineAfter } from "../place.ts"

const failedTest = /^\s*● (.+ › .+|(?!Console|Validation)\S.*)$/
const nextTest = /^\s*● |^Test Suites: /
const failedFile = /^\s*FAIL +(?:\S+ +)?(\S+\.[cm]?[jt]sx?)/

const testFile = /(?:\.(?:test|spec)\.[cm]?[jt]sx?$)|(?:^|[\\/])__tests__[\\/]/

/** Of an output whose beginning was cut the last frame may be left, or nothing but the sum. */
const cutOff = (lines: readonly string[], sum: string): Problem => {
  const [, file, digits] =
    lines
      .map((line) => jsFrame.exec(line))
      .findLast((one) => one !== null && testFile.test(one[1] as string)) ?? []
  return file === undefined
    ? { family: "jest", code: "summary", message: sum }
    : { family: "jest", file, message: "failed", ...lineNumber(digits) }
}

export const jest: Parser = {
  family: "jest",
  kind: "report",
  marks: /^Tests: +.*\d+ (?:failed|passed)|^\s*● /m,
  parse: (text) => {
    let file = ""
    const found = new Map<string, Problem>()
    const lines = linesOf(text)
    for (const [at, printed] of lines.entries()) {
      file = failedFile.exec(printed)?.[1] ?? file
      const [, test] = failedTest.exec(printed) ?? []
      if (test === undefined || file === "" || found.size >= maxProblems || found.has(`${file} ${test}`))
        continue
      const message =
        lines
          .slice(at + 1, at + 6)
          .find((next) => next.trim() !== "")
          ?.trim() ?? "failed"
      const line = lineAfter(lines, at + 1, { place: jsFrame, end: nextTest, file })
      found.set(`${file} ${test}`, { family: "jest", file, test, message, ...line })
    }
    const [failed] = /^(?:Tests|Test Suites): +[1-9]\d* failed/m.exec(text) ?? []
    const isFailed = failed !== undefined
    const isPassed = /^Tests: +(?:\d+ skipped, )?\d+ passed/m.test(text)
    return {
      problems: isFailed ? (found.size > 0 ? [...found.values()] : [cutOff(lines, failed)]) : [],
      verdict: isFailed ? "fail" : isPassed ? "pass" : undefined
    }
  }
}
