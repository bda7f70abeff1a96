/** Bats, tests of shell scripts; its summary is worded as that of ExUnit. */
import { byLine, lineNumber } from "../lines.ts"

export const bats = byLine({
  family: "bats",
  marks: /\(in test file \S+, line \d+\)/,
  rules: [
    [
      /^ ✗ (.+?)(?: \[\d+\])?$/,
      ([, test = ""], lines, at) => {
        const [, file, line] = /\(in test file (\S+), line (\d+)\)/.exec(lines[at + 1] ?? "") ?? []
        return file === undefined
          ? undefined
          : { file, test, message: lines[at + 2]?.trim() || "failed", ...lineNumber(line) }
      }
    ]
  ]
})
