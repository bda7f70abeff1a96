/**
 * Whether a prompt praises or corrects what the agent did, in plain language, and what it is about. Code, quoted text and questions
 * say nothing of that. Bounded: a long prompt is looked at in its beginning.
 */

import { patterns } from "./feedbackPatterns.ts"

export type Polarity = "positive" | "negative"

export interface Feedback {
  readonly polarity: Polarity
  /** What is named: a file, a command, code; else the sentence that says it. */
  readonly about: string
}

const longestProse = 4000
const longestAbout = 200

const asking = /\?!*\s*$/u
/** Questions that are reproaches. */
const reproach =
  /\b(?:why|what) (?:did|would|do|have|are|were|on earth did) you\b|^ugh\b|^seriously\?|\bstop \w+ing/u

/** What a sentence may begin with without saying anything. */
const opener =
  /^(?:(?:ok|okay|well|hm+|sorry|but|so|and|hey|yes|yep|yeah|good|ha(?:ha)+|ah+|oh|finally|really|much)[,.!]* )+/u

/** Without code, without what others said, and not without end. */
const proseOf = (prompt: string): string => {
  const kept: string[] = []
  let length = 0
  let fenced = false
  for (let at = 0; at < prompt.length && length < longestProse && at < 20 * longestProse; ) {
    const newline = prompt.indexOf("\n", at)
    const end = newline < 0 ? prompt.length : newline
    const line = prompt.slice(at, Math.min(end, at + longestProse))
    at = end + 1
    if (/^\s{0,3}(?:```|~~~)/.test(line)) fenced = !fenced
    else if (!fenced && !/^(?: {4}|\t|>)/.test(line)) {
      kept.push(line)
      length += line.length + 1
    }
  }
  return kept.join("\n").slice(0, longestProse)
}

/** Quoted texts and code become marks: whoever quotes does not say it. */
const withMarks = (prose: string): { readonly text: string; readonly marked: readonly string[] } => {
  const marked: string[] = []
  const text = prose
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/`[^`\n]{1,300}`|"[^"\n]{1,300}"|(?<!\w)'[^'\n]{1,300}'(?!\w)/g, (quoted) => {
      marked.push(quoted.slice(1, -1))
      return `‹${marked.length - 1}›`
    })
  return { text, marked }
}

const file =
  /^[\w@./-]{1,150}\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs?|cpp|h|sh|sql|md|json|ya?ml|toml|html|css|vue|swift)$/u

const named = (sentence: string, marked: readonly string[]): string | undefined => {
  const mark = /‹(\d+)›/u.exec(sentence)?.[1]
  if (mark !== undefined) return marked[Number(mark)]
  return sentence
    .split(/[\s,;:()]+/u)
    .map((word) => word.replace(/[.!?]+$/u, ""))
    .find((word) => file.test(word))
}

const shown = (sentence: string, marked: readonly string[]): string =>
  sentence.replace(/‹(\d+)›/gu, (_, at) => `\`${marked[Number(at)]}\``).slice(0, longestAbout)

const polarityOf = (sentence: string): Polarity | undefined => {
  const { correcting, correctingFirst, harmless, praising, requesting, complaining, commending } = patterns()
  const text = sentence.toLowerCase()
  const bare = text.replace(opener, "")
  const question = asking.test(text) && !reproach.test(text)
  if (question) return undefined
  const excused = text.replace(harmless, " ")
  const stating = !requesting.test(bare) && !/\b(?:would be|if)\b/u.test(bare)
  if (
    correcting.test(excused) ||
    (correctingFirst.test(bare) && text === excused) ||
    (stating && complaining.test(excused.replace(opener, "")))
  )
    return "negative"
  if (
    praising.test(text) ||
    praising.test(bare) ||
    (stating && (commending.test(bare) || commending.test(text)))
  )
    return "positive"
  return undefined
}

const onlyThanks =
  /^(?:many |ok |okay )*(?:thanks|thank you|thx|cheers|ty|danke|merci|gracias)\b[^,]{0,30}$/iu

/** Undefined where it neither praises nor corrects. */
export const feedbackOf = (prompt: string): Feedback | undefined => {
  const { text, marked } = withMarks(proseOf(prompt))
  if (text.startsWith("/")) return undefined
  const sentences = text
    .split(/(?<=[.!?])\s+|\n+/u)
    .map((one) => one.trim())
    .filter((one) => one !== "")
  const judged = sentences.slice(0, 40).flatMap((sentence, at) => {
    // Behind a request, thanks are good manners.
    if (at > 0 && onlyThanks.test(sentence)) return []
    const polarity = polarityOf(sentence)
    return polarity === undefined ? [] : [{ sentence, polarity }]
  })
  // "Great, but …": what is wrong counts.
  const said = judged.find(({ polarity }) => polarity === "negative") ?? judged[0]
  if (said === undefined) return undefined
  const about = named(said.sentence, marked) ?? named(text, marked) ?? shown(said.sentence, marked)
  return { polarity: said.polarity, about: about.slice(0, longestAbout) }
}
