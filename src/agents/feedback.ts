/**
 * Whether a prompt praises or corrects what the agent did, in plain language, and what it is about. Code, quoted text and questions
 * say nothing of that. Bounded: a long prompt is looked at in its beginning.
 */

import { cues } from "./feedbackCues.ts"
import { patterns } from "./feedbackPatterns.ts"

export type Polarity = "positive" | "negative"

export interface Feedback {
  readonly polarity: Polarity
  /** What is named: a file, a command, code; else the sentence that says it. */
  readonly about: string
}

const longestProse = 4000
/** A longer prompt is a task, a report or a document: what it says of the work, it says at once. */
const longestRemark = 800
const remarkWithin = 300
const longestAbout = 200

const asking = /\?!*\s*$/u
/** Questions that are reproaches. */
const reproach =
  /\b(?:why|what) (?:did|would|do|have|are|were|on earth did) you\b|^(?:did|have|are|do) you even\b|^are you sure\?|^ugh\b|^seriously\?|\bstop \w+ing/u

/** What a sentence may begin with without saying anything. */
const opener =
  /^(?:(?:ok|okay|well|hm+|sorry|but|so|and|hey|yes|yep|yeah|good|ha(?:ha)+|ah+|oh|finally|really|much|now|wait|hold on)[,.!]* )+/u

/** Without code, without what others said, and not without end. */
export const proseOf = (prompt: string): string => {
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

/** As people type when they are in a hurry. */
const hasty: Readonly<Record<string, string>> = {
  awsome: "awesome",
  jsut: "just",
  thats: "that's",
  whats: "what's",
  dont: "don't",
  doesnt: "doesn't",
  didnt: "didn't",
  isnt: "isn't",
  wasnt: "wasn't",
  arent: "aren't",
  wont: "won't",
  cant: "can't",
  couldnt: "couldn't",
  shouldnt: "shouldn't",
  havent: "haven't",
  hasnt: "hasn't",
  youre: "you're",
  youve: "you've",
  ive: "i've",
  im: "i'm",
  u: "you",
  ur: "you're",
  pls: "please",
  plz: "please"
}

const spelt = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\b[a-z]{1,9}\b(?!')/g, (word) => (Object.hasOwn(hasty, word) ? (hasty[word] as string) : word))

/** Without any of these nobody praises: an expression for all ways of it takes milliseconds to be made, which most prompts are spared. */
const praiseWords: ReadonlySet<string> = new Set(
  (
    "perfect perfectly great awesome excellent amazing brilliant beautiful beautifully wonderful fantastic lovely superb outstanding neat sweet thanks " +
    "thank thx cheers ty nice nicely exactly precisely finally works worked nicer cleaner better faster simpler clearer clever smart elegant " +
    "gold impressed impressive appreciate lifesaver saver best star genius legend hero after hoping hoped green passing cool nailed ten 10 kiss tyvm spotted found caught culprit smoother easier trick bug kudos props perfekt approved chapeau looking confirmed verified solution wow yay yess yesss " +
    "yessss bravo lgtm good well looks look charm right correct helpful useful what love like nailed crushed rock rocked fixed solved helped trick " +
    "spot clean fast cleanest bad complaints danke passt super sehr merci parfait perfecto gracias genial improvement solid stellar " +
    "smooth smoothly flawless flawlessly readable happy pleased mind wanted saved day fire did got yup yep yes yeah sick hooray hurray woohoo woo woot all keep that's couldn't"
  ).split(" ")
)
const mayPraise = (text: string): boolean =>
  text.split(/[^a-z']+/).some((word) => praiseWords.has(word)) || /[^ -~]/.test(text)

/** "Great, now add …" asks for the next thing. */
const next =
  /^(?:great|nice|perfect|awesome|cool|excellent|lovely|thanks|thank you)[,.!]* (?:and )?(?:now|next|then) /u

const polarityOf = (sentence: string): Polarity | undefined => {
  const { correcting, correctingFirst, harmless, praising, requesting, complaining, commending } = patterns()
  const { aside, first, isComplaint, rule } = cues()
  const text = spelt(sentence)
  const bare = text.replace(opener, "")
  const question = asking.test(text) && !reproach.test(text)
  if (question) return undefined
  // Whoever sets a condition, a rule for later, or tells of somebody else, does not judge.
  if (aside.test(bare) || rule.test(bare))
    return mayPraise(text) && praising.test(text) && !aside.test(bare) ? "positive" : undefined
  const excused = text.replace(harmless, " ").replace(/\bthank you\b/g, "thanks")
  const stating = !requesting.test(bare.replace(next, "")) && !/\b(?:would be|if)\b/u.test(bare)
  if (
    correcting.test(excused) ||
    (correctingFirst.test(bare) && text === excused) ||
    (stating && complaining.test(excused.replace(opener, ""))) ||
    (excused === text && (first.test(text) || first.test(bare))) ||
    (stating && isComplaint(excused))
  )
    return "negative"
  if (!mayPraise(text)) return undefined
  if (
    praising.test(text) ||
    praising.test(bare) ||
    (stating && (commending.test(bare) || commending.test(text)))
  )
    return "positive"
  return undefined
}

/** The sentences that begin near the beginning; none of a document, which begins with a heading. */
const beginningOf = (text: string): string => {
  if (/^\s*#/.test(text)) return ""
  const end = text.slice(remarkWithin).search(/[.!?]\s|\n/)
  return end < 0 ? text : text.slice(0, remarkWithin + end + 1)
}

const onlyThanks =
  /^(?:many |ok |okay )*(?:thanks|thank you|thx|cheers|ty|danke|merci|gracias)\b[^,]{0,30}$/iu

/** Undefined where it neither praises nor corrects. */
export const feedbackOf = (prompt: string): Feedback | undefined => {
  const { text, marked } = withMarks(proseOf(prompt))
  if (text.startsWith("/")) return undefined
  const isLong = text.length > longestRemark
  const sentences = (isLong ? beginningOf(text) : text)
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
