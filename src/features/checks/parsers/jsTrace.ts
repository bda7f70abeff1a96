/** An error that ended a program of JavaScript: its name, and the first frame that is no package's. */
import { byLine } from "../lines.ts"

const frame =
  /^\s+at (?:async )?(?:.*?\()?(?:file:\/\/)?((?:\/|[A-Za-z]:\\|\.{1,2}\/|webpack:)[^\s()]*?):(\d+)(?::\d+)?\)?$/

export const jsTrace = byLine({
  family: "javascript",
  kind: "trace",
  marks: /^(?:Uncaught |\w+ \[)?\w*(?:Error|Exception)\b.*: |^\s+at .+:\d+/m,
  rules: [
    [
      /^(?:\s*|Uncaught |error: |Unhandled .*?)((?:[A-Z]\w*)?(?:Error|Exception))(?: \[([A-Z_]+)\])?: (.+)$/,
      ([, name = "", code, message = ""], lines, at) => {
        const frames = lines.slice(at + 1, at + 30).flatMap((line) => frame.exec(line)?.[1] ?? [])
        if (
          frames.length === 0 &&
          !/^\s*(?:at |Require stack|Did you mean to import|\^)/.test(lines.slice(at + 1, at + 3).join("\n"))
        )
          return undefined
        const [, symbol, importer] =
          /Cannot find (?:module|package) '([^']+)'(?: imported from ['"]?(\S+\.\w+))?/.exec(message) ?? []
        const own = frames.find((file) => !/node_modules|node:|^internal/.test(file)) ?? importer
        return {
          code: code ?? name,
          message,
          ...(own === undefined ? {} : { file: own }),
          ...(symbol === undefined ? {} : { symbol })
        }
      }
    ]
  ]
})
