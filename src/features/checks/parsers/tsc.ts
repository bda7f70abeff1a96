/** TypeScript's compiler, also under the names of those that call it: `vue-tsc`, `svelte-check`. */
import { byLine, lineNumber } from "../lines.ts"

const symbolIn = (message: string): { readonly symbol?: string } => {
  const [, symbol] = /'([^']{1,80})'/.exec(message) ?? []
  return symbol === undefined ? {} : { symbol }
}

export const tsc = byLine({
  family: "tsc",
  marks: /\bTS\d{4,5}\b/,
  rules: [
    [
      /^\s*(\S[^(:]*?)(?:\((\d+),\d+\)|:(\d+):\d+)(?::| -)? error (TS\d+): (.+)$/,
      ([, file = "", one, other, code = "", message = ""]) => ({
        code,
        file,
        message,
        ...lineNumber(one ?? other),
        ...symbolIn(message)
      })
    ],
    [/^error (TS\d+): (.+)$/, ([, code = "", message = ""]) => ({ code, message, ...symbolIn(message) })]
  ],
  // mypy and Ruff sum up with the same first words.
  failed: /^Found [1-9]\d* errors?(?=\.| in (?!\d+ files? \())/m
})
