/** .NET: the compilers, MSBuild, tests, exceptions that were not caught. */
import { byLine, lineNumber } from "../lines.ts"
import { placeAfter } from "../place.ts"

export const dotnet = byLine({
  family: "dotnet",
  marks: /\berror [A-Z]{2,7}\d{3,5}\b|^\s*Failed \S|Unhandled exception|^(?:Failed|Passed)!/m,
  rules: [
    [
      /^\s*(?:(\S.*?\.\w+)\((\d+),\d+(?:,\d+,\d+)?\)|\S*?MSBUILD|\S+\.\w*proj|CSC)\s*: error ([A-Z]{2,7}\d{3,5}): (.+?)(?: \[[^\]]+\])?$/,
      ([, file, line, code = "", message = ""]) => ({
        code,
        message,
        ...(file === undefined ? {} : { file, ...lineNumber(line) })
      })
    ],
    [
      /^\s*Failed ([\w.]+(?:\(.*\))?) \[[^\]]+\]$/,
      ([, test = ""], lines, at) => {
        const said = lines.findIndex((line, nth) => nth > at && nth < at + 4 && /Error Message:/.test(line))
        const place = placeAfter(lines, at + 1, {
          place: / in (\S.*\.\w+):line (\d+)$/,
          end: /^\s*(?:Failed|Passed|Skipped) \S/
        })
        return { test, message: (said < 0 ? undefined : lines[said + 1]?.trim()) ?? "failed", ...place }
      }
    ],
    [
      /^Unhandled exception\. ([\w.]+): (.+)$/,
      ([, code = "", message = ""], lines, at) => {
        const [, file, line] =
          lines
            .slice(at + 1, at + 20)
            .map((next) => / in (\S+\.\w+):line (\d+)/.exec(next))
            .find((one) => one !== null) ?? []
        return {
          code: code.split(".").at(-1) as string,
          message,
          ...(file === undefined ? {} : { file, ...lineNumber(line) })
        }
      }
    ]
  ],
  failed: /^(?:Build FAILED\.|Failed! +- Failed: +[1-9].*)/m,
  passed: /^(?:Build succeeded\.|Passed! +- Failed: +0)/m
})
