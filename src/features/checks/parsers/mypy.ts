/** mypy. */
import { byLine, given, lineNumber } from "../lines.ts"

export const mypy = byLine({
  family: "mypy",
  marks: /^\S+\.pyi?:\d+(?::\d+)?: error: |no issues found in \d+ source/m,
  rules: [
    [
      /^(\S+\.pyi?):(\d+)(?::\d+)?: error: (.+?)(?: {2}\[([\w-]+)\])?$/,
      ([, file = "", line, message = "", code]) => ({
        file,
        message,
        ...given("code", code),
        ...lineNumber(line)
      })
    ]
  ],
  failed: /^Found [1-9]\d* errors? in (?=\d+ files? \()/m,
  passed: /^Success: no issues found/m
})
