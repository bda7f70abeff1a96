/** Gradle: tasks that failed, dependencies, the Kotlin and Java compilers, tests. */
import { byLine, lineNumber } from "../lines.ts"
import { placeAfter } from "../place.ts"

export const gradle = byLine({
  family: "gradle",
  marks: /^> Task |^BUILD (?:FAILED|SUCCESSFUL)|^e: |\.(?:java|kt|kts|scala):\d+/m,
  rules: [
    [
      /^e: (?:file:\/\/)?(\S+?\.kts?):(\d+):\d+:? (.+)$/,
      ([, file = "", line, message = ""]) => ({ code: "compile", file, message, ...lineNumber(line) })
    ],
    [
      /^(\S+\.kts?):(\d+):\d+: error: (.+)$/,
      ([, file = "", line, message = ""]) => ({ code: "compile", file, message, ...lineNumber(line) })
    ],
    [
      /^(\S+\.(?:java|scala)):(\d+): error: (.+)$/,
      ([, file = "", line, message = ""]) => ({ code: "compile", file, message, ...lineNumber(line) })
    ],
    [
      /^(\S.*?) > (\S.*?)(?:\(\))? FAILED$/,
      ([, suite = "", name = ""], lines, at) => ({
        test: `${suite} ${name}`,
        message: lines[at + 1]?.trim() || "failed",
        ...placeAfter(lines, at + 1, {
          place: /\bat (\S+\.(?:java|kt|groovy|scala)):(\d+)$/,
          end: / FAILED$|^$/
        })
      })
    ],
    [
      /^\s*> (Could not find ([\w.-]+:[\w.-]+:[\w.+-]*\w))\.?$/,
      ([, message = "", symbol = ""]) => ({ code: "dependency", symbol, message })
    ],
    [
      /^(Could not (?:resolve|determine|find|create) .+?|Task '.+' not found .+?|Could not open .+?)\.?$/,
      ([, message = ""]) => ({ code: "build", message })
    ]
  ],
  failed: /^(?:BUILD FAILED|\d+ tests completed, [1-9]\d* failed).*/m,
  passed: /^BUILD SUCCESSFUL/m
})
