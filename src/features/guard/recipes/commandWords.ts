/** The words of a command that starts recipes: its own options with their values, its operands, and what it only hands on. */

export interface Options {
  /** Letters with a value, which is the rest of the word or the next one. */
  readonly letters: string
  /** Letters whose value, where there is one, is the rest of the word; a number may be the next one. */
  readonly attached?: string
  /** Long options with a value, which is behind `=` or the next word. */
  readonly longs: readonly string[]
  /** What follows these operands is handed on. */
  readonly stops?: (operands: readonly string[]) => boolean
  /** What its first operand may be: another word behind an option that nobody knows is that option's value. */
  readonly isVerb?: (text: string) => boolean
}

export interface Option {
  /** As it was written, of several letters each by itself: `-n`, `--file`. */
  readonly name: string
  readonly value?: string | undefined
}

export interface CommandWords {
  readonly options: readonly Option[]
  readonly operands: readonly string[]
  /** Behind `--`, or behind the operands that end the command's own words. */
  readonly behind: readonly string[]
}

const ofLetters = (
  text: string,
  next: string | undefined,
  { attached = "", letters }: Options
): { readonly options: readonly Option[]; readonly takesNext: boolean } => {
  const options: Option[] = []
  for (let at = 1; at < text.length; at++) {
    const letter = text[at] as string
    const rest = text.slice(at + 1)
    if (letters.includes(letter)) {
      options.push({ name: `-${letter}`, value: rest === "" ? next : rest.replace(/^=/, "") })
      return { options, takesNext: rest === "" }
    }
    options.push({ name: `-${letter}` })
    if (attached.includes(letter)) return { options, takesNext: rest === "" && /^\d+$/.test(next ?? "") }
  }
  return { options, takesNext: false }
}

const ofLong = (text: string, next: string | undefined, { longs }: Options) => {
  const equals = text.indexOf("=")
  if (equals > 0)
    return { options: [{ name: text.slice(0, equals), value: text.slice(equals + 1) }], takesNext: false }
  const takesNext = longs.includes(text.slice(2))
  return { options: [takesNext ? { name: text, value: next } : { name: text }], takesNext }
}

/** Whether a word is the value of the option before it, which nobody knows. */
const isValue = (texts: readonly string[], at: number, { isVerb, longs }: Options): boolean => {
  const before = texts[at - 1] ?? ""
  const isUnknown = /^--[^=]+$/.test(before) && !longs.includes(before.slice(2))
  return (
    isVerb !== undefined &&
    isUnknown &&
    !isVerb(texts[at] ?? "") &&
    isVerb(texts.slice(at + 1).find((text) => !text.startsWith("-")) ?? "")
  )
}

export const readWords = (texts: readonly string[], options: Options): CommandWords => {
  const found: Option[] = []
  const operands: string[] = []
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] as string
    if (text === "--") return { options: found, operands, behind: texts.slice(at + 1) }
    if (/^-./.test(text)) {
      const read = (text.startsWith("--") ? ofLong : ofLetters)(text, texts[at + 1], options)
      found.push(...read.options)
      if (read.takesNext) at++
    } else if (operands.length > 0 || !isValue(texts, at, options)) {
      operands.push(text)
      if (options.stops?.(operands))
        return { options: found, operands, behind: texts.slice(texts[at + 1] === "--" ? at + 2 : at + 1) }
    }
  }
  return { options: found, operands, behind: [] }
}

/** Of several the first. */
export const valueOf = ({ options }: CommandWords, ...names: readonly string[]): string | undefined =>
  options.find(({ name }) => names.includes(name))?.value

export const hasOption = ({ options }: CommandWords, names: ReadonlySet<string>): boolean =>
  options.some(({ name, value }) => names.has(name) && value !== "false")

export const optionNames = (text: string): ReadonlySet<string> =>
  new Set(text.split(" ").map((name) => (name.length === 1 ? `-${name}` : `--${name}`)))
