/** Where a text may hold a mnemonic phrase, for a first look: short words in a row, or in a list. */
import { withoutEscapes } from "./escapes.ts"
import { findMnemonics } from "./mnemonics.ts"

const none = (): boolean => false

/** After how many short words in lower case in a row a text may hold a mnemonic phrase. */
const phrase = 12

/** Twelve words of a phrase are so long at least that one of these steps meets them. */
const stride = 60
/** `the`, `and`: no words of a phrase, and most of all in prose. */
const isArticle = (text: string, from: number): boolean => {
  const c = text.charCodeAt(from)
  return (
    (c === 116 && text.charCodeAt(from + 1) === 104 && text.charCodeAt(from + 2) === 101) ||
    (c === 97 && text.charCodeAt(from + 1) === 110 && text.charCodeAt(from + 2) === 100)
  )
}
const isPhraseChar = (c: number): boolean => (c > 96 && c < 123) || c === 32

/** Whether so many short words in lower case stand in a row, parted by single blanks. */
export const hasPhrase = (text: string, place: (at: number) => boolean): boolean => {
  const { length } = text
  for (let probe = stride - 1; probe < length; probe += stride) {
    if (!isPhraseChar(text.charCodeAt(probe))) continue
    let words = 1
    let size = 0
    let at = probe
    // Back to where a word is none of a phrase's, or it was enough.
    for (; at >= 0 && words < phrase; at--) {
      const c = text.charCodeAt(at)
      if (c === 32) {
        if (at < probe && words > 1 && (size < 3 || (size === 3 && isArticle(text, at + 1)))) break
        words++
        size = 0
      } else if (c > 96 && c < 123) {
        if (++size > 8) break
      } else break
    }
    size = 0
    let first = true
    for (at = probe + 1; at < length && words < phrase + 1; at++) {
      const c = text.charCodeAt(at)
      if (c === 32) {
        if (!first && (size < 3 || (size === 3 && isArticle(text, at - 3)))) break
        first = false
        words++
        size = 0
      } else if (c > 96 && c < 123) {
        if (++size > 8) break
      } else break
    }
    if (words >= phrase && isMnemonic(text, probe) && !place(probe)) return true
  }
  return false
}

const isMnemonic = (text: string, near: number): boolean =>
  !findMnemonics(withoutEscapes(text.slice(Math.max(0, near - 240), near + 240)), none)

/** Words of a phrase in a list: numbered, in quotes, on lines of their own. */
export const listsWords = (text: string): boolean => {
  let from = 0
  let to = -1
  const holds = (): boolean =>
    to !== -1 &&
    !findMnemonics(
      text
        .slice(from, to)
        .replace(lineEnds, " ")
        .replace(/["',]+/g, " "),
      none
    )
  for (const { index } of text.matchAll(phraseWord)) {
    // Where such words follow each other, what is behind them is read once, not once for each.
    if (index > to) {
      if (holds()) return true
      from = index
    }
    to = index + longestList
  }
  return holds()
}
/** So far behind the word that announces them. */
const longestList = 1200
/** A row of backslashes is looked at from its first one alone. */
const lineEnds = /(?<!\\)\\+[nrt"]/g
const phraseWord = /mnemonic|phras|seed/gi

/** The twelfth of a numbered list whose words stand each on a line of its own, whatever announces it. */
const twelfth = /(?:\n|\\n)12\.[ \t]{1,3}[a-z]{3,8}(?![A-Za-z])/y

/** Calls `place` with where a numbered list has its twelfth word, if the twelve are a phrase; whether it stopped there. */
export const hasNumberedPhrase = (text: string, place: (at: number) => boolean): boolean => {
  for (let at = text.indexOf("12. "); at !== -1; at = text.indexOf("12. ", at + 4)) {
    twelfth.lastIndex = text.charCodeAt(at - 1) === 110 ? at - 2 : at - 1
    if (!twelfth.test(text)) continue
    const list = withoutEscapes(text.slice(Math.max(0, at - 240), at + 14))
    if (!findMnemonics(list, none) && !place(at)) return true
  }
  return false
}
