/** RSpec and Minitest. */
import { byLine, lineNumber } from "../lines.ts"

export const rspec = byLine({
  family: "rspec",
  marks: /^\d+ (?:examples?|runs?|tests), |^rspec \.\//m,
  rules: [
    [
      /^rspec (\.\/\S+?\.rb)(?::(\d+)|\[[\d:]+\]) # (.+)$/,
      ([, file = "", line, test = ""]) => ({ file, test, message: "failed", ...lineNumber(line) })
    ],
    [
      /^\s*(?:\d+\) )?(?:Failure|Error):$/,
      (_, lines, at) => {
        const [, test, file, line] =
          /^(\S+#\S+)(?: \[(\S+?\.rb):(\d+)\])?:?$/.exec(lines[at + 1]?.trim() ?? "") ?? []
        return test === undefined
          ? undefined
          : {
              test: test.replace(/:$/, ""),
              message: lines[at + 2]?.trim() || "failed",
              ...(file === undefined ? {} : { file, ...lineNumber(line) })
            }
      }
    ]
  ],
  failed:
    /^\d+ examples?, [1-9]\d* failures?.*|^\d+ (?:runs|tests), \d+ assertions, (?:[1-9]\d* failures|\d+ failures, [1-9]\d* errors).*/m,
  passed: /^\d+ examples?, 0 failures|^\d+ (?:runs|tests), \d+ assertions, 0 failures, 0 errors/m
})
