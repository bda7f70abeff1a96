/** Where no parser understands an output: the line of it that most likely says what went wrong. Pure. */
import { linesOf } from "./lines.ts"
import type { Problem } from "./Problem.ts"

const telling =
  /\b(?:error|exception|fail(?:ed|ure)?|fatal|panic|cannot|can't|could not|not found|no such|denied|invalid|unknown|unable|missing|refused|timed? ?out)\b/i
const heading = /^(?:exit code:? \d+|traceback .*|error:?|failed)$/i
const longest = 300

/** The last line that sounds like it, else the last that says anything. */
export const lastError = (text: string): string => {
  const lines = linesOf(text)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !heading.test(line))
  return (lines.findLast((line) => telling.test(line)) ?? lines.at(-1) ?? "").slice(0, longest)
}

export const unparsed = "unparsed"

export const fallbackProblem = (text: string): Problem => {
  const message = lastError(text)
  return { family: unparsed, message: message === "" ? "Unknown error" : message }
}
