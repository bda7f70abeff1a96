/** pytest. */
import { byLine } from "../lines.ts"
import type { Problem } from "../Problem.ts"
import { lineAfter, placedBy } from "../place.ts"

const codeIn = (message: string): { readonly code?: string } => {
  const [, code] =
    /^(?:E +)?([A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt))\b/.exec(message) ?? []
  return code === undefined ? {} : { code }
}

const heading = /^_{3,} (?:ERROR at \w+ of )?(\S+(?: \S+)*?) _{3,}$/
const place = /^(?:file )?(\S+\.py)(?::|, line )(\d+)(?::|$)/

/** By the name that stands above what is said of a test, the last line in each file: `TestA.test_x[1]`. */
const linesOfTests = (lines: readonly string[]): ReadonlyMap<string, ReadonlyMap<string, number>> => {
  const all = new Map<string, Map<string, number>>()
  let test: string | undefined
  for (const line of lines) {
    test = /^=+ /.test(line) ? undefined : (heading.exec(line)?.[1] ?? test)
    const [, file = "", digits] = test === undefined ? [] : (place.exec(line) ?? [])
    if (test === undefined || digits === undefined) continue
    const files = all.get(test) ?? new Map<string, number>()
    all.set(test, files.set(file, Number(digits)))
  }
  return all
}

/** Under one root, from which a path may be told by its end alone. */
const rooted = (path: string): string => `/${path.replaceAll("\\", "/").replace(/^(?:\.{1,2}\/)+/, "")}`

/** The one is told from where pytest was started, the other from the root of the project. */
const lineIn = (files: ReadonlyMap<string, number>, file: string): number | undefined => {
  const own = rooted(file)
  const [, line] =
    [...files].find(([path]) => rooted(path) === own) ??
    [...files].findLast(([path]) => own.endsWith(rooted(path)) || rooted(path).endsWith(own)) ??
    []
  return line
}

const withLines = (problems: readonly Problem[], text: string): readonly Problem[] =>
  placedBy(problems, text, (lines) => {
    const all = linesOfTests(lines)
    return ({ file = "", test = "" }) => {
      const line = lineIn(all.get(test.replaceAll("::", ".")) ?? new Map(), file)
      return line === undefined ? undefined : { line }
    }
  })

export const pytest = byLine({
  family: "pytest",
  marks:
    /^=+ .*(?:passed|failed|errors?|no tests ran).* =+$|^(?:FAILED|ERROR) \S+\.py|^\d+ (?:passed|failed)\b|^E {2}/m,
  rules: [
    [
      /^(?:FAILED|ERROR) (\S+?\.py)(?:::(\S+?(?:\[.*?\])?))?(?: - (.+))?$/,
      ([, file = "", test = "", message = "failed"]) => ({
        file,
        ...(test === "" ? {} : { test }),
        message,
        ...codeIn(message)
      })
    ],
    [
      /^_{3,} (?:ERROR collecting )?(\S+\.py) _{3,}$/,
      ([, file = ""], lines, at) => {
        const message = lines
          .slice(at + 1)
          .find((line) => /^E +\S/.test(line))
          ?.replace(/^E +/, "")
        const line = lineAfter(lines, at + 1, { place, end: /^(?:_{3,}|=+) /, file })
        return message === undefined ? undefined : { file, message, ...codeIn(message), ...line }
      }
    ]
  ],
  // A file that cannot be collected is told with its error, and once more in the sum.
  refined: (problems, text) =>
    withLines(
      problems.filter(
        ({ file, test }, at) =>
          test !== undefined ||
          problems.findIndex((other) => other.file === file && other.test === undefined) === at
      ),
      text
    ),
  failed: /^=+ .*\b[1-9]\d* (?:failed|errors?)\b.*=+$|^[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s/m,
  passed: /^=+ .*\b\d+ passed\b.*=+$|^\d+ passed\b.* in [\d.]+s/m
})
