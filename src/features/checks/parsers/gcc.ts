/** GCC, Clang and the linker. */
import { byLine, given, lineNumber } from "../lines.ts"

/** Where the linker says it is used: `src/a.c:40: `, or `a.c:(.text+0x2f): ` where nothing tells lines. */
const usedAt = (before: string) => {
  const said = before.replace(/:? *$/, "").split(": ").at(-1) ?? ""
  const [, file, line] = /^(\S+\.\w+):(?:(\d+)|\(\.\S+\))$/.exec(said) ?? []
  return { ...given("file", file), ...lineNumber(line) }
}

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
      /^(.*?)undefined reference to [`'"]([^'"]+)/,
      ([, before = "", symbol = ""]) => ({
        code: "link",
        symbol,
        message: `undefined reference to ${symbol}`,
        ...usedAt(before)
      })
    ]
  ]
})
