/** What `printf` makes of its format and the words behind it. */
import { quoted } from "../../state/shellWord.ts"
import { unknown } from "./script.ts"

const longestFormat = 4096
/** So often a format is used again for the words that are left. */
const maxTurns = 16
/** Nobody puts more blanks before a word. */
const maxWidth = 1000

/** What `printf` and `echo -e` make of backslashes. */
export const unescaped = (text: string, newline: string): string =>
  text.replaceAll(/\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|([nt]))/g, (_, hex, octal, letter) => {
    if (letter !== undefined) return letter === "n" ? newline : newline === "\n" ? "\t" : " "
    return String.fromCharCode(hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16))
  })

const directive = /%(?:%|([-0 +#]*)(\d*)(?:\.(\d*))?([sbqdic]))/g

interface Directive {
  readonly flags: string
  readonly width: number
  readonly precision: number | undefined
  /** `%` for the sign itself. */
  readonly letter: string
}

/** The texts between the directives, one more than there are of those. */
interface Format {
  readonly texts: readonly string[]
  readonly directives: readonly Directive[]
}

/** The directives are those that are written down: a sign that a backslash makes is only a sign. */
const formatOf = (format: string, newline: string): Format | undefined => {
  const found = [...format.matchAll(directive)]
  const starts = [0, ...found.map((one) => one.index + one[0].length)]
  const texts = starts.map((start, at) => format.slice(start, found[at]?.index))
  if (texts.some((text) => text.includes("%"))) return undefined
  const directives = found.map(([, flags = "", width, precision, letter = "%"]) => ({
    flags,
    width: Number(width ?? 0),
    precision: precision === undefined ? undefined : Number(precision),
    letter
  }))
  return { texts: texts.map((text) => unescaped(text, newline)), directives }
}

/** Whatever is no number as we write it becomes some number. */
const numberOf = (word: string): string => (/^-?\d{1,15}$/.test(word) ? word : word === "" ? "0" : unknown)

const put = ({ flags, letter, precision, width }: Directive, word: string, newline: string): string => {
  const cut = (text: string): string => (precision === undefined ? text : text.slice(0, precision))
  const padded = (text: string, by: string): string =>
    flags.includes("-") ? text.padEnd(width) : text.padStart(width, by)
  if (letter === "d" || letter === "i")
    return padded(numberOf(word).padStart(precision ?? 0, "0"), flags.includes("0") ? "0" : " ")
  if (letter === "c") return padded(word.slice(0, 1), " ")
  if (letter === "q") return padded(quoted(word), " ")
  return padded(cut(letter === "b" ? unescaped(word, newline) : word), " ")
}

/** What is printed: a mark where nobody can tell. */
export const formatted = ([format = "", ...words]: readonly string[], newline = " "): string => {
  const read = format.length > longestFormat ? undefined : formatOf(format, newline)
  const isTooWide = read?.directives.some((one) => one.width > maxWidth || (one.precision ?? 0) > maxWidth)
  if (read === undefined || isTooWide) return unknown
  const { directives, texts } = read
  const taken = directives.filter((one) => one.letter !== "%").length
  const turns = taken === 0 ? 1 : Math.min(maxTurns, Math.max(1, Math.ceil(words.length / taken)))
  let at = 0
  const turn = (): string =>
    texts
      .map((text, place) => {
        const one = directives[place]
        if (one === undefined) return text
        return text + (one.letter === "%" ? "%" : put(one, words[at++] ?? "", newline))
      })
      .join("")
  const made = Array.from({ length: turns }, turn)
  return [made.join(""), ...(taken === 0 ? [] : words.slice(at))].join(newline)
}
