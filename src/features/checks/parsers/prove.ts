/** `prove`, the tests of Perl. */
import { byLine } from "../lines.ts"

export const prove = byLine({
  family: "prove",
  marks: /^Result: (?:PASS|FAIL|NOTESTS)$|\(Wstat: /m,
  rules: [
    [
      /^(\S+\.t)\s+\(Wstat: (\d+).*?\)$/,
      ([, file = ""], lines, at) => ({
        file,
        test: file,
        message: lines[at + 1]?.trim().replace(/\s+/g, " ") || "failed"
      })
    ]
  ],
  failed: /^Result: FAIL$/m,
  passed: /^Result: PASS$/m
})
