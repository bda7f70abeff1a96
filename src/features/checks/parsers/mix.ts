/** Elixir: the compiler, ExUnit, Credo, Dialyzer. */
import { byLine, lineNumber, type ReadLine } from "../lines.ts"

const place = /└─ (\S+?):(\d+)/
const exUnitPlace = /^\s+(\S+\.exs):(\d+)$/

export const placeAfter = (
  lines: readonly string[],
  at: number
): { readonly file?: string; readonly line?: number } => {
  const [, file, line] =
    lines
      .slice(at + 1, at + 12)
      .map((next) => place.exec(next))
      .find((one) => one !== null) ?? []
  return file === undefined ? {} : { file, ...lineNumber(line) }
}

export const symbolIn = (message: string): { readonly symbol?: string } => {
  const [, symbol] = /(?:function|variable|module|struct) "?([\w.!?/]+)"?/.exec(message) ?? []
  return symbol === undefined ? {} : { symbol }
}

const readException: ReadLine = ([, code = "", file, line, message = ""]) => ({
  // What was logged is told by itself, where it can be seen.
  code: message.endsWith("(errors have been logged)") ? "summary" : code,
  message,
  ...(file === undefined ? {} : { file, ...lineNumber(line) })
})

const failed =
  /^(?:\d+ (?:doctests?|properties|property), )*\d+ tests?, [1-9]\d* failures?|== Compilation error|^Compilation failed due to warnings/m
const passed = /^(?:\d+ (?:doctests?|properties|property), )*\d+ tests?, 0 failures/m

export const mix = byLine({
  family: "mix",
  marks:
    /\*\* \(|^Total errors: \d+|(?<!\d)\d{1,9} tests?, \d+ failures?|^\s*error: |└─ \S+:\d+|warnings-as-errors|\[[CDFRW]\] [↗→↘↑↓]/m,
  rules: [
    [
      /^\s+\d+\) (?:test|property|doctest) (.+?) \(([\w.]+)\)$/,
      ([, test = "", module = ""], lines, at) => {
        const [, file, line] = exUnitPlace.exec(lines[at + 1] ?? "") ?? []
        const message =
          lines
            .slice(at + 2, at + 5)
            .find((next) => next.trim() !== "")
            ?.trim() ?? "failed"
        return {
          test: `${module} ${test}`,
          message,
          ...(file === undefined ? {} : { file, ...lineNumber(line) })
        }
      }
    ],
    [
      /^\s*error: (.+)$/,
      ([, message = ""], lines, at) => {
        const where = placeAfter(lines, at)
        return where.file !== undefined
          ? { code: "error", message, ...where, ...symbolIn(message) }
          : undefined
      }
    ],
    [
      /^\s*┃? ?\[([CDFRW])\] [↗→↘↑↓] (.+)$/,
      ([, code = "", message = ""], lines, at) => {
        const [, file, line] = /(\S+\.exs?):(\d+)/.exec(lines[at + 1] ?? "") ?? []
        return file === undefined ? undefined : { code: `credo ${code}`, message, file, ...lineNumber(line) }
      }
    ],
    [
      /^(\S+\.exs?):(\d+)(?::\d+)?:(\w+)$/,
      ([, file = "", line, code = ""], lines, at) => ({
        code,
        file,
        message: lines[at + 1]?.trim() ?? code,
        ...lineNumber(line)
      })
    ],
    // What ends Mix or the compiler is no log, whatever ran after it.
    [
      /^\*\* \(((?:Compile|Syntax|TokenMissing|MismatchedDelimiter)Error|Mix)\) (?:(\S+\.exs?):(\d+): )?(?!mix format failed due to )(.+)$/,
      readException
    ]
  ],
  logged: {
    rules: [[/^\*\* \((\w+(?:\.\w+)*Error|EXIT[^)]*|exit)\) (?:(\S+\.exs?):(\d+): )?(.+)$/, readException]],
    started: /^(?:Running ExUnit |==> \S|Compiling \d+ files? )/,
    passed,
    failed
  },
  failed,
  passed
})
