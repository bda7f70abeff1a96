/** Python's `unittest`, and Django's tests. */
import { byLine } from "../lines.ts"

export const unittest = byLine({
  family: "unittest",
  marks: /^Ran \d+ tests? in /m,
  rules: [
    [
      /^(?:FAIL|ERROR): (\S+) \(([^)]+)\)/,
      ([, name = "", of = ""], lines, at) => {
        const end = lines.findIndex((line, nth) => nth > at + 2 && /^[=-]{20,}$/.test(line))
        const last = lines
          .slice(at + 1, end < 0 ? undefined : end)
          .findLast((line) => /^[A-Za-z_][\w.]*(?:Error|Exception)?:? /.test(line))
        return { test: `${of}.${name}`, message: last ?? "failed" }
      }
    ]
  ],
  failed: /^FAILED \(/m,
  passed: /^OK(?: \(.*\))?$/m
})
