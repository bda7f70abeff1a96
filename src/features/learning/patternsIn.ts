/** The statements of an answer that a later session can use: causes with what mended them, conventions, decisions. Pure. */
import { statementRules } from "./statementRules.ts"

/** What a pattern is about; it is the note's tag. */
export type About = "cause" | "convention" | "decision"

export interface Pattern {
  readonly about: About
  /** The sentence as it was said, without markup. */
  readonly text: string
}

/** Of an answer no more is looked at, and no more is kept. */
const longestAnswer = 40_000
const maxSentences = 600
export const maxPatterns = 8
const longestSentence = 300
const shortestSentence = 12

const listMarker = /^\s{0,8}(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?/iu

/** Paragraphs and items of lists, each in one line: no code, no headings, no tables, nothing that somebody else said. */
const paragraphs = (answer: string): readonly string[] => {
  const found: string[] = []
  let open = false
  let fence: string | undefined
  for (const line of answer.slice(0, longestAnswer).split(/\r?\n/)) {
    const mark = /^\s{0,8}(```+|~~~+)/.exec(line)?.[1]
    if (mark !== undefined) {
      if (fence === undefined) fence = mark
      else if (mark.startsWith(fence)) fence = undefined
      open = false
      continue
    }
    const isItem = listMarker.test(line)
    const isText =
      fence === undefined &&
      line.trim() !== "" &&
      !/^\s*[#>|]/.test(line) &&
      (isItem || !/^(?: {4}|\t)/.test(line))
    if (!isText) open = false
    else if (open && !isItem) found.push(`${found.pop()} ${line.trim()}`)
    else {
      found.push(line.replace(listMarker, "").trim())
      open = true
    }
  }
  return found
}

/** One word of code is rarely a place, a call never is. */
const kindOf = (code: string): string => (/\)$/.test(code) ? "c" : /^[\w@-]+$/.test(code) ? "w" : "")

/** Code and quoted texts say nothing by themselves; what is in them ends no sentence. */
const withMarks = (text: string): { readonly text: string; readonly marked: readonly string[] } => {
  const marked: string[] = []
  const without = text
    .replace(/\*\*|__(?=\S)|(?<=\S)__/g, "")
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[‹›¶]/g, " ")
    .replace(/`[^`\n]{1,200}`|"[^"\n]{1,200}"|https?:\/\/\S{1,200}(?<![.,;:)])/g, (quoted) => {
      marked.push(quoted)
      return `‹${marked.length - 1}${quoted.startsWith("`") ? kindOf(quoted.slice(1, -1)) : ""}›`
    })
  return { text: without.replace(/\s+/g, " "), marked }
}

const opener =
  /^(?:(?:note that|important note|in short|in summary|as it turned out|for the record|what happened|found it|so|also|and|but|well|note|important|summary|convention)\b[,:]? )+(?=\S)/iu

/** Lower case; a capital within the sentence is a name. */
const shapeOf = (sentence: string): string => {
  const bare = sentence.replace(opener, "")
  const names = bare.replace(/(?<=[\p{L}\d,›)] )[A-Z][\p{L}\d.+#-]+/gu, (name) =>
    /^I\b/.test(name) ? name : `¶${name}`
  )
  return names.toLowerCase()
}

const aboutOf = (sentence: string): About | undefined => {
  const rules = statementRules()
  const shape = shapeOf(sentence)
  const text = shape.replaceAll("¶", "")
  const is = (patterns: readonly RegExp[], said = text): boolean => patterns.some((one) => one.test(said))
  // A reason for a choice may well be that something might happen.
  if (rules.unsure.test(text.replace(/ because .*$/u, ""))) return undefined
  const isSure = !rules.unsure.test(text)
  if (isSure && is(rules.cause) && !rules.denied.test(text)) return "cause"
  if (is(rules.decision) && !rules.bidden.test(text)) return "decision"
  if (!isSure) return undefined
  if (
    !rules.told.test(text) &&
    (is(rules.convention) || is(rules.convention, shape.replace(/¶[^ ]+/gu, "¶")))
  )
    return "convention"
  return undefined
}

const edges = /^["'`([{*_«]+|["'`)\]}*_».,;:!?…]+$/gu

/** The same for whatever differs only in case, markup, spacing and punctuation. */
export const patternKey = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .split(/\s+/)
    .map((word) => word.replaceAll("`", "").replace(edges, ""))
    .filter((word) => /[^\p{Dash}]/u.test(word))
    .join(" ")
    .replace(/^the /, "")

/** In the order in which they were said, each once, at most eight. */
export const patternsIn = (answer: string): readonly Pattern[] => {
  const found = new Map<string, Pattern>()
  let looked = 0
  for (const paragraph of paragraphs(answer)) {
    const { marked, text } = withMarks(paragraph)
    for (const sentence of text.split(/(?<=[.!?…][)"'*_]{0,3}) +(?=["'(*_‹\p{Lu}\d])/u)) {
      if (++looked > maxSentences || found.size === maxPatterns) return [...found.values()]
      const said = sentence
        .trim()
        .replace(opener, "")
        .replace(/‹(\d+)[wc]?›/gu, (_, at) => marked[Number(at)] ?? "")
      if (said.length < shortestSentence || said.length > longestSentence) continue
      const about = aboutOf(sentence.trim())
      const key = patternKey(said)
      if (about !== undefined && !found.has(key)) found.set(key, { about, text: said })
    }
  }
  return [...found.values()]
}
