/** Playwright's test runner. */
import { byLine, lineNumber } from "../lines.ts"

export const playwright = byLine({
  family: "playwright",
  marks: /^\s*\d+\) (?:\[[^\]]+\] › )?\S+:\d+:\d+ › |^\s+\d+ (?:failed|passed) \(/m,
  rules: [
    [
      /^\s*\d+\) (?:\[[^\]]+\] › )?(\S+?):(\d+):\d+ › (.+?)(?: ─+)?$/,
      ([, file = "", line, test = ""], lines, at) => ({
        file,
        test,
        message:
          lines
            .slice(at + 1, at + 6)
            .find((next) => /Error|Timeout/.test(next))
            ?.trim() ?? "failed",
        ...lineNumber(line)
      })
    ]
  ],
  failed: /^\s+[1-9]\d* failed$/m,
  passed: /^\s+\d+ passed \(/m
})
