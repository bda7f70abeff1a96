/** `go test -json`: what `go test` prints, each line in an object of its own. */
import { linesOf } from "../lines.ts"
import { nothingReported, type Parser } from "../Problem.ts"
import { go } from "./go.ts"

interface Told {
  readonly Action?: unknown
  readonly Output?: unknown
  readonly Package?: unknown
  readonly Test?: unknown
}

/** Of an output that was cut, the end of a test may be all that is left of it. */
const outputIn = (line: string): string => {
  try {
    const { Action, Output, Package, Test } = JSON.parse(line) as Told
    if (Action === "output" && typeof Output === "string") return Output
    if (Action === "fail") return Test === undefined ? `FAIL\t${Package}\n` : `--- FAIL: ${Test}\n`
    return ""
  } catch {
    // Cut off, or printed by something else.
    return ""
  }
}

export const goTestJson: Parser = {
  family: "go",
  kind: "report",
  marks: /^\{"(?:Time|Action|ImportPath)":.*"Action":"(?:output|fail|pass)"/m,
  parse: (text) => {
    const printed = linesOf(text)
      .filter((line) => line.startsWith("{"))
      .map(outputIn)
      .join("")
    return printed === "" ? nothingReported : go.parse(printed)
  }
}
