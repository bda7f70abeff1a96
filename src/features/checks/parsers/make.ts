/** make. */
import { byLine } from "../lines.ts"

export const make = byLine({
  family: "make",
  marks: /^g?make(?:\[\d+\])?: \*\*\* /m,
  rules: [
    [
      /^g?make(?:\[\d+\])?: \*\*\* (No rule to make target .+?)\. +Stop\.$/,
      ([, message = ""]) => ({ code: "rule", message })
    ],
    [
      /^g?make(?:\[\d+\])?: \*\*\* (\S+:\d+: .+?)\. +Stop\.$/,
      ([, message = ""]) => ({ code: "makefile", message })
    ]
  ],
  failed: /^g?make(?:\[\d+\])?: \*\*\* /m
})
