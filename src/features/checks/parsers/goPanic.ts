/** A panic of a Go program. */
import { byLine } from "../lines.ts"

const frame = /^\s+(\/?\S+\.go):(\d+)/

export const goPanic = byLine({
  family: "go panic",
  kind: "trace",
  marks: /^panic: /m,
  rules: [
    [
      /^panic: (.+)$/,
      ([, message = ""], lines, at) => {
        const own = lines
          .slice(at + 1, at + 60)
          .flatMap((line) => frame.exec(line)?.[1] ?? [])
          .find((file) => !/\/(?:usr\/local|go\/pkg|libexec)\/|\/src\/runtime\//.test(file))
        return { message, ...(own === undefined ? {} : { file: own }) }
      }
    ]
  ]
})
