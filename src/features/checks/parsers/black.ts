/** Black: what it would format otherwise, and what it cannot read. */
import { byLine, lineNumber } from "../lines.ts"

export const black = byLine({
  family: "black",
  marks: /^would reformat |^error: cannot format |^All done! /m,
  rules: [
    [
      /^error: cannot format (.+?\.\w+): (.+?)(?:: (\d+):\d+: .*)?$/,
      ([, file = "", message = "", line]) => ({ code: "parse", file, message, ...lineNumber(line) })
    ]
  ],
  // `black --diff` says so too, and all is done.
  logged: {
    rules: [
      [
        /^would reformat (.+\.\w+)$/,
        ([, file = ""]) => ({ code: "format", file, message: "would be formatted otherwise" })
      ]
    ],
    started: /^All done! |^Oh no! /,
    passed: /^All done! /,
    failed: /^Oh no! /
  },
  // The same of Ruff ends without a full stop.
  failed:
    /(?<!^All done! [^\n]*\n)^\d+ files? would be reformatted(?:, \d+ files? would be left unchanged)?\.$/m,
  passed: /^All done! /m
})
