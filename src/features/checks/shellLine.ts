/** A shell command line taken apart into the programs that it starts. Reads, never judges; linear in the text. Pure. */

export interface Segment {
  /** The words, without quotes; redirections are left out. */
  readonly words: readonly string[]
  /** What stands behind it: nothing, `&&`, `||`, `;`, `|` or `&`. */
  readonly next: string
  /** What it writes into, by `>` or `>>`. */
  readonly writes: readonly string[]
  /** What is given to it as a document in the line itself. */
  readonly document: string
}

const longest = 60_000

interface Reading {
  readonly text: string
  at: number
}

/** The end of what begins with an opening bracket: `$(…)`, with those inside it. */
const endOfBracket = (text: string, from: number): number => {
  let depth = 0
  let quote = ""
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (quote !== "") {
      if (sign === "\\" && quote === '"') at++
      else if (sign === quote) quote = ""
    } else if (sign === "'" || sign === '"') quote = sign
    else if (sign === "(") depth++
    else if (sign === ")" && --depth === 0) return at + 1
  }
  return text.length
}

const endOfQuote = (text: string, from: number): number => {
  const quote = text[from]
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "\\" && quote !== "'") at++
    else if (quote === '"' && text[at] === "$" && text[at + 1] === "(") at = endOfBracket(text, at + 1) - 1
    else if (text[at] === quote) return at + 1
  }
  return text.length
}

const isEnd = (sign: string | undefined): boolean => sign === undefined || /[\s;|&<>()]/.test(sign)

/** One word without its quotes. */
const readWord = (reading: Reading): string => {
  const { text } = reading
  let word = ""
  while (!isEnd(text[reading.at])) {
    const sign = text[reading.at] as string
    if (sign === "'" || sign === '"') {
      const end = endOfQuote(text, reading.at)
      word += text.slice(reading.at + 1, Math.max(reading.at + 1, end - 1))
      reading.at = end
    } else if (sign === "$" && text[reading.at + 1] === "(") {
      const end = endOfBracket(text, reading.at + 1)
      word += text.slice(reading.at, end)
      reading.at = end
    } else if (sign === "`") {
      const end = endOfQuote(text, reading.at)
      word += text.slice(reading.at, end)
      reading.at = end
    } else if (sign === "\\") {
      if (text[reading.at + 1] !== "\n") word += text[reading.at + 1] ?? ""
      reading.at += 2
    } else {
      word += sign
      reading.at++
    }
  }
  return word
}

const heredoc = /^<<-?[ \t]*(["']?)([A-Za-z_]\w*)\1/

/** The documents that begin behind this line, in their order. */
const readDocuments = (reading: Reading, ends: readonly string[]): string => {
  const documents: string[] = []
  for (const end of ends) {
    const lines: string[] = []
    while (reading.at < reading.text.length) {
      const newline = reading.text.indexOf("\n", reading.at)
      const stop = newline < 0 ? reading.text.length : newline
      const line = reading.text.slice(reading.at, stop)
      reading.at = stop + 1
      if (line.trim() === end) break
      lines.push(line)
    }
    documents.push(lines.join("\n"))
  }
  return documents.join("\n")
}

const operators = ["&&", "||", ";;", "|&", ";", "|", "&", "\n"] as const

export const segmentsOf = (command: string): readonly Segment[] => {
  const reading: Reading = { text: command.slice(0, longest), at: 0 }
  const { text } = reading
  const found: Segment[] = []
  let words: string[] = []
  let writes: string[] = []
  let ends: string[] = []
  const close = (next: string, document = ""): void => {
    if (words.length > 0 || writes.length > 0) found.push({ words, next, writes, document })
    words = []
    writes = []
  }
  while (reading.at < text.length) {
    const sign = text[reading.at] as string
    const rest = text.slice(reading.at, reading.at + 64)
    const document = sign === "<" ? heredoc.exec(rest) : null
    const operator = operators.find((one) => rest.startsWith(one))
    if (document !== null) {
      ends.push(document[2] as string)
      reading.at += document[0].length
    } else if (/^(?:\d*|&)>>?&?/.test(rest) && /^\d*>|^&>/.test(rest)) {
      const [mark] = /^(?:\d*|&)>>?[&|]?/.exec(rest) as RegExpExecArray
      reading.at += mark.length
      while (/[ \t]/.test(text[reading.at] ?? "")) reading.at++
      const target = readWord(reading)
      if (!mark.endsWith("&") && target !== "/dev/null" && target !== "") writes.push(target)
    } else if (operator !== undefined) {
      reading.at += operator.length
      if (operator === "\n") {
        const document = ends.length > 0 ? readDocuments(reading, ends) : ""
        ends = []
        close(";", document)
      } else if (ends.length > 0 && operator !== "|") {
        // What follows on the line of a document's mark runs after the program that reads it.
        close(operator)
      } else close(operator)
    } else if (sign === "#" && /\s|^$/.test(text[reading.at - 1] ?? "")) {
      const newline = text.indexOf("\n", reading.at)
      reading.at = newline < 0 ? text.length : newline
    } else if (/[\s()<>{}]/.test(sign) && !(sign === "{" && !/\s/.test(text[reading.at + 1] ?? " ")))
      reading.at++
    else {
      const before = reading.at
      words.push(readWord(reading))
      if (reading.at === before) reading.at++
    }
  }
  close("")
  return found
}
