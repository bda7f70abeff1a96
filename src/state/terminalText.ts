/** How recorded texts and paths are told again, to models as to people: in one line, and as somebody in the project names them. Pure. */
import { isAbsolute, relative, sep } from "node:path"

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with one.
export const sequences = /\u001b(?:\[[0-9;?]*[A-Za-z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g

/** What moves a cursor, or turns the order of letters around; tabs and line ends are somebody else's to replace. */
export const control = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** At most so many characters, without what only a terminal understands. */
export const oneLine = (text: string, most: number): string => {
  const line = text.replace(sequences, "").replace(/\s+/g, " ").replace(control, "").trim()
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`
}

/** Relative where it lies in the project. */
export const pathIn = (project: string | null, path: string): string => {
  if (project === null || !isAbsolute(path)) return path
  const short = relative(project, path)
  return short === "" || short === ".." || short.startsWith(`..${sep}`) || isAbsolute(short) ? path : short
}

/** Text of others, on one line: what was recorded must not be able to move the cursor or paint the terminal. */
export const printable = (text: string): string =>
  text.replace(/[\n\t]/g, (char) => (char === "\n" ? "⏎" : " ")).replace(control, "�")

/** The same, with its lines kept. */
export const printableLines = (text: string): string => text.replace(/\t/g, "  ").replace(control, "�")
