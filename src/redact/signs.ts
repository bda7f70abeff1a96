/** Words that finders need: all of them are looked for at once, and each finder looks around its own. */
import { type Beginnings, beginningsOf, eachPlace, pairOf } from "./beginnings.ts"
import { near, type Stretch } from "./near.ts"

/** Words of which a finder needs one, in any case; each has two characters at least. */
export type Sign = number

const words: { readonly word: string; readonly sign: Sign }[] = []
let signs = 0
let made: Spotter | undefined
/** No text that is looked through. */
const unread = "\0"
/** Of the last text: its finders ask one after the other. */
let last = unread
let known: ReadonlyMap<Sign, readonly number[]> = new Map()

/** A sign is told once, where its finder is written. */
export const signOf = (...needed: readonly string[]): Sign => {
  const sign = signs++
  for (const word of needed) words.push({ word: word.toLowerCase(), sign })
  // Whoever is loaded after a first look is looked for as well.
  made = undefined
  last = unread
  return sign
}

interface Spotter {
  readonly beginnings: Beginnings
  /** By the last bits of the two characters that they begin with. */
  readonly byPair: readonly (typeof words | undefined)[]
}

const makeSpotter = (): Spotter => {
  const byPair: (typeof words | undefined)[] = []
  for (const one of words) {
    const pair = pairOf(one.word.charCodeAt(0), one.word.charCodeAt(1))
    byPair[pair] = [...(byPair[pair] ?? []), one]
  }
  return { beginnings: beginningsOf(words.map(({ word }) => word)), byPair }
}

/** Whether the word stands there, in any case. */
const standsAt = (text: string, at: number, word: string): boolean => {
  for (let nth = 0; nth < word.length; nth++) {
    const c = text.charCodeAt(at + nth)
    if ((c > 64 && c < 91 ? c | 32 : c) !== word.charCodeAt(nth)) return false
  }
  return true
}

const placesIn = (text: string): ReadonlyMap<Sign, readonly number[]> => {
  made ??= makeSpotter()
  const { beginnings, byPair } = made
  const places = new Map<Sign, number[]>()
  eachPlace(text, beginnings, (at) => {
    for (const { sign, word } of byPair[pairOf(text.charCodeAt(at), text.charCodeAt(at + 1))] ?? []) {
      if (!standsAt(text, at, word)) continue
      const known = places.get(sign)
      if (known === undefined) places.set(sign, [at])
      else if (known.at(-1) !== at) known.push(at)
    }
    return 0
  })
  return places
}

/** Where the sign stands in the text, in order. */
export const placesOf = (text: string, sign: Sign | RegExp): readonly number[] => {
  if (typeof sign !== "number") return Array.from(text.matchAll(sign), ({ index }) => index)
  if (text !== last) {
    known = placesIn(text)
    last = text
  }
  return known.get(sign) ?? none
}
const none: readonly number[] = []

/** Whether the sign stands in the text. */
export const hasSign = (text: string, sign: Sign): boolean => placesOf(text, sign).length > 0

/** Where the text is worth a look for a finder that needs the sign: from so far before it to so far behind. */
export const nearSign = (
  text: string,
  sign: Sign | RegExp,
  before: number,
  after: number
): Generator<Stretch> => near(text, placesOf(text, sign), before, after)

/** Matches of `pattern` there, as in the text itself. */
export function* matchesNear(
  text: string,
  sign: Sign | RegExp,
  pattern: RegExp,
  before: number,
  after: number
): Generator<{ readonly at: number; readonly match: RegExpExecArray }> {
  for (const { start, end } of nearSign(text, sign, before, after)) {
    const part = start === 0 && end === text.length ? text : text.slice(start, end)
    for (const match of part.matchAll(pattern)) yield { at: start + match.index, match }
  }
}
