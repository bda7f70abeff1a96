/** `flutter test` and `dart test`. */
import { byLine, lineNumber } from "../lines.ts"

export const dartTest = byLine({
  family: "flutter",
  marks: /^\d\d:\d\d \+\d+/m,
  rules: [
    [
      /^\d\d:\d\d \+\d+(?: ~\d+)? -\d+: (.+) \[E\]$/,
      ([, test = ""], lines, at) => {
        const after = lines.slice(at + 1, at + 16)
        const [, file, line] =
          after
            .map((next) => /^[ \t]+(\S+_test\.dart)[ :](\d+):\d+/.exec(next))
            .find((one) => one !== null) ?? []
        return {
          test,
          message: after.find((next) => next.trim() !== "")?.trim() ?? "failed",
          ...(file === undefined ? {} : { file, ...lineNumber(line) })
        }
      }
    ]
  ],
  failed: /^\d\d:\d\d \+\d+.*: Some tests failed\.$/m,
  passed: /^\d\d:\d\d \+\d+.*: All tests passed!$/m
})
