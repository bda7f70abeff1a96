/** Vitest. */
import { byLine } from "../lines.ts"
import { lineAfter } from "../place.ts"

const assertion = /^\s*(?:\w*Error|AssertionError|Error): (.+)$/

const errorAfter = (lines: readonly string[], at: number): string =>
  lines.slice(at + 1, at + 4).flatMap((line) => assertion.exec(line)?.[0].trim() ?? [])[0] ?? "failed"

const account = (file: string) => ({
  place: /^\s*(?:❯ (?:.* )?|File: )(\S+?):(\d+):\d+$/,
  end: /^ *FAIL {1,2}\S/,
  file
})

export const vitest = byLine({
  family: "vitest",
  marks: /\bTests? +\d+ (?:failed|passed)|^ *FAIL {2}/m,
  rules: [
    [
      /^ *FAIL +(?:\|[^|]*\| *)?(\S+\.\w+) > (.+)$/,
      ([, file = "", test = ""], lines, at) => ({
        file,
        test,
        message: errorAfter(lines, at),
        ...lineAfter(lines, at + 1, account(file))
      })
    ],
    [
      /^ *FAIL +(?:\|[^|]*\| *)?(\S+\.\w+) \[ \S+ \]$/,
      ([, file = ""], lines, at) => ({
        file,
        code: "suite",
        message: errorAfter(lines, at),
        ...lineAfter(lines, at + 1, account(file))
      })
    ]
  ],
  failed: /^\s*(?:Test Files|Tests) +\d+ failed/m,
  passed: /^\s*Tests +\d+ passed/m
})
