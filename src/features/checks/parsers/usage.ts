/** A command line that a program does not understand: unknown options, unknown sub-commands. */
import { byLine } from "../lines.ts"

export const usage = byLine({
  family: "usage",
  kind: "trace",
  marks:
    /unknown|unrecogni[sz]ed|invalid (?:choice|option)|illegal option|unexpected argument|No such (?:option|command)|required|not defined/i,
  rules: [
    [
      /^(?:\S+: )*(?:[Ee]rror: )?(?:unknown|unrecogni[sz]ed|invalid|illegal|unexpected) (?:command|sub-?command|option|flag|argument|shorthand flag|long flag|arguments?)s?:? ?(?:-- ?)?["'`]?(-{0,2}[\w.=-]+)?/i,
      ([message, symbol = ""]) => ({ code: "usage", symbol, message: message.trim() })
    ],
    [
      /^(?:\S+: )*(?:[Ee]rror: )?(?:argument \S+: )?invalid choice: ['"]?([\w.-]+)/,
      ([message, symbol = ""]) => ({ code: "usage", symbol, message: message.trim() })
    ],
    [
      /^(?:[Ee]rror: )?No such (?:option|command):? ['"]?([\w.-]+)/,
      ([message, symbol = ""]) => ({ code: "usage", symbol, message: message.trim() })
    ],
    [
      /^(?:\S+: )*error: (?:the following (?:required )?arguments (?:are|were not).*)$/,
      ([message]) => ({ code: "usage", message: message.trim() })
    ]
  ]
})
