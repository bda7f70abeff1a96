/** ShellCheck and hadolint. */
import { byLine, lineNumber } from "../lines.ts"

export const shellcheck = byLine({
  family: "shellcheck",
  marks: /\b(?:SC|DL)\d{4}\b/,
  rules: [
    [
      /^(\S+):(\d+):\d+: (?:error|warning|note|style): (.+) \[(SC\d{4})\]$/,
      ([, file = "", line, message = "", code = ""]) => ({ code, file, message, ...lineNumber(line) })
    ],
    [
      /^\s*\^-*\^? (SC\d{4}) \((?:error|warning|info|style)\): (.+)$/,
      ([, code = "", message = ""], lines, at) => {
        const [, file, line] =
          lines
            .slice(Math.max(0, at - 4), at)
            .map((before) => /^In (\S+) line (\d+):/.exec(before))
            .findLast((one) => one !== null) ?? []
        return { code, message, ...(file === undefined ? {} : { file, ...lineNumber(line) }) }
      }
    ],
    [
      /^(\S+):(\d+) (DL\d{4}) (?:error|warning|info): (.+)$/,
      ([, file = "", line, code = "", message = ""]) => ({ code, file, message, ...lineNumber(line) })
    ]
  ]
})
