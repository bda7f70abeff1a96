/** YAML as far as files of recipes are made of it: keys, values, lists and blocks, told by how far they are indented. */

export type YamlLines = readonly string[]

export const yamlLines = (text: string): YamlLines =>
  text.split(/\r?\n/).filter((line) => !/^\s*(?:#.*)?$/.test(line))

const indentOf = (line: string): number => line.length - line.trimStart().length

/** What stands below a key, without the key's own line. */
export const below = (lines: YamlLines, key: string): YamlLines => {
  const at = lines.findIndex((line) => keyOf(line) === key)
  if (at < 0) return []
  const indent = indentOf(lines[at] as string)
  const end = lines.findIndex((line, place) => place > at && isPast(line, indent))
  return lines.slice(at + 1, end < 0 ? lines.length : end)
}

/** A list may begin as far to the left as its key does. */
const isPast = (line: string, indent: number): boolean =>
  indentOf(line) < indent || (indentOf(line) === indent && !line.trimStart().startsWith("- "))

export const keyOf = (line: string): string | undefined =>
  /^\s*["']?([\w:.*-]+?)["']?:(?:\s|$)/.exec(line)?.[1]

export const valueOf = (line: string): string =>
  unquoted(line.replace(/^\s*(?:- )?["']?[\w:.*-]+?["']?:(?:\s+|$)/, ""))

export const unquoted = (text: string): string =>
  text
    .trim()
    .replace(/^'(.*)'$/s, (_, one: string) => one.replaceAll("''", "'"))
    .replace(/^"(.*)"$/s, "$1")

/** The keys right below, each with its own lines. */
export const membersOf = (lines: YamlLines): ReadonlyMap<string, YamlLines> => {
  const [first = ""] = lines
  const indent = indentOf(first)
  const own = lines.flatMap((line, at) => (indentOf(line) === indent ? [at] : []))
  return new Map(
    own.map((at, nth) => [keyOf(lines[at] as string) ?? "", lines.slice(at, own[nth + 1] ?? lines.length)])
  )
}

/** What stands in a list: a command, a block of them, or another task. */
export const itemsOf = (lines: YamlLines): readonly string[] => {
  const items: string[] = []
  for (const line of lines) {
    const [, item] = /^\s*- (.*)$/.exec(line) ?? []
    if (item === undefined) items.push(`${items.pop() ?? ""}\n${line.trim()}`)
    else items.push(/^[|>][+-]?$/.test(item.trim()) ? "" : item)
  }
  return items.map((item) => unquoted(commandOf(item).replace(/^(?:cmd|defer):\s+(?:[|>][+-]?\n)?/, "")))
}

/** An item of several keys says in one of them what it runs. */
const commandOf = (item: string): string => {
  const lines = item.split("\n")
  const at = lines.findIndex((line) => !/^(?!cmd:|defer:|task:)[\w-]+:(?:\s|$)/.test(line))
  return at > 0 && /^(?:cmd|defer|task):/.test(lines[at] as string) ? lines.slice(at).join("\n") : item
}

export const inBrackets = (text: string): readonly string[] =>
  (/^\[(.*)\]$/.exec(text)?.[1]?.match(/'[^']*'|"[^"]*"|[^,\s'"][^,]*/g) ?? []).map(unquoted)

/** What stands behind a key, in brackets or as a list below it. */
export const listAt = (lines: YamlLines, key: string): readonly string[] => {
  const line = lines.find((one) => keyOf(one) === key)
  return [...(line === undefined ? [] : inBrackets(valueOf(line))), ...itemsOf(below(lines, key))]
}
