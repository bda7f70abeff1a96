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
  failed: /^\d+ files? inspected, [1-9]\d* offenses? detected.*/m,
  passed: /^\d+ files? inspected, no offenses detected/m
})
