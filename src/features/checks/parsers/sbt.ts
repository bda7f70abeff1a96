/** sbt: the Scala compilers, ScalaTest. */
import { byLine, lineNumber } from "../lines.ts"

export const sbt = byLine({
  family: "sbt",
  marks: /^\[(?:error|success)\] |\*\*\* FAILED \*\*\*/m,
  rules: [
    [
      /^\[error\] (\S+\.(?:scala|java)):(\d+):(?:\d+:)? (.+)$/,
      ([, file = "", line, message = ""]) => ({ code: "compile", file, message, ...lineNumber(line) })
    ],
    [
      /^\[error\] -- (?:\[(E\d+)\] )?([\w ]+): (\S+\.scala):(\d+):\d+/,
      ([, code = "compile", message = "", file = "", line]) => ({ code, file, message, ...lineNumber(line) })
    ],
    [
      /^\[info\] - (.+?) \*\*\* FAILED \*\*\*/,
      ([, test = ""], lines, at) => ({
        test,
        message: (lines[at + 1] ?? "").replace(/^\[info\]\s+/, "").trim() || "failed"
      })
    ]
  ],
  failed: /^\[error\] \([^)]{1,80}\) .*(?:failed|unsuccessful)/im,
  passed: /^\[success\] /m
})
