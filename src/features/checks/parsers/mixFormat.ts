/** `mix format --check-formatted`. */
import { byLine } from "../lines.ts"

export const mixFormat = byLine({
  family: "mix",
  marks: /^The following files (?:are|were) not formatted:/m,
  rules: [
    [
      /^\s+\* (\S.*\.\w+)$/,
      ([, file = ""]) => ({ code: "format", file, message: "would be formatted otherwise" })
    ]
  ],
  failed: /^\*\* \(Mix\) mix format failed due to --check-formatted/m
})
