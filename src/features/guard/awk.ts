/** What a program of awk starts: `"cmd" | getline`, `print … | "sh"`. What it calls by name, `system(…)`, is read as in other languages. */

/** So many are looked at, of each kind. */
const maxCommands = 400

const reads = /(?:"((?:\\.|[^"\\\n]){1,400})"|\b([A-Za-z_]\w{0,40}))\s{0,5}\|&?\s{0,5}getline\b/g
const writes = /\bprintf?\b([^|;{}\n]{0,400})\|&?\s{0,5}(?:"((?:\\.|[^"\\\n]){1,200})"|([A-Za-z_]\w{0,40}))/g
const literal = /"((?:\\.|[^"\\\n])*)"/g
const shell = /^(?:\S*\/)?(?:ba|da|z|k)?sh\b/

const plain = (text: string): string => text.replaceAll(/\\(["\\/])/g, "$1")

/** What was assigned to a name in the program. */
const assignedTo = (
  name: string,
  matched: (pattern: RegExp) => readonly RegExpMatchArray[]
): readonly string[] =>
  matched(new RegExp(`(?<![\\w$])${name}\\s{0,5}=\\s{0,5}"((?:\\\\.|[^"\\\\\\n]){1,400})"`, "g")).map(
    ([, text = ""]) => plain(text)
  )

/** `passOver`: told where not all of it is read. */
export const awkCommands = (program: string, passOver: () => void): readonly string[] => {
  const matched = (pattern: RegExp): readonly RegExpMatchArray[] => {
    const found = [...program.matchAll(pattern)]
    if (found.length > maxCommands) passOver()
    return found.slice(0, maxCommands)
  }
  const named = (text: string | undefined, name: string | undefined): readonly string[] =>
    text !== undefined ? [plain(text)] : name === undefined ? [] : assignedTo(name, matched)
  const started = matched(reads).flatMap(([, text, name]) => named(text, name))
  const written = matched(writes).flatMap(([, given = "", text, name]) => {
    const targets = named(text, name)
    const said = [...given.matchAll(literal)].map(([, one = ""]) => plain(one).replace(/\\n$/, "")).join("")
    return targets.some((target) => shell.test(target)) ? [...targets, said] : targets
  })
  return [...started, ...written]
}
