/** An exception that ended a program of Ruby. */
import { byLine, lineNumber } from "../lines.ts"

export const rubyTrace = byLine({
  family: "ruby",
  kind: "trace",
  marks: /\.rb:\d+:in [`']|\((?:\w+::)*\w*(?:Error|Exception)\)/,
  rules: [
    [
      /^(?:\S+: )?(\S+?\.\w+):(\d+):(?:in [`'].+?['`]:)? (.+?) \(((?:\w+::)*\w+)\)$/,
      ([, file = "", line, message = "", code = ""]) => ({ code, file, message, ...lineNumber(line) })
    ]
  ]
})
