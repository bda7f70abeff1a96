/** GCC, Clang and the linker. */
import { byLine, lineNumber } from "../lines.ts"

export const gcc = byLine({
  family: "cc",
  marks: /: (?:fatal )?error: |undefined reference to |ld(?:\.lld)?: error|Undefined symbols? for/,
  rules: [
    [
      /^(\S+\.(?:c|cc|cpp|cxx|h|hpp|hh|m|mm|cu)):(\d+)(?::\d+)?: (?:fatal )?error: (.+?)(?: \[(-W[\w=-]+)\])?$/,
      ([, file = "", line, message = "", code]) => ({
        file,
        message,
        ...lineNumber(line),
        ...(code === undefined ? {} : { code })
      })
    ],
    [
      /undefined reference to [`'"]([^'"]+)/,
      ([, symbol = ""]) => ({ code: "link", symbol, message: `undefined reference to ${symbol}` })
    ]
  ]
})
