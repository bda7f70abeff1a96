/** `deno test`. */
import { byLine, lineNumber } from "../lines.ts"

export const denoTest = byLine({
  family: "deno",
  marks: /^(?:ok|FAILED) \| \d+ passed/m,
  rules: [
    [
      /^(\S.*) => (\S+?\.[cm]?[jt]sx?):(\d+):\d+$/,
      ([start, test = "", file = "", line], lines, at) => {
        const [, message] = /^error: (.+)$/.exec(lines[at + 1] ?? "") ?? []
        // In the list at the end it stands once more.
        if (message === undefined && lines.indexOf(start) < at) return undefined
        return { test, file, message: message ?? "failed", ...lineNumber(line) }
      }
    ]
  ],
  failed: /^FAILED \| \d+ passed/m,
  passed: /^ok \| \d+ passed/m
})
