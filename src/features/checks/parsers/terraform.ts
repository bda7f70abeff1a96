/** Terraform and OpenTofu. */
import { byLine, lineNumber } from "../lines.ts"

export const terraform = byLine({
  family: "terraform",
  marks: /^[│╷ ]*Error: .+|\bon \S+\.tf line \d+/m,
  rules: [
    [
      /^[│ ]*Error: (.+)$/,
      ([, message = ""], lines, at) => {
        const [, file, line] =
          lines
            .slice(at + 1, at + 8)
            .map((next) => /\bon (\S+\.tf) line (\d+)/.exec(next))
            .find((one) => one !== null) ?? []
        return file === undefined ? undefined : { message, file, ...lineNumber(line) }
      }
    ]
  ]
})
