/** Node's own test runner, and everything else that speaks TAP. */
import { byLine } from "../lines.ts"
import { placeAfter } from "../place.ts"

export const nodeTest = byLine({
  family: "node:test",
  marks: /^\s*not ok \d|^# (?:fail|pass) \d|^ℹ (?:fail|pass) \d/m,
  rules: [
    [
      /^\s*not ok \d+ -? ?(?!.*# (?:TODO|SKIP))(.+)$/i,
      ([, test = ""], lines, at) => ({
        test,
        message: "failed",
        ...placeAfter(lines, at + 1, {
          place: /^\s+location: ['"](\S+?):(\d+):\d+['"]$/,
          end: /^\s*(?:not )?ok \d/
        })
      })
    ],
    [
      /^✖ (.+?) \([\d.]+m?s\)$/,
      ([, test = ""], lines, at) => ({
        test,
        message:
          lines
            .slice(at + 1, at + 3)
            .find((line) => /Error/.test(line))
            ?.trim() ?? "failed",
        ...placeAfter(lines, at - 1, { place: /^test at (\S+?):(\d+):\d+$/, end: /^✖ / })
      })
    ]
  ],
  failed: /^(?:#|ℹ) fail [1-9]/m,
  passed: /^(?:#|ℹ) fail 0/m
})
