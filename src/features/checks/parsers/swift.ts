/** Swift: the compiler, XCTest, Swift Testing. */
import { byLine, lineNumber } from "../lines.ts"

export const swift = byLine({
  family: "swift",
  marks: /\.swift:\d+|^Test Case |^✘ |Executed \d+ tests?/m,
  rules: [
    [
      /^(\S+\.swift):(\d+): error: -\[(\S+) (\w+)\] : (.+)$/,
      ([, file = "", line, suite = "", name = "", message = ""]) => ({
        file,
        test: `${suite}.${name}`,
        message,
        ...lineNumber(line)
      })
    ],
    [
      /^(\S+\.swift):(\d+): error: ([\w.]+\.\w+) : (.+)$/,
      ([, file = "", line, test = "", message = ""]) => ({ file, test, message, ...lineNumber(line) })
    ],
    [
      /^(\S+\.swift):(\d+):\d+: error: (.+)$/,
      ([, file = "", line, message = ""]) => ({ code: "compile", file, message, ...lineNumber(line) })
    ],
    [
      /^(\S+\.swift):(\d+): Fatal error: (.+)$/,
      ([, file = "", line, message = ""]) => ({ code: "fatal", file, message, ...lineNumber(line) })
    ],
    [
      /^✘ Test "?(.+?)"?\(?\)? recorded an issue at (\S+\.swift):(\d+):\d+: (.+)$/,
      ([, test = "", file = "", line, message = ""]) => ({ test, file, message, ...lineNumber(line) })
    ]
  ],
  failed: /Executed \d+ tests?, with (?:\d+ tests? skipped and )?[1-9]\d* failures?.*|^✘ Test run with .*/m,
  passed: /Executed \d+ tests?, with (?:\d+ tests? skipped and )?0 failures|^✔ Test run with/m
})
