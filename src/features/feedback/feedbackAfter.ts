/**
 * Whether a prompt praises or corrects, with the turn before it at hand: what people leave unsaid, since both know it. "Try again" corrects, and so does
 * a prompt that asks for the same once more, that tells of having taken something back, or of trouble where work has just been done. Pure.
 */
import { type Feedback, feedbackOf, proseOf } from "../../agents/feedback.ts"

export interface TurnBefore {
  readonly prompt: string
  /** The last thing that the agent said. */
  readonly answer: string
  /** It changed files or ran commands. */
  readonly worked: boolean
}

const longestAbout = 200
/** A longer prompt is a task of its own; what it says of the work, it says at once. */
const longestRemark = 900
const remarkWithin = 240

const plain = (text: string): string => text.replace(/[‘’]/g, "'").toLowerCase()

const wordsOf = (text: string): ReadonlySet<string> => new Set(plain(text).match(/[\p{L}\p{N}_'./-]{2,}/gu))

/** So much of two prompts is the same that they ask for the same. */
const alike = 0.7
const fewestWords = 4

const isRepeated = (prompt: string, before: string): boolean => {
  const [now, then] = [wordsOf(prompt), wordsOf(before)]
  if (now.size < fewestWords || then.size < fewestWords) return false
  const shared = [...now].filter((word) => then.has(word)).length
  return shared / (now.size + then.size - shared) >= alike
}

const again =
  /^(?:ok(?:ay)?,? |no,? |hm+,? |please |can you |just )*(?:try|retry|do (?:it|that)|run (?:it|that)|redo)(?: (?:it|that|this))? ?(?:once )?(?:again|(?<=retry|redo))\b.{0,20}$/
const onceMore = /^again[.!]*$/
/** What was done is taken back, or the person did it over. */
const undone =
  /^(?:ok(?:ay)?,? |no,? |please |just )*(?:git (?:checkout|restore|reset|revert) (?:\.|--\S+|head\S*)(?: \S+)?(?: and start over)?[.!]*$|(?:put|bring) (?:\S+ ){1,4}back[.!]*$|(?:put|bring) back the (?:old|previous|original|last)\b|(?:change|switch|set|turn) (?:it|that|this) back[.!]*$|go back to the (?:old|previous|original|last)\b)|\bstart (?:all )?over[.!]*$|\bi (?:had to|ended up) .{1,60}\b(?:myself|by hand|manually)\b|^(?:.{0,20}\b)?i(?:'ve| have)?(?: just| now)? (?:reverted|undid|undone|rolled back|removed|deleted|dropped|discarded|took out|backed out|changed .{1,30} back|put .{1,30} back)\b/

/** What is not as it should be. */
const amiss =
  "(?:wrong|incorrect|not right|not correct|broken|missing|not clean|not there|not what|not how|inaccurate|outdated|misleading|confusing|off)"
const trouble = new RegExp(
  [
    // It is, does, can or should not.
    "^(?:hm+,? |no,? |but |and |ok(?:ay)?,? |well,? |wait,? |actually,? )*(?:it|this|that|they|these|those|there|the \\S+(?: \\S+){0,2}|[\\w./`-]+) (?:(?:still|now|also|really) )?(?:doesn't|does not|don't|do not|didn't|did not|isn't|is not|aren't|are not|wasn't|can't|cannot|won't|should(?:n't| not)|seems? (?:wrong|off|odd|strange|not))\\b",
    "\\b(?:doesn't|does not|don't|do not|didn't) (?:seem|appear|look) to\\b",
    `\\b(?:is|are|looks?|seems?|feels?)(?: to be)?(?: still| now| also| a bit| quite)? ${amiss}\\b`,
    "\\bi (?:still |also )?(?:don't|do not|can't|cannot) (?:see|find|get)\\b",
    "\\b(?:there is|there's|there are|i see|i found|seeing|getting) (?:still |now |also )?(?:a |an |some |the )?(?:\\S+ ){0,4}(?:bugs?|problems?|issues?|errors?|failures?|regressions?|typos?)\\b",
    "\\b(?:will|would|might|may) (?:cause|lead to|create|break|fail)\\b",
    "\\b(?:tests?|build|lint|ci|it)(?: and \\w+)?(?: is| are)? (?:still |now )?(?:fails?|failing|failed|red|crash(?:es|ed|ing)?|broken)\\b|\\bfailures?\\b.{0,3}:\\(|^still\\b",
    // Another way is wanted than the one that was taken.
    "\\b(?:why )?(?:can't|couldn't|shouldn't) (?:we|you|it)(?: not)? (?:just|simply|reuse|instead)\\b",
    "\\bthe (?:code|test|spec|old \\w+|original \\w+) (?:is|was) (?:right|correct|fine)\\b",
    "\\b(?:can|should|may) stay (?:there|as|where|the way)\\b",
    "\\bnot as an? \\S+,? but\\b|\\bbut it (?:doesn't|does not|isn't|is not|still)\\b"
  ].join("|")
)
/** What is seen of the work, and nothing asked for with it. */
const seen = new RegExp(
  [
    "^(?:hm+,? |no,? |but |and |ok(?:ay)?,? |well,? |wait,? )*(?:it|this|that|they|the \\S+)(?:'s|'re| is| are) (?:still (?:broken|failing|red|slow|there|wrong|empty|blank|missing|crashing|not|the same)|not (?:\\w{3,}(?:ed|ing)|there|right|visible|correct|what|how))\\b",
    "^not (?:there|visible|working|centered|aligned|fixed|found|installed|enough)[.!]*$",
    "^(?:and |but |now |hm+,? |ok(?:ay)?,? |well,? )*(?:i|we)(?:'m| am|'re)? (?:now )?(?:get|see|getting|seeing) (?:\\S+ ){0,5}(?:\\w*error|exceptions?|failures?|warnings?|[45]\\d\\d|undefined|null|nan)\\b",
    "^(?:uncaught )?[a-z.]*(?:error|exception)(?: \\[\\w+\\])?: |^\\S+ failed: "
  ].join("|")
)
/** Whoever goes on with a task tells what is so for its sake. */
const goesOn =
  /(?:[,.;:–—-]|\b(?:and|so))\s+(?:please |then |just )*(?:add|put|write|create|publish|update|document|extend|avoid|use|make|bump|skip|mention|explain|describe|implement|rename|move|build|release|deploy|test|retry|wrap|catch|handle|support|regenerate|investigate|look into|find out|can (?:you|we))\b/
/** Long before the turn. */
const longAgo = /\bsince (?:last|yesterday|monday|v?\d)|\bfor (?:weeks|days|months|ages|a while|years)\b/
/** What should be there. */
const lost =
  /^(?:and |but |ok,? )*(?:what happened to|where (?:did|is|are|have)) (?:the |my |our |your |all |those )*(?:\S+ ){0,2}?(\S+?)(?: go| gone)?\s*\?/
/** Another thing is wanted than one that the agent named. */
const rather =
  /\b(?:let's|we should|please|just|can we|use|make it) (?:\S+ ){0,8}(?:and not|not|instead of|rather than) (?:an? |the )?["'`]?([^\s"'`,.;]{2,40})/
/** A task says what is to be done first, and then of what. */
const task =
  /^(?:please |can you |could you |now |then |also |and )*(?:find|check|log|review|explain|look|add|tell|describe|investigate|refactor|show|never|write|implement|when|whenever|if|users? (?:say|report)|customers?)\b/
/** The agent said that it cannot be done, and it can. */
const refusing =
  /\b(?:can(?:'t|not)|unable|not (?:possible|supported|able)|only supports?|no way to|isn't possible)\b/
const refuting = /\b(?:i was able|i managed|i could|it(?:'s| is) possible|it does|it works|you can)\b/

/** It is as it was asked for. */
const met =
  /^(?:ok(?:ay)?,? |yes,? |yep,? |great,? |and |now )*(?!(?:no|not|nothing|none|neither|never|only|hardly|half|nobody|if|when|once|until)\b)(?:the )?\S+(?: \S+)?(?:'s|'re| is| are)? (?:all |now )*(?:(?:green|passing|fixed|resolved)(?: now| again)?[.!]*$|(?:loads?|works?|runs?|pass(?:es)?|builds?|compiles?|renders?|starts?) (?:again|now|fine|for me|locally|here|too|on my \w+(?: too)?)[.!]*$)|^(?:the |that )?(?:\S+ )?(?:errors?|warnings?|crash(?:es)?|bugs?|issues?|problems?|failures?|flickering|lag|leak)(?:'s| is| are) (?:now )?gone(?: now)?(?:[.!,]|$)|\bnot a single (?:failure|error|warning|crash)[.!]*$|^(?:it )?(?:starts|runs|loads|builds|passes) fine(?: now)?[.!]*$|^(?:i )?can confirm\b|^(?:yup|yep|yes),? that was it\b|^reads well(?:[.!,]|$)|\bnot bad at all\b|^fine by me(?:[.!,]|$)/
/** It may stay. */
const accepted =
  /^(?:yes|yep|ok(?:ay)?|great|good|right)?[,.!]? ?(?:(?:yes|yep|great|good|right|ok(?:ay)?),? (?:merge|ship) (?:it|that|this)|ship it|(?:keep|leave) (?:it|that|this) (?:like (?:this|that)|as (?:it )?is|so|this way)|(?:that |this )?makes sense)[.!]*$/
const pleased =
  /^(?:cool|nice|sweet|great|awesome|excellent|perfect|lovely|beautiful|neat|wonderful|love (?:it|that|this)|looks? good|lgtm|good (?:job|work|stuff)|works(?: now| great| well)?)\b(?! (?:to have|idea|circle|if|as|is|enough)\b)(?!.{0,40}\bbut\b)|^(?:\S+ ){0,3}i (?:really )?(?:like|love) (?:it|this|that|the|your|option|how)\b/
const asking = /\?\s*$/

/** Whether what a remark is about was spoken of. */
const wasNamed = (what: string | undefined, { answer, prompt }: TurnBefore): boolean =>
  what !== undefined && `${plain(prompt)} ${plain(answer)}`.includes(what.replace(/s$/, ""))

/** No answer, whatever was asked. */
const blaming = /\b(?:wrong|not (?:what|true|right|how|correct))\b/
const spokenTo = /\byou(?:r|'ve|'re)?\b/
/** A thing is named that does not do: it needs nobody's work before. */
const ofAThing = /^(?:the|our|my|a|an|this \w+|these|those|there|when|whenever|if|in|on|[\w/-]+\.\w+)\b/

/** What is said at once, sentence by sentence. */
const remarksIn = (prompt: string): readonly string[] =>
  plain(proseOf(prompt).slice(0, prompt.length > longestRemark ? remarkWithin : longestRemark))
    .replace(/`[^`\n]{1,300}`|"[^"\n]{1,300}"/g, "this")
    .split(/(?<=[.!?])\s+|\n+/)
    .map((one) => one.replace(/^[\s\-*•]+/, "").trim())
    .filter((one) => one !== "")
    .slice(0, 3)

/** A question is none, unless it is why something cannot be another way. */
const isTrouble = (remark: string): boolean =>
  (trouble.test(remark) || (seen.test(remark) && !goesOn.test(remark))) &&
  !task.test(remark) &&
  !longAgo.test(remark) &&
  (!asking.test(remark) || /\b(?:can't|couldn't|shouldn't)\b/.test(remark))

/** "What happened to the footer?", and "where are the tests?" that were asked for. */
const isLost = (remark: string, before: TurnBefore): boolean => {
  const what = lost.exec(remark)?.[1]
  return what !== undefined && (remark.includes("what happened to") || wasNamed(what, before))
}

const isRather = (remark: string, { answer }: TurnBefore): boolean => {
  const other = rather.exec(remark)?.[1]
  return other !== undefined && plain(answer).includes(other)
}

const about = (prompt: string): string => prompt.trim().split(/\n/, 1)[0]?.slice(0, longestAbout) ?? ""

/**
 * What begins a session: it may go on with another's. Short words without a thing of their own answer to something; else whoever begins tells of
 * the work of others, unless the agent is spoken to.
 */
const answersSomething = (prompt: string): boolean => {
  const text = plain(prompt.trim())
  return (
    (text.length <= longestAbout && !ofAThing.test(text)) ||
    remarksIn(prompt).some((one) => spokenTo.test(one))
  )
}

/** `before`: undefined where nobody spoke before in this session. */
export const feedbackAfter = (prompt: string, before: TurnBefore | undefined): Feedback | undefined => {
  const said = feedbackOf(prompt)
  if (before === undefined) return said !== undefined && answersSomething(prompt) ? said : undefined
  const remarks = remarksIn(prompt)
  if (said !== undefined) {
    if (said.polarity === "positive" || remarks.some((one) => spokenTo.test(one))) return said
    // Whoever is asked answers, and whoever tells of what was so long before corrects nothing.
    if (!before.worked && asking.test(before.answer) && !blaming.test(remarks[0] ?? "")) return undefined
    return longAgo.test(remarks[0] ?? "") ? undefined : said
  }
  const negative: Feedback = { polarity: "negative", about: about(prompt) }
  const text = plain(prompt.trim())
  if (text.startsWith("/") || text.startsWith("#") || text.startsWith("<")) return undefined
  // Where nothing came of the turn before, it is asked for again and nothing is said of it.
  if (before.answer !== "" && (again.test(text) || isRepeated(text, before.prompt))) return negative
  const positive: Feedback = { polarity: "positive", about: about(prompt) }
  if (accepted.test(text)) return positive
  if (!before.worked) return undefined
  if (onceMore.test(text)) return negative
  if (met.test(text) && !asking.test(text) && !goesOn.test(text)) return positive
  if (undone.test(text) && !goesOn.test(text)) return negative
  if (refusing.test(plain(before.answer)) && refuting.test(remarks[0] ?? "")) return negative
  if (remarks.some((one) => isTrouble(one) || isLost(one, before) || isRather(one, before))) return negative
  return pleased.test(text) ? positive : undefined
}
