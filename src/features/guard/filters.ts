/** What comes out of a filter that a known text goes through, where its words say so. */

/** A set of `tr` without classes: letters one by one, ranges written out. */
const setOf = (text: string): readonly string[] | undefined => {
  if (text.includes("[:") || text.includes("\\") || text.length > 100) return undefined
  return [
    ...text.replaceAll(/([a-zA-Z0-9])-([a-zA-Z0-9])/g, (_, from: string, to: string) =>
      Array.from({ length: Math.max(0, to.charCodeAt(0) - from.charCodeAt(0) + 1) }, (_unused, at) =>
        String.fromCharCode(from.charCodeAt(0) + at)
      ).join("")
    )
  ]
}

const translated = (words: readonly string[], text: string): string | undefined => {
  const deletes = words[0] === "-d"
  const [from, to] = words.slice(deletes ? 1 : 0).map(setOf)
  if (from === undefined || (!deletes && (to === undefined || to.length === 0))) return undefined
  return [...text]
    .map((char) => {
      const at = from.indexOf(char)
      if (at < 0) return char
      return deletes ? "" : ((to as readonly string[])[at] ?? (to as readonly string[]).at(-1) ?? "")
    })
    .join("")
}

/** `s/a/b/` with nothing in it that means more than itself. */
const replaced = (words: readonly string[], text: string): string | undefined => {
  const script = words.filter((word) => !/^-[eEr]+$/.test(word))
  const [, , from = "", to = "", all = ""] =
    /^s([/|#,@])([^\\.*[\]^$+?(){}|]+)\1([^\\&]*)\1(g?)$/.exec(script[0] ?? "") ?? []
  if (script.length !== 1 || from === "") return undefined
  return text
    .split("\n")
    .map((line) => (all === "g" ? line.split(from).join(to) : line.replace(from, () => to)))
    .join("\n")
}

/** `.a.b[0]` of jq, and a text that stands in its filter. */
const selected = (words: readonly string[], text: string): string | undefined => {
  const [filter = "", more] = words.filter((word) => !word.startsWith("-"))
  if (more !== undefined) return undefined
  const isText = (value: unknown): value is string => typeof value === "string"
  try {
    if (/^"/.test(filter)) return String(JSON.parse(filter))
    if (!/^\.(?:[\w.]|\[\d*\])*$/.test(filter)) return undefined
    let values: readonly unknown[] = [JSON.parse(text)]
    for (const [, step = ""] of filter.matchAll(/([\w]+|\[\])/g))
      values = values.flatMap((value) => {
        const held = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
        return step === "[]" ? Object.values(held) : [held[step]]
      })
    return values.filter(isText).join("\n") || undefined
  } catch {
    return undefined
  }
}

/** `-n 3`, `-3`, `-n +2`: which lines are kept. Nothing where it is told otherwise. */
const endOf = (name: string, words: readonly string[], text: string): string | undefined => {
  const [, sign = "", digits = "10"] = /^(?:-n|--lines=|-)? ?([+-]?)(\d+)$/.exec(words.join(" ")) ?? []
  if (words.length > 0 && words.join(" ").search(/^(?:-n|--lines=|-)? ?[+-]?\d+$/) < 0) return undefined
  const lines = text.replace(/\n$/, "").split("\n")
  const count = Number(digits)
  if (name === "head")
    return lines.slice(0, sign === "-" ? Math.max(0, lines.length - count) : count).join("\n")
  return lines.slice(Math.max(0, sign === "+" ? count - 1 : lines.length - count)).join("\n")
}

/** `sort`, `tac`: which line is the first decides what `head` leaves of it. By numbers or months it is only still all of it. */
const ordered = (name: string, options: string, text: string): string => {
  const lines = text.replace(/\n$/, "").split("\n")
  if (name === "tac") return lines.reverse().join("\n")
  if (name === "uniq" || /[^-ru]/.test(options)) return text
  const sorted = lines.toSorted()
  // Where it depends on the language which comes first, only the run tells.
  if (lines.toSorted((one, other) => one.localeCompare(other)).join("\n") !== sorted.join("\n")) return text
  return (options.includes("r") ? sorted.reverse() : sorted).join("\n")
}

/** `grep x`, `grep -v x`, of a pattern that means nothing more than itself. */
const kept = (words: readonly string[], text: string): string | undefined => {
  const options = words.filter((word) => word.startsWith("-"))
  const [pattern, another] = words.filter((word) => !word.startsWith("-"))
  if (pattern === undefined || another !== undefined || !/^\^?[\w ,:;=@/#-]+$/.test(pattern)) return undefined
  if (!options.every((word) => /^-[viEFh]+$/.test(word))) return undefined
  const has = (letter: string): boolean => options.some((word) => word.includes(letter))
  const folded = (line: string): string => (has("i") ? line.toLowerCase() : line)
  const wanted = folded(pattern.replace("^", ""))
  const fits = (line: string) =>
    pattern.startsWith("^") && !has("F") ? line.startsWith(wanted) : line.includes(wanted)
  return text
    .split("\n")
    .filter((line) => fits(folded(line)) !== has("v"))
    .join("\n")
}

const maxText = 131_072

export const filtered = (name: string, words: readonly string[], text: string): string | undefined => {
  if (text.length > maxText) return undefined
  switch (name) {
    case "tr":
      return translated(words, text)
    case "sed":
      return replaced(words, text)
    case "jq":
    case "yq":
    case "gojq":
      return selected(words, text)
    case "grep":
    case "egrep":
    case "fgrep":
      return kept(words, text)
    case "head":
    case "tail":
      return endOf(name, words, text)
    case "sort":
    case "tac":
    case "uniq":
      return words.every((word) => /^-[a-zA-Z]+$/.test(word) && !/[cdDotkS]/.test(word))
        ? ordered(name, words.join(""), text)
        : undefined
    case "rev":
      return text
        .split("\n")
        .map((line) => [...line].reverse().join(""))
        .join("\n")
    case "xargs":
      return words.length === 0 || words[0] === "echo" ? text.trim().split(/\s+/).join(" ") : undefined
    default:
      return undefined
  }
}
