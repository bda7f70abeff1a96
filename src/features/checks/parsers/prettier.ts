/** `prettier --check`. */
import { byLine } from "../lines.ts"

export const prettier = byLine({
  family: "prettier",
  marks: /^\[(?:warn|error)\] /m,
  rules: [
    [
      /^\[(?:warn|error)\] (\S+\.\w+)$/,
      ([, file = ""], lines) =>
        lines.some((line) => /code style issues/i.test(line))
          ? { file, code: "format", message: "code style" }
          : undefined
    ],
    [
      /^\[error\] (\S+\.\w+): (\w*Error): (.+?)(?: \(\d+:\d+\))?$/,
      ([, file = "", code = "", message = ""]) => ({ file, code, message })
    ]
  ],
  failed: /code style issues (?:found|in)/i,
  passed: /All matched files use Prettier code style/
})
