/** The words of a command line that needs no shell: one program with words that mean themselves. */

/** No shell knows a command of its own by these names. */
const programs: ReadonlySet<string> = new Set([
  "bash",
  "bun",
  "dash",
  "deno",
  "jq",
  "node",
  "perl",
  "php",
  "python",
  "python3",
  "ruby",
  "sh",
  "zsh"
])

/** Bare, or between quotes that hold nothing a shell would look into; or what is between words. */
const piece = /([\w./@%+,:=-]+)|'([^']*)'|"([^"$`\\]*)"|( +)/y
const longest = 4096

const wordsOf = (command: string): readonly string[] | undefined => {
  const words: string[] = []
  let isWithin = false
  piece.lastIndex = 0
  while (piece.lastIndex < command.length) {
    const found = piece.exec(command)
    if (found === null) return undefined
    const [, bare, single, double, space] = found
    if (space !== undefined) isWithin = false
    else {
      const text = bare ?? single ?? double ?? ""
      words.push(isWithin ? `${words.pop()}${text}` : text)
      isWithin = true
    }
  }
  return words
}

/** Undefined where a shell might do anything else than to start the first with the others. */
export const plainWords = (command: string): readonly [string, ...string[]] | undefined => {
  const [first, ...others] = (command.length > longest ? undefined : wordsOf(command)) ?? []
  if (first === undefined) return undefined
  // What has an equals sign may be a variable that is set.
  const isProgram = programs.has(first) || (first.includes("/") && !first.includes("="))
  return isProgram ? [first, ...others] : undefined
}
