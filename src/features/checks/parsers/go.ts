/** Go: build, vet, test, golangci-lint. */
import { byLine, given, lineNumber } from "../lines.ts"

// Testify ends the line behind the colon.
const place = /^\s+(\S+\.go):(\d+):(?: (.*))?$/

const firstFailure = (lines: readonly string[], at: number) => {
  const near = lines.slice(at + 1, at + 12).concat(lines.slice(Math.max(0, at - 8), at))
  const [, file, line, message = ""] =
    near.flatMap((one) => place.exec(one) ?? []).length > 0
      ? (near.map((one) => place.exec(one)).find((one) => one !== null) as RegExpExecArray)
      : []
  return file === undefined
    ? { message: "failed" }
    : { file, message: message.trim() || "failed", ...lineNumber(line) }
}

const symbolIn = (message: string): { readonly symbol?: string } => {
  const [, symbol] =
    /(?:undefined: |call to |undefined \(type \S+ has no field or method )([\w.]+)/.exec(message) ?? []
  return symbol === undefined ? {} : { symbol }
}

export const go = byLine({
  family: "go",
  marks:
    /\.go:\d+|^(?:---|===) FAIL|^FAIL\b|^ok\s+\S+\s|^go: |^(?:pattern|directory|package) \S+|flag provided but not defined|-C flag must be/m,
  rules: [
    // gotestsum names the package as well.
    [/^=== FAIL: \S+ (\S+) \(/, ([, test = ""], lines, at) => ({ test, ...firstFailure(lines, at) })],
    [/^\s*--- FAIL: (\S+)/, ([, test = ""], lines, at) => ({ test, ...firstFailure(lines, at) })],
    [
      // Behind what golangci-lint says stands which linter does; the compiler adds such words too.
      /^(?:vet: )?(\.{0,2}[\w./@-]*\.go):(\d+)(?::\d+)?: (?!: #|# )(.+?)(?: \((?!overflows|truncated)([a-z][a-z\d-]+)\))?$/,
      ([, file = "", line, message = "", code]) => ({
        file,
        message,
        ...given("code", code),
        ...lineNumber(line),
        ...symbolIn(message)
      })
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
  // A test fails where one within it does.
  refined: (problems) =>
    problems.filter(
      ({ test }) => test === undefined || !problems.some((other) => other.test?.startsWith(`${test}/`))
    ),
  failed: /^FAIL(?:\t\S+.*)?$|^FAIL\s+\S+ \[/m,
  passed: /^ok\s+\S+\s+(?:\(cached\)|[\d.]+s)/m
})
