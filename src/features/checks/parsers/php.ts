/** PHP: errors that end a program, PHPUnit, PHPStan. */
import { byLine, lineNumber } from "../lines.ts"
import { placeAfter } from "../place.ts"

export const php = byLine({
  family: "php",
  marks:
    /^(?:PHP )?(?:Fatal|Parse) error: |^(?:FAILURES|ERRORS)!|^OK \(\d+ tests?|^\d+\) [\w\\]+::|\[(?:ERROR|OK)\] /m,
  rules: [
    [
      /^(?:PHP )?(Fatal|Parse) error: +(?:Uncaught )?(.+?) in (\S+\.php)(?:\(|:| on line )(\d+)/,
      ([, code = "", message = "", file = "", line]) => ({ code, file, message, ...lineNumber(line) })
    ],
    [
      /^\d+\) ([\w\\]+::\w+)(?: with data set .*)?$/,
      ([, test = ""], lines, at) => ({
        test,
        message: lines[at + 1]?.trim() || "failed",
        ...placeAfter(lines, at + 1, { place: /^(\S+\.php):(\d+)$/, end: /^\d+\) |^(?:FAILURES|ERRORS)!/ })
      })
    ]
  ],
  failed: /^(?:FAILURES|ERRORS)!$|^ *\[ERROR\] Found [1-9]\d* errors?/m,
  passed: /^OK \(\d+ tests?|^ *\[OK\] No errors/m
})
