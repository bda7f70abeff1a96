/** Warnings of the Elixir compiler, where they end it: `mix compile --warnings-as-errors`. */
import { byLine } from "../lines.ts"
import { placeAfter, symbolIn } from "./mix.ts"

export const mixWarnings = byLine({
  family: "mix",
  marks: /^Compilation failed due to warnings/m,
  rules: [
    [
      /^\s*warning: (.+)$/,
      ([, message = ""], lines, at) => {
        const where = placeAfter(lines, at)
        return where.file === undefined
          ? undefined
          : { code: "warning", message, ...where, ...symbolIn(message) }
      }
    ]
  ]
})
