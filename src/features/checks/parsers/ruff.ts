/** Ruff, flake8 and pylint: the rule, its message, its place. */
import { byLine, lineNumber } from "../lines.ts"

export const ruff = byLine({
  family: "ruff",
  marks: /\b[A-Z]{1,4}\d{3,4}\b|invalid-syntax: |^Would reformat: |All checks passed!/m,
  rules: [
    [
      /^([A-Z]{1,4}\d{3,4}|invalid-syntax(?=:)):?(?: \[\*\])? (.+)$/,
      ([, code = "", message = ""], lines, at) => {
        const [, file, line] = /^\s*--> (\S+?):(\d+):\d+/.exec(lines[at + 1] ?? "") ?? []
        return file === undefined ? undefined : { code, file, message, ...lineNumber(line) }
      }
    ],
    [
      /^(\S+\.pyi?):(\d+):(?:\d+:)? ([A-Z]{1,4}\d{3,4}|invalid-syntax(?=:)):? (?:\[\*\] )?(.+)$/,
      ([, file = "", line, code = "", message = ""]) => ({ code, file, message, ...lineNumber(line) })
    ],
    [
      /^Would reformat: (\S+)$/,
      ([, file = ""]) => ({ code: "format", file, message: "would be formatted otherwise" })
    ]
  ],
  failed:
    /^Found [1-9]\d* errors?(?: \(\d+ fixed, [1-9]\d* remaining\))?\.$|^\d+ files? would be reformatted(?:, \d+ files? already formatted)?$/m,
  passed: /^All checks passed!|^Found \d+ errors? \(\d+ fixed, 0 remaining\)\.$/m
})
