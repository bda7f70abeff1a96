/** markdownlint. */
import { byLine, lineNumber } from "../lines.ts"

export const markdownlint = byLine({
  family: "markdownlint",
  marks: /\bMD\d{3}\//,
  rules: [
    [
      /^(\S+\.(?:md|mdx|markdown)):(\d+)(?::\d+)?(?: error)? (MD\d{3})\/\S+ (.+?)(?: \[.*\])?$/,
      ([, file = "", line, code = "", message = ""]) => ({ code, file, message, ...lineNumber(line) })
    ]
  ],
  failed: /^Summary: [1-9]\d* error\(s\)/m,
  passed: /^Summary: 0 error\(s\)/m
})
