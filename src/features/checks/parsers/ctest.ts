/** CTest. */
import { byLine } from "../lines.ts"

export const ctest = byLine({
  family: "ctest",
  marks: /^\d+% tests passed, /m,
  rules: [
    [
      /^[ \t]+\d+ - (\S+) \((Failed|Timeout|SEGFAULT|Not Run|Subprocess aborted|Exit code .*)\)/,
      ([, test = "", message = ""]) => ({ test, message: message.toLowerCase() })
    ]
  ],
  failed: /^\d+% tests passed, [1-9]\d* tests? failed out of \d+/m,
  passed: /^100% tests passed/m
})
