/** Text in lines of so many columns: broken between words, and further lines hang below the first. */
import { columnsOf, unstyled } from "./style.ts"

/** Words that are longer than a line stay whole: a path is worth more in one piece. Without a width nothing is broken. */
export const wrapped = (text: string, width: number | undefined): readonly string[] => {
  if (width === undefined || columnsOf(unstyled(text)) <= width) return [text]
  const lines: string[] = []
  let line = ""
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`
    if (line !== "" && columnsOf(unstyled(longer)) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

/** The first line goes after `head`, which takes `indent` columns; the others stand below the first. */
export const hanging = (head: string, text: string, indent: number, width: number | undefined): string =>
  head +
  wrapped(text, width === undefined ? undefined : Math.max(16, width - indent)).join(
    `\n${" ".repeat(indent)}`
  )

/** Each line broken between words; what goes on stands as far in as its beginning. */
export const broken = (text: string, width: number | undefined): string =>
  text
    .split("\n")
    .map((line) => {
      const [lead = ""] = /^\s*/.exec(line) ?? []
      return hanging(lead, line.slice(lead.length), lead.length, width)
    })
    .join("\n")

/** Cut into pieces of so many columns, with every character kept: for what must be read exactly. */
export const pieces = (text: string, width: number | undefined): readonly string[] => {
  if (width === undefined || columnsOf(text) <= width) return [text]
  const room = Math.max(8, width)
  const found: string[] = []
  let piece = ""
  let used = 0
  for (const char of text) {
    const next = columnsOf(char)
    if (used + next > room && piece !== "") {
      found.push(piece)
      piece = ""
      used = 0
    }
    piece += char
    used += next
  }
  return [...found, piece]
}
