/** Maven: the Java and Kotlin compilers, Surefire, the build itself. */
import { byLine, lineNumber } from "../lines.ts"

export const maven = byLine({
  family: "maven",
  marks: /^\[(?:ERROR|INFO)\] /m,
  rules: [
    [
      /^\[ERROR\] (?:file:\/\/)?(\S+\.(?:java|kt|scala)):\[?(\d+)(?:,|:)\d+\]? (.+)$/,
      ([, file = "", line, message = ""]) => ({ code: "compile", file, message, ...lineNumber(line) })
    ],
    [
      /^\[ERROR\] +([\w.$]+\.\w+):(\d+) (?:» )?(.+)$/,
      ([, test = "", line, message = ""]) => ({ test, message, ...lineNumber(line) })
    ],
    [
      /^\[ERROR\] (Could not resolve dependencies .+?|No plugin found .+?|Unknown lifecycle phase .+?|The goal you specified .+?)(?::|\.|$)/,
      ([, message = ""]) => ({ code: "build", message })
    ]
  ],
  failed: /^\[(?:ERROR|INFO)\] (?:BUILD FAILURE|Tests run: \d+, Failures: [1-9].*)/m,
  passed: /^\[INFO\] BUILD SUCCESS/m
})
