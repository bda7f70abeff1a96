/** Package managers: npm, pnpm, yarn, bun, pip, uv, poetry, Bundler, apt, brew. */
import { byLine, given } from "../lines.ts"

const missing = (message: string): { readonly symbol?: string } => {
  const [, symbol] =
    /(?:script:? |package |module |distribution found for |Script not found |locate package |Command )(?!not found)["'`]?([\w@./:-]+)/i.exec(
      message
    ) ?? []
  return symbol === undefined ? {} : { symbol }
}

const isNoMatch = /^ERROR: No matching distribution found for /

export const packages = byLine({
  family: "packages",
  kind: "trace",
  marks:
    /npm (?:ERR!|error)|ERR_PNPM|^➤ YN|^error Command|^error: (?:Script|Failed|No )|^ERROR: |No solution found|^E: |Script not found|^error: |^Could not find (?:gem|\S+ in )|could not find compatible versions|poetry\.lock/m,
  rules: [
    [
      /^npm (?:ERR!|error) code (\S+)$/,
      ([, code = ""], lines) => {
        const said = lines.flatMap(
          (line) =>
            /^npm (?:ERR!|error) (?!code |errno |syscall |path |A complete log|\s*$)(\S.*)$/.exec(
              line
            )?.[1] ?? []
        )[0]
        // A script that failed says itself what was wrong.
        return code === "ELIFECYCLE" ? undefined : { code, message: said ?? code, ...missing(said ?? "") }
      }
    ],
    [
      /^npm (?:ERR!|error) (Missing script: .+)$/,
      ([, message = ""]) => ({ code: "missing script", message, ...missing(message) })
    ],
    [
      // Yarn gives a number to all it says; what is none of its news is what went wrong, and what is indented below it says more of it.
      /^➤ (YN(?!0000|0002|0006|0007|0008|0013|0019|0060|0065|0085|0086)\d{4}): (?:[│·┌└] ?)?(?![│·┌└ ])(.+)$/,
      ([, code = "", message = ""], lines) =>
        lines.some((line) => line.includes("Failed with errors"))
          ? {
              code,
              message,
              ...missing(message),
              ...given("symbol", /^(@?[\w./-]+)@npm:/.exec(message)?.[1])
            }
          : undefined
    ],
    [/^\s*(ERR_PNPM_\w+)\s+(.+)$/, ([, code = "", message = ""]) => ({ code, message, ...missing(message) })],
    [
      /^error (Command ".+" not found\.?|Couldn't find .+|An unexpected error occurred: .+)$/,
      ([, message = ""]) => ({ code: "yarn", message, ...missing(message) })
    ],
    [
      /^error: (Script not found .+|Failed to (?:spawn|install|build|fetch|resolve|parse|download).*|No (?:solution|virtual environment|interpreter).*|Distribution .*|Package .* not found.*|Module not found .*|Cannot find module .*)$/,
      ([, message = ""]) => ({ code: "install", message, ...missing(message) })
    ],
    [
      /^\s*× (No solution found.*|Failed to .*)$/,
      ([, message = ""], lines, at) => ({
        code: "install",
        message: `${message} ${lines[at + 1]?.trim() ?? ""}`.trim()
      })
    ],
    [
      /^ERROR: ((?:No matching distribution|Could not|Failed building|Cannot|Package|Invalid requirement|Directory|pip's|ResolutionImpossible).*)$/,
      // Both are said of one package; the second names it.
      ([, message = ""], lines, at) =>
        message.startsWith("Could not find a version") && isNoMatch.test(lines[at + 1] ?? "")
          ? undefined
          : { code: "pip", message, ...missing(message) }
    ],
    [
      /^(Could not find gem '([\w.-]+)(?: \([^)']*\))?')/,
      ([, message = "", symbol = ""]) => ({ code: "bundler", symbol, message })
    ],
    [
      /^(Could not find ([\w.-]+?)-\d[\w.]*) in (?:locally installed gems|any of the sources|cached gems|rubygems repository)/,
      ([, message = "", symbol = ""]) => ({ code: "bundler", symbol, message })
    ],
    [
      /^(Bundler could not find compatible versions for gem "([\w.-]+)")/,
      ([, message = "", symbol = ""]) => ({ code: "bundler", symbol, message })
    ],
    [
      /^(?:Error: )?(pyproject\.toml changed significantly since poetry\.lock was last generated|poetry\.lock is not up to date with pyproject\.toml)/,
      ([, message = ""]) => ({ code: "poetry", file: "pyproject.toml", message })
    ],
    [/^E: (.+)$/, ([, message = ""]) => ({ code: "apt", message, ...missing(message) })]
  ]
})
