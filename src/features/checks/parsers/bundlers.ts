/** Bundlers and frameworks of JavaScript: esbuild, Vite, Next, webpack. */
import { byLine, lineNumber } from "../lines.ts"

export const bundlers = byLine({
  family: "bundler",
  marks:
    /^[✘X] \[ERROR\]|Could not resolve|Module not found|^Failed to compile|error during build|RollupError/m,
  rules: [
    [
      /^[✘X] \[ERROR\] (.+)$/,
      ([, message = ""], lines, at) => {
        const [, file, line] =
          lines
            .slice(at + 1, at + 4)
            .map((next) => /^\s+(\S+?\.\w+):(\d+):\d+:/.exec(next))
            .find((one) => one !== null) ?? []
        return { message, ...(file === undefined ? {} : { file, ...lineNumber(line) }) }
      }
    ],
    [
      /^Type error: (.+)$/,
      ([, message = ""], lines, at) => {
        const [, file, line] = /^(\S+\.\w+):(\d+):\d+$/.exec(lines[at - 1] ?? "") ?? []
        return file === undefined ? undefined : { code: "types", file, message, ...lineNumber(line) }
      }
    ],
    [
      /^(?:Module not found: |.*\bRollupError: |\[vite\]: )(.+)$/,
      ([, message = ""]) => ({ code: "resolve", message })
    ]
  ],
  failed: /^(?:Failed to compile|error during build).*/m
})
