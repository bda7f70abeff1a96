/** Rust: cargo, rustc, clippy, `cargo test`. */
import { byLine, given, lineNumber } from "../lines.ts"

const place = /^\s*--> (\S+?):(\d+):\d+/

export const cargo = byLine({
  family: "cargo",
  marks: /^error(?:\[E\d+\])?: |^test result: |\bpanicked at /m,
  rules: [
    [
      /^error(?:\[(E\d+)\])?: (?!could not compile|aborting due|test failed|process didn't exit|unrecognized|unexpected argument)(.+)$/,
      ([, code, message = ""], lines, at) => {
        const [, file, line] =
          lines
            .slice(at + 1, at + 4)
            .map((next) => place.exec(next))
            .find((one) => one !== null) ?? []
        const rule = lines
          .slice(at, at + 14)
          .flatMap(
            (next) => /`#\[deny\((\S+?)\)\]`|-D (clippy::\S+)/.exec(next)?.slice(1).find(Boolean) ?? []
          )[0]
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
        return head === "failures:" ? { test, message: "failed" } : undefined
      }
    ],
    [/^test (\S+) \.\.\. FAILED$/, ([, test = ""]) => ({ test, message: "failed" })],
    [
      /^error: (no (?:such command|bin target|example target|test target).*|package ID .*|no matching package .*|could not find `Cargo.toml`.*|failed to (?:parse|load|select).*)$/,
      ([, message = ""]) => ({ code: "cargo", message })
    ]
  ],
  failed: /^test result: FAILED|^error: could not compile/m,
  passed: /^test result: ok|^ +Finished (?:`|dev|release|test).*\n?(?![\s\S])/m
})
