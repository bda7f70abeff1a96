/** Biome: lint, assists and formatting. */
import { byLine, lineNumber } from "../lines.ts"

const heading =
  /^\s*(?:at )?(\S+?\.\w+)(?::(\d+):\d+)?\s+((?:lint|assist|suppressions|parse|format|syntax)(?:\/[\w-]+)*|format|parse)\b.*━/
const said = /^\s*[×✖!] (.+)$/

export const biome = byLine({
  family: "biome",
  marks: /━━|Found \d+ errors?\./,
  rules: [
    [
      heading,
      ([, file = "", line, code = ""], lines, at) => {
        const message = lines.slice(at + 1, at + 6).flatMap((next) => said.exec(next)?.[1] ?? [])[0]
        return { code, file, message: message ?? code, ...lineNumber(line) }
      }
    ]
  ],
  failed: /^Found [1-9]\d* errors?\./m,
  passed: /^(?:Checked|Formatted) \d+ files? in .*(?:No fixes applied\.|Fixed \d+ files?\.)/m
})
