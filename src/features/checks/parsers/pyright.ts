/** Pyright and basedpyright. */
import { byLine, given, lineNumber } from "../lines.ts"

export const pyright = byLine({
  family: "pyright",
  marks: /(?<!\d)\d{1,9} errors?, \d+ warnings?/,
  rules: [
    [
      /^\s*(\S+\.pyi?):(\d+):\d+ - error: (.+?)(?: \((report\w+)\))?$/,
      ([, file = "", line, message = "", code]) => ({
        file,
        message,
        ...given("code", code),
        ...lineNumber(line)
      })
    ]
  ],
  failed: /^[1-9]\d* errors?, /m,
  passed: /^0 errors, /m
})
