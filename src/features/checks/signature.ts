/** The name under which the same problem is known again, in this session and in later ones. Pure. */
import { createHash } from "node:crypto"
import type { Problem } from "./Problem.ts"

/** Stands before every signature: one that is made differently is never taken for one of these. */
export const signatureVersion = "1"

const longestMessage = 240

const baseOf = (path: string | undefined): string => path?.split(/[\\/]/).at(-1)?.toLowerCase() ?? ""

/** From the special to the general: what is masked as a path is not looked at as a number. */
const masks: readonly (readonly [RegExp, string])[] = [
  [/[\w.+-]+@[\w-]+\.[\w.]+/g, "‹mail›"],
  [/\b[a-z][a-z+]{1,12}:\/\/[^\s"'`)>\]]+/gi, "‹url›"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "‹uuid›"],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?\b/g, "‹date›"],
  [/\b0x[0-9a-f]+\b/gi, "‹hex›"],
  [/\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}\b/gi, "‹hex›"],
  [/\b\d+(?:\.\d+)? ?(?:ms|s|secs?|seconds?|min|minutes?|µs|us|ns)\b/gi, "‹time›"]
]

/** A path keeps its last part: the folder differs from one machine and one copy to the other. */
const path = /(?:[A-Za-z]:)?(?:[\w.@~+-]*[\\/])+([\w.@~+-]*)/g

/** The message without what differs from run to run. */
export const maskedMessage = (message: string): string =>
  masks
    .reduce((text, [pattern, mark]) => text.replace(pattern, mark), message)
    .replace(path, (_, last: string) => `‹path›${last}`)
    .replace(/:\d+(?::\d+)?\b/g, "")
    .replace(/\d+/g, "‹n›")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase()
    .slice(0, longestMessage)

/** Runners whose own name of a test holds no file: which one it is stands in what the test printed, and a filter may have cut that off. */
const namesTestsAlone = /^(?:unittest|mocha|node:test|cargo|dotnet|gradle) |^php .*::/

/** The file, where it is a part of what a problem is known by: what no linker finds is missing wherever it is used. */
export const knownFile = ({ code, family, file, test }: Problem): string | undefined => {
  const isKnownAlone = test === undefined ? code === "link" : namesTestsAlone.test(`${family} ${test}`)
  return isKnownAlone ? undefined : file
}

const hashOf = (parts: readonly string[]): string =>
  `${signatureVersion}:${createHash("sha256").update(parts.join("\u0000")).digest("hex").slice(0, 16)}`

/** Without line numbers; the file by its name alone. */
export const signatureOfProblem = (problem: Problem): string => {
  const { code = "", family, message, symbol = "", test = "" } = problem
  return hashOf([
    family,
    code,
    test,
    maskedMessage(test === "" ? message : withoutValues(message)),
    baseOf(knownFile(problem)),
    symbol
  ])
}

/** What a test expected and got differs from one attempt to the next. */
const withoutValues = (message: string): string => message.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, "‹text›")

/** Of the same sort, wherever it stands: the kind of mistake, not the place. */
export const patternOfProblem = ({ code = "", family, message }: Problem): string =>
  hashOf([
    "pattern",
    family,
    code,
    code === "" ? maskedMessage(message).replace(/["'`][^"'`]*["'`]/g, "‹text›") : ""
  ])
