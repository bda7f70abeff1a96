/** RuboCop and Standard. */
import { byLine, lineNumber } from "../lines.ts"

export const rubocop = byLine({
  family: "rubocop",
  marks: /\boffenses? detected|^\S+\.rb:\d+:\d+: [CWEF]: /m,
  rules: [
    [
      /^(\S+\.\w+):(\d+):\d+: [CWEF]: (?:\[Correctable\] )?([\w/]+): (.+)$/,
      ([, file = "", line, code = "", message = ""]) => ({ code, file, message, ...lineNumber(line) })
    ]
  ],
  // What it has corrected is no offense any more.
  failed:
    /^\d+ files? inspected, (?!(?<mended>\d+) offenses? detected, \k<mended> (?:offenses? )?corrected\b)[1-9]\d* offenses? detected.*/m,
  passed:
    /^\d+ files? inspected, (?:no offenses detected|(?<all>\d+) offenses? detected, \k<all> (?:offenses? )?corrected\b)/m
})
