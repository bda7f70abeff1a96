/** pytest. */
import { byLine } from "../lines.ts"

const codeIn = (message: string): { readonly code?: string } => {
  const [, code] =
    /^(?:E +)?([A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt))\b/.exec(message) ?? []
  return code === undefined ? {} : { code }
}

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
        return message === undefined ? undefined : { file, message, ...codeIn(message) }
      }
    ]
  ],
  // A file that cannot be collected is told with its error, and once more in the sum.
  refined: (problems) =>
    problems.filter(
      ({ file, test }, at) =>
        test !== undefined ||
        problems.findIndex((other) => other.file === file && other.test === undefined) === at
    ),
  failed: /^=+ .*\b[1-9]\d* (?:failed|errors?)\b.*=+$|^[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s/m,
  passed: /^=+ .*\b\d+ passed\b.*=+$|^\d+ passed\b.* in [\d.]+s/m
})
