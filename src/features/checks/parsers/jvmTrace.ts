/** An exception that ended a program of the JVM, and its first own frame. */
import { byLine, lineNumber } from "../lines.ts"

const frame = /^\s+at (?:[\w$.@/-]+\/)?([\w$.]+)\(([\w$]+\.(?:java|kt|scala|groovy)):(\d+)\)$/
const foreign =
  /^(?:java|javax|jdk|sun|kotlin|scala|org\.(?:junit|springframework|gradle|apache|hibernate)|com\.sun)\./

/** Frames and what is said between them are looked through as far as this. */
const longestTrace = 120

/** What came of another exception is told by that one, where it shows a place. */
const hasCause = (lines: readonly string[], at: number): boolean => {
  const rest = lines.slice(at + 1, at + longestTrace)
  const end = rest.findIndex((line) => !/^\s+(?:at |\.\.\. \d+ |Suppressed: )/.test(line))
  return (
    end >= 0 &&
    /^Caused by: (?:[a-z_]\w*\.)+[A-Z]\w*(?:Exception|Error)(?:: |$)/.test(rest[end] ?? "") &&
    frame.test(rest[end + 1] ?? "")
  )
}

export const jvmTrace = byLine({
  family: "jvm",
  kind: "trace",
  marks: /^(?:Exception in thread|Caused by: |[\w.]+(?:Exception|Error)\b)/m,
  rules: [
    [
      /^(?:Exception in thread "[^"]*" |Caused by: )?((?:[a-z_][\w]*\.)+[A-Z]\w*(?:Exception|Error))(?:: (.+))?$/,
      ([, code = "", message], lines, at) => {
        const frames = lines.slice(at + 1, at + 40).map((line) => frame.exec(line))
        const own =
          frames.find((one) => one !== null && !foreign.test(one[1] as string)) ??
          frames.find((one) => one !== null)
        if (own === undefined || own === null || hasCause(lines, at)) return undefined
        const name = code.split(".").at(-1) as string
        return { code: name, message: message ?? name, file: own[2] as string, ...lineNumber(own[3]) }
      }
    ]
  ]
})
