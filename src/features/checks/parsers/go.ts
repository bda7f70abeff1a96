/** Go: build, vet, test, golangci-lint. */

import { saidByLinter } from "../golangci.ts"
import { failedTest, summedTest } from "../goTests.ts"
import { byLine, lineNumber } from "../lines.ts"

const symbolIn = (message: string): { readonly symbol?: string } => {
  const [, symbol] =
    /(?:undefined: |call to |declared and not used: |undefined \(type \S+ has no field or method )([\w.]+)/.exec(
      message
    ) ?? []
  return symbol === undefined ? {} : { symbol }
}

export const go = byLine({
  family: "go",
  marks:
    /\.go:\d+|^(?:---|===) FAIL|^FAIL\b|^ok\s+\S+\s|^go: |^(?:pattern|directory|package) \S+|flag provided but not defined|-C flag must be/m,
  rules: [
    [/^=== FAIL: (\S+) (\S+) \(/, summedTest],
    [/^\s*--- FAIL: (\S+)/, failedTest],
    [
      /^(?:vet: )?(\.{0,2}[\w./@-]*\.go):(\d+)(?::\d+)?: (?!: #|# )(.+)$/,
      ([, file = "", line, said = ""]) => {
        const found = saidByLinter(said)
        return { file, ...found, ...lineNumber(line), ...symbolIn(found.message) }
      }
    ],
    [
      /^(?:go: |go (?:build|test|vet|run): )(?!downloading |finding |added |upgraded |extracting |to add |warning)(.+)$/,
      ([, message = ""]) => ({ code: "go", message })
    ],
    [
      /^(?:pattern \S+: )?(directory (?:prefix|not found|\S+ (?:outside|not)).*)$/,
      ([, message = ""]) => ({ code: "go", message })
    ],
    [
      /^(?:\S+\.go:\d+:\d+: )?(no required module provides package \S+|package \S+ is not in (?:std|GOROOT).*)$/,
      ([, message = ""]) => ({ code: "module", message })
    ],
    [
      /^(flag provided but not defined: \S+|invalid value .* for flag.*|-C flag must be first.*)$/,
      ([, message = ""]) => ({ code: "usage", message })
    ]
  ],
  // What a test and one within it print at the same line is told once.
  refined: (problems) =>
    problems.filter(
      ({ file, line, test }) =>
        test === undefined ||
        !problems.some(
          (other) => other.test?.startsWith(`${test}/`) && other.file === file && other.line === line
        )
    ),
  failed: /^FAIL(?:\t\S+.*)?$|^FAIL\s+\S+ \[/m,
  passed: /^ok\s+\S+\s+(?:\(cached\)|[\d.]+s)/m
})
