/** Rust: cargo, rustc, clippy, rustfmt, `cargo test`. */
import { byLine, given, lineNumber } from "../lines.ts"
import type { Problem } from "../Problem.ts"
import { panicOf } from "../rustTests.ts"

const place = /^\s*--> (\S+?):(\d+):\d+/

/** Which lint denies it; with hyphens or with underscores it is the same. */
const lint = /`#\[deny\(([\w:]+)\)\]`|`-D ([\w:-]+)` implied by|-D (clippy::[\w-]+)/

const ruleIn = (lines: readonly string[], at: number): string | undefined => {
  const rest = lines.slice(at + 1, at + 20)
  const end = rest.findIndex((line) => /^(?:error|warning)\b/.test(line))
  const [, ...names] =
    (end < 0 ? rest : rest.slice(0, end)).map((line) => lint.exec(line)).find((one) => one !== null) ?? []
  return names.find((name) => name !== undefined)?.replaceAll("-", "_")
}

const withoutNames = (message: string): string => message.replace(/`[^`]*`/g, "")

/** The compiler names a lint only where it denies something for the first time: what is said in the same words is the same lint. */
const withLints = (problems: readonly Problem[]): readonly Problem[] => {
  const lints = new Map(
    problems.flatMap(({ code, message, test }) =>
      code === undefined || test !== undefined || /^E\d+$/.test(code)
        ? []
        : [[withoutNames(message), code] as const]
    )
  )
  return problems.map((problem) =>
    problem.code === undefined && problem.test === undefined
      ? { ...problem, ...given("code", lints.get(withoutNames(problem.message))) }
      : problem
  )
}

const failed = /^test result: FAILED|^error: could not compile/m

export const cargo = byLine({
  family: "cargo",
  marks: /^error(?:\[E\d+\])?: |^test result: |\bpanicked at |\.rs:\d+:\d+: error|^Diff in /m,
  rules: [
    [
      /^Diff in (.+\.rs)(?: at line |:)(\d+):$/,
      ([, file = "", line]) => ({
        code: "format",
        file,
        message: "would be formatted otherwise",
        ...lineNumber(line)
      })
    ],
    [
      /^error(?:\[(E\d+)\])?: (?!could not compile|aborting due|test failed|process didn't exit|unrecognized|unexpected argument)(.+)$/,
      ([, code, message = ""], lines, at) => {
        const [, file, line] =
          lines
            .slice(at + 1, at + 4)
            .map((next) => place.exec(next))
            .find((one) => one !== null) ?? []
        const rule = ruleIn(lines, at)
        // Every other program says `error: ` too; what has no place and no code is left to others.
        if (file === undefined && code === undefined) return undefined
        return { message, ...given("code", code ?? rule), ...given("file", file), ...lineNumber(line) }
      }
    ],
    // With `-q` there is only the list at the end.
    [
      /^ {4}(\S+)$/,
      ([, test = ""], lines, at) => {
        const head = lines.slice(0, at).findLast((line) => !/^ {4}\S+$/.test(line))
        return head === "failures:" ? { test, message: "failed", ...panicOf(test, lines, at) } : undefined
      }
    ],
    [
      /^test (\S+) \.\.\. FAILED$/,
      ([, test = ""], lines, at) => ({ test, message: "failed", ...panicOf(test, lines, at) })
    ],
    [
      /^error: (no (?:such command|bin target|example target|test target).*|package ID .*|no matching package .*|could not find `Cargo.toml`.*|failed to (?:parse|load|select).*)$/,
      ([, message = ""]) => ({ code: "cargo", message })
    ]
  ],
  refined: withLints,
  logged: {
    rules: [
      // `--message-format short`
      [
        /^(\S+\.rs):(\d+):\d+: error(?:\[(E\d+)\])?: (.+)$/,
        ([, file = "", line, code, message = ""]) => ({
          file,
          message,
          ...given("code", code),
          ...lineNumber(line)
        })
      ]
    ],
    started: /^ +(?:Checking|Compiling|Doc-tests|Running) |^running \d+ tests?$/,
    passed: /^test result: ok/,
    failed
  },
  failed,
  passed: /^test result: ok|^ +Finished (?:`|dev|release|test).*\n?(?![\s\S])/m
})
