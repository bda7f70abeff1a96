/** The shell itself: programs and files that are not there, syntax it does not understand. */
import { byLine } from "../lines.ts"

export const shell = byLine({
  family: "shell",
  kind: "trace",
  marks:
    /not found|No such file or directory|Permission denied|Operation not permitted|syntax error|unexpected|no matches found|not a directory|Is a directory|can't read|unbound variable/i,
  rules: [
    [
      /\bcommand not found: (\S+)$/,
      ([, symbol = ""]) => ({ code: "command not found", symbol, message: `command not found: ${symbol}` })
    ],
    [
      /^(?:\S*(?:sh|\(eval\)|env|exec|timeout|xargs|sudo|nohup|\.sh|\w)(?::| \d+:)(?: line)?:? ?\d*:? ?)*?'?‘?([\w./@~+-]+)'?’?: (?:command )?not found$/,
      ([, symbol = ""]) => ({
        code: "command not found",
        symbol: symbol.split("/").at(-1) ?? symbol,
        message: `command not found: ${symbol}`
      })
    ],
    [
      /^(?:.*: )?(?:line \d+: )?cd(?::\d+)?: (?:(?:no such file or directory|not a directory): )?(.+?)(?:: (?:No such file or directory|Not a directory))?$/i,
      ([, file = ""]) => ({ code: "cd", file, message: "no such directory" })
    ],
    [
      /^(?:.*: )?can't read (\S+): No such file or directory$/,
      ([, file = ""]) => ({ code: "no such file", file, message: "no such file" })
    ],
    [
      /^\(eval\):\d+: no such file or directory: (\S+)$/,
      ([, file = ""]) => ({ code: "no such file", file, message: "no such file" })
    ],
    [
      /^(?!(?:ls|cat|grep|rg|head|tail|find|stat|wc|file|rmdir|rm|sed|awk|diff): )(?:.*: )?(?:cannot \w+ )?['‘"]?([\w./@~+-]+)['’"]?: No such file or directory$/,
      ([, file = ""]) => ({ code: "no such file", file, message: "no such file" })
    ],
    [
      // How a system call is told of in Go: the call, the file, and what came of it.
      /^(?:open|stat|lstat|chdir|mkdir|readlink|remove|fork\/exec) (\S+): (no such file or directory|permission denied|not a directory)$/,
      ([, file = "", message = ""]) => ({
        code: message === "permission denied" ? "permission" : "no such file",
        file,
        message: message === "no such file or directory" ? "no such file" : message
      })
    ],
    [/^(?:\(eval\)|zsh):(?:\d+:)? (=\S* not found)$/, ([, message = ""]) => ({ code: "syntax", message })],
    [
      /^stat (\S+): directory not found$/,
      ([, file = ""]) => ({ code: "no such file", file, message: "no such directory" })
    ],
    [
      /^(?:.*: )?([\w./@~+-]+): (?:Permission denied|Operation not permitted)$/,
      ([, file = ""]) => ({ code: "permission", file, message: "permission denied" })
    ],
    [
      /^(?:\S*sh|\(eval\)|.*: line \d+)(?::\d+)?:.*?((?:syntax error|parse error|unexpected EOF|unbound variable|bad substitution|event not found|no matches found|unmatched).*)$/i,
      ([, message = ""]) => ({ code: "syntax", message })
    ]
  ]
})
