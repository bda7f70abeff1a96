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

const maxText = 8000

export const filtered = (name: string, words: readonly string[], text: string): string | undefined => {
  if (text.length > maxText) return undefined
  switch (name) {
    case "tr":
      return translated(words, text)
    case "sed":
      return replaced(words, text)
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
