/** Jest, and those that print as it does. */
import { linesOf } from "../lines.ts"
import { maxProblems, type Parser, type Problem } from "../Problem.ts"

const failedTest = /^\s*● (.+ › .+|(?!Console|Validation)\S.*)$/
const failedFile = /^\s*FAIL +(?:\S+ +)?(\S+\.[cm]?[jt]sx?)/

export const jest: Parser = {
  family: "jest",
  kind: "report",
  marks: /^Tests: +.*\d+ (?:failed|passed)|^\s*● /m,
  parse: (text) => {
    let file = ""
    const found = new Map<string, Problem>()
    const lines = linesOf(text)
    for (const [at, line] of lines.entries()) {
      file = failedFile.exec(line)?.[1] ?? file
      const [, test] = failedTest.exec(line) ?? []
      if (test === undefined || file === "" || found.size >= maxProblems || found.has(`${file} ${test}`))
        continue
      const message =
        lines
          .slice(at + 1, at + 6)
          .find((next) => next.trim() !== "")
          ?.trim() ?? "failed"
      found.set(`${file} ${test}`, { family: "jest", file, test, message })
    }
    const isFailed = /^(?:Tests|Test Suites): +[1-9]\d* failed/m.test(text)
    const isPassed = /^Tests: +(?:\d+ skipped, )?\d+ passed/m.test(text)
    return {
      problems: isFailed ? [...found.values()] : [],
      verdict: isFailed ? "fail" : isPassed ? "pass" : undefined
    }
  }
}
