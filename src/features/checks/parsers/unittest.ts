/** Python's `unittest`, and Django's tests. */
import { byLine } from "../lines.ts"

const frame = /^ {2}File "([^"]+)", line (\d+), in (\S+)$/

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
        const frames = lines.slice(at + 1, end < 0 ? undefined : end).flatMap((line) => {
          const [, file, digits, within] = frame.exec(line) ?? []
          return file === undefined ? [] : [{ file, line: Number(digits), within }]
        })
        const own = frames.find(({ within }) => within === name)
        return {
          test: `${of}.${name}`,
          message: last ?? "failed",
          ...(own === undefined ? {} : { file: own.file, line: own.line })
        }
      }
    ]
  ],
  failed: /^FAILED \(/m,
  passed: /^OK(?: \(.*\))?$/m
})
