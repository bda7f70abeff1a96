/** Pest, the PHP tests of Laravel. */
import { byLine, lineNumber } from "../lines.ts"

export const pest = byLine({
  family: "php",
  marks: /^[ \t]+Tests:\s+\d+ |^[ \t]+FAILED\s+\S+ > /m,
  rules: [
    [
      /^[ \t]+FAILED\s+(\S+) > (\S.*?)(?: {2,}\S.*)?$/,
      ([, suite = "", name = ""], lines, at) => {
        const after = lines.slice(at + 1, at + 14)
        const [, file, line] =
          after.map((next) => /^[ \t]+at (\S+\.php):(\d+)/.exec(next)).find((one) => one !== null) ?? []
        return {
          test: `${suite} > ${name}`,
          message: after.find((next) => next.trim() !== "")?.trim() ?? "failed",
          ...(file === undefined ? {} : { file, ...lineNumber(line) })
        }
      }
    ]
  ],
  failed: /^[ \t]+Tests:\s+[1-9]\d* failed/m,
  passed:
    /^[ \t]+Tests:\s+(?:\d+ (?:skipped|todo|risky|warnings?|incomplete), )*\d+ passed \(\d+ assertions?\)/m
})
