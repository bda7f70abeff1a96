/** git. */
import { byLine } from "../lines.ts"

export const git = byLine({
  family: "git",
  kind: "trace",
  marks: /^(?:fatal|error|The following paths are ignored)|! \[(?:remote )?rejected\]|^hint: |^git: '/m,
  rules: [
    [
      // Of which branch does not matter: it is another one the next time.
      /^fatal: The current branch \S+ has no upstream branch/,
      () => ({ code: "fatal", message: "The current branch has no upstream branch." })
    ],
    [
      /^git: '(\S+)' is not a git command/,
      ([, symbol = ""]) => ({ code: "usage", symbol, message: `'${symbol}' is not a git command` })
    ],
    [/^fatal: (.+)$/, ([, message = ""]) => ({ code: "fatal", message })],
    [
      /^The following paths are ignored by one of your \.gitignore files:/,
      (_, lines, at) => ({ code: "ignored", file: lines[at + 1]?.trim() ?? "", message: "path is ignored" })
    ],
    [/^\s*! \[(?:remote )?rejected\].*\((.+)\)$/, ([, message = ""]) => ({ code: "rejected", message })],
    [
      /^error: (pathspec .+|failed to push some refs.*|Your local changes.*|The following untracked.*|cannot .*|could not .*|patch .*|src refspec .*|unable to .*|you need to resolve .*|Committing is not possible.*|The branch .*)$/,
      ([, message = ""]) => ({ code: "error", message: message.replace(/ to '.*'$/, "") })
    ]
  ]
})
