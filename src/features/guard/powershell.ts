/** What a command line of PowerShell deletes, empties or stops, as lines of a shell: its own words for it, not the programs that it starts. */
import { quoted } from "../../state/shellWord.ts"
import { unknown } from "./script.ts"

/** No command that is read is longer. */
const maxText = 131_072

const removers = /^(?:remove-item|ri|rm|rmdir|rd|del|erase)$/i
const listers = /^(?:get-childitem|gci|ls|dir|get-item|gi|resolve-path)$/i
const emptiers = /^(?:clear-content|clc)$/i
/** What is there already is gone, and something else in its place. */
const writers = /^(?:set-content|sc|out-file)$/i
/** What comes through the pipeline is only some of it then. */
const choosing = /^(?:where-object|where|\?|select-object|select|-filter|-include|-exclude|-name)$/i

/** All but what is named. */
const allBut = /^-(?:[ci]?not(?:like|match|in|contains)|[ci]?ne|exclude)$/i
const compares = /^-(?:[ci]?(?:eq|like|match|in|contains|lt|gt|le|ge)|filter|include|name|first|last)$/i
const filters = /^(?:where-object|where|\?)$/i

/** What comes through the pipeline from here on is only some of it. `block`: what stands behind it in brackets. */
const choosesSome = (words: readonly string[], block: readonly string[]): boolean => {
  if (!words.some((word) => choosing.test(word))) return false
  const all = filters.test(words[0] ?? "") && words.length === 1 ? [...words, ...block] : words
  return !all.some((word) => allBut.test(word)) || all.some((word) => compares.test(word) && word !== "-name")
}

const others: readonly (readonly [name: RegExp, command: string])[] = [
  [/^stop-computer$/i, "shutdown -h now"],
  [/^restart-computer$/i, "reboot"],
  [/^(?:format-volume|clear-disk|initialize-disk|remove-partition)$/i, "mkfs.ext4 /dev/sda"]
]

const home = /^(?:~|\$home|\$\{home\}|\$\{?env:(?:home|userprofile|homepath)\}?)(?=\/|$)/i
const temporary = /^\$\{?env:(?:temp|tmp)\}?(?=\/|$)/i

/** A path as a shell has it; undefined where only the run tells, or a drive is meant that no shell knows. */
const asPath = (word: string): string | undefined => {
  const path = word
    .replaceAll("\\", "/")
    .replace(/^\$\((\$(?:env:)?\w+)\)/, "$1")
    .replace(home, "~")
    .replace(temporary, "/tmp")
    .replace(/^\$pwd(?=\/|$)/i, ".")
  if (path === "" || path.includes("$") || path.includes(unknown) || /^[A-Za-z]:/.test(path)) return undefined
  return path === "~" || path.startsWith("~/") ? `~/${quotedRest(path.slice(2))}` : quotedRest(path)
}

/** Patterns stay patterns. */
const quotedRest = (text: string): string =>
  text
    .split("*")
    .map((part) => (part === "" ? "" : quoted(part)))
    .join("*")

/** The words of each command, and whether it is given what the one before it prints. */
const statementsOf = (
  text: string
): readonly { readonly words: readonly string[]; readonly piped: boolean }[] => {
  const found: { words: string[]; piped: boolean }[] = [{ words: [], piped: false }]
  const token =
    /'((?:''|[^'])*)'|"((?:`.|[^"`])*)"|(\|\|?|&&?|[;\n{}])|([,()]|\s+)|((?:\$\([^()\n]*\)|[^\s'"|&;{},()])+)/g
  for (const [, single, double, end, , bare] of text.matchAll(token)) {
    if (end !== undefined)
      found.push({ words: [], piped: end === "|" || (end === "{" && found.at(-1)?.piped === true) })
    else {
      const word = single?.replaceAll("''", "'") ?? double ?? bare
      if (word !== undefined) found.at(-1)?.words.push(word)
    }
  }
  return found.filter(({ words }) => words.length > 0)
}

const isRecursive = (words: readonly string[]): boolean =>
  words.some((word) => /^-r(?:e(?:c\w*)?)?$/i.test(word) || /^\/s$/i.test(word))

/** What stands behind options, and those of options that name a path. */
const pathsOf = (words: readonly string[]): readonly string[] =>
  words.filter((word, at) => {
    const before = words[at - 1] ?? ""
    if (/^-\w+$|^\/\w$/.test(word)) return false
    return !/^-(?:filter|include|exclude|erroraction|ea|depth|value|encoding)$/i.test(before)
  })

export const powershellCommands = (given: string): readonly string[] => {
  const text = given.replaceAll(`${unknown}:`, "$env:")
  const commands: string[] = []
  let listed: readonly string[] = []
  const statements = statementsOf(text)
  for (const [at, { piped, words }] of statements.entries()) {
    const [name = "", ...rest] = words
    if (!piped) listed = []
    if (rest.some((word) => /^-(?:whatif|wi)\b/i.test(word))) continue
    if (choosesSome(words, statements[at + 1]?.words ?? [])) listed = []
    else if (listers.test(name))
      listed = pathsOf(rest).flatMap((path) => asPath(/\*$/.test(path) ? path : `${path}/*`) ?? [])
    else if (removers.test(name)) {
      const how = isRecursive(rest) ? "rm -rf" : "rm"
      const own = pathsOf(rest).flatMap((path) => asPath(path) ?? [])
      for (const path of piped ? [...listed, ...own] : own) commands.push(`${how} ${path}`)
    } else if (emptiers.test(name) || writers.test(name)) {
      const path = asPath(pathsOf(rest)[0] ?? "")
      if (path !== undefined) commands.push(`${emptiers.test(name) ? ":" : "echo ."} > ${path}`)
    } else if (
      /^(?:stop-process|spps|kill)$/i.test(name) &&
      (piped ? /get-process|gps/i.test(text) : rest.includes("*"))
    )
      commands.push("kill -9 -1")
    else if (/^(?:iex|invoke-expression)$/i.test(name)) commands.push(rest.join(" "))
    for (const [known, command] of others) if (known.test(name)) commands.push(command)
  }
  for (const [, path = ""] of text.matchAll(/\]::Delete\(\s?["']?([^"',)]{1,200})["']?\s?,\s?\$true/gi)) {
    const known = asPath(path)
    if (known !== undefined) commands.push(`rm -rf ${known}`)
  }
  return commands
}

/** `-EncodedCommand`: base64 of UTF-16. */
const decoded = (text: string): string | undefined =>
  /^[\w+/]+=*$/.test(text) && text.length < maxText
    ? Buffer.from(text, "base64").toString("utf16le")
    : undefined

/** What PowerShell or `cmd` is given as text: all that stands behind the option, or behind all options. */
export const powershellText = (texts: readonly string[]): string | undefined => {
  const encoded = texts.findIndex((text) => /^-e(?:nc?|ncodedcommand)?$/i.test(text))
  if (encoded >= 0) return decoded(texts[encoded + 1] ?? "")
  const at = texts.findIndex((text) => /^(?:-c(?:o\w*)?|\/[ckr])$/i.test(text))
  if (at >= 0) return texts.slice(at + 1).join(" ")
  const own = texts.findIndex(
    (text, place) =>
      !/^[-/]/.test(text) &&
      !/^-(?:ex\w*|ep|version|w\w*|inputformat|outputformat)$/i.test(texts[place - 1] ?? "")
  )
  return own < 0 || /^-f/i.test(texts[own - 1] ?? "") ? undefined : texts.slice(own).join(" ")
}
