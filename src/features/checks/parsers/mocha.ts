/** Mocha. */
import { byLine } from "../lines.ts"
import { jsFrame, placeAfter } from "../place.ts"

export const mocha = byLine({
  family: "mocha",
  marks: /^\s+\d+ (?:passing|failing)\b/m,
  rules: [
    [
      /^ {2,4}\d+\) (\S.*)$/,
      ([, suite = ""], lines, at) => {
        const rest = lines.slice(at + 1, at + 6)
        const end = rest.findIndex((line) => /:$/.test(line))
        // In the list of tests the same mark stands without what went wrong.
        if (end < 0) return undefined
        const test = [suite, ...rest.slice(0, end + 1)]
          .map((line) => line.trim())
          .join(" ")
          .replace(/:$/, "")
        const message = rest
          .slice(end + 1)
          .concat(lines.slice(at + 6, at + 9))
          .find((line) => line.trim() !== "")
        const place = placeAfter(lines, at + 1, { place: jsFrame, end: /^ {2,4}\d+\) \S/ })
        return { test, message: message?.trim() ?? "failed", ...place }
      }
    ]
  ],
  failed: /^\s+[1-9]\d* failing\b/m,
  passed: /^\s+\d+ passing\b/m
})
