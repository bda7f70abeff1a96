/** A panic of a Rust program. */
import { byLine, lineNumber } from "../lines.ts"

export const rustPanic = byLine({
  family: "rust panic",
  kind: "trace",
  marks: /^thread '.*' (?:\(\d+\) )?panicked at /m,
  rules: [
    [
      /^thread '([^']*)' (?:\(\d+\) )?panicked at (?:'(.+)', )?(\S+?\.rs):(\d+):\d+:?$/,
      ([, thread = "", said, file = "", line], lines, at) => ({
        file,
        message: said ?? lines[at + 1]?.trim() ?? "panicked",
        ...(thread === "main" ? {} : { symbol: thread }),
        ...lineNumber(line)
      })
    ]
  ]
})
