/** What stands between braces: `{a,b}` and `{1..3}`, as the texts that a shell makes of them. */

/** Of letters or numbers in a row, so many are worth looking at. */
const maxInRow = 32

const range = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.-?\d{1,9})?$/

/** Every value between two, or as many as are worth looking at. */
const between = (from: number, to: number, show: (one: number) => string): readonly string[] => {
  const step = from <= to ? 1 : -1
  const count = Math.min(Math.abs(to - from) + 1, maxInRow)
  return Array.from({ length: count }, (_, at) => show(from + step * at))
}

/** Split at the commas that stand in no further braces and no quotes. */
const split = (text: string): readonly string[] => {
  const pieces: string[] = []
  let depth = 0
  let quote = ""
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    if (quote !== "") quote = char === quote ? "" : quote
    else if (char === "'" || char === '"') quote = char
    else if (char === "\\") at++
    else if (char === "{" || char === "(") depth++
    else if (char === "}" || char === ")") depth--
    else if (char === "," && depth === 0) {
      pieces.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...pieces, text.slice(start)]
}

/** Letters or numbers in a row, none of which somebody wrote down. */
export const isRow = (text: string): boolean => range.test(text.slice(1, -1))

export const braceChoices = (text: string): readonly string[] => {
  const inside = text.slice(1, -1)
  const pieces = split(inside)
  if (pieces.length > 1) return pieces
  const [, from = "", to = ""] = range.exec(inside) ?? []
  if (from === "") return [text]
  if (/\d$/.test(from) && /\d$/.test(to)) return between(Number(from), Number(to), String)
  return between(from.charCodeAt(0), to.charCodeAt(0), (code) => String.fromCharCode(code))
}
