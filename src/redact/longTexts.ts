/** What became of long texts lately: a look through one costs its length, and a draft, JSON within JSON and each round ask for the same. */

/** Shorter ones cost no more to look through than to remember. */
const shortest = 500
/** Characters, of texts and results together, that are kept from one call to the next: the facts of one call tell the same payload. */
const mostKept = 8_000_000
/** And within one. */
const mostHeld = 64_000_000
const mostTexts = 64

export interface LongTexts {
  /** What becomes of the text, which `make` tells of one that is not known. */
  readonly of: (text: string, make: (text: string) => string) => string
  /** That looking through it again changes nothing. */
  readonly isSettled: (text: string) => void
  /** Drops what is too much to hold on to between two calls. */
  readonly trim: () => void
}

export const makeLongTexts = (): LongTexts => {
  const known = new Map<string, string>()
  let kept = 0
  const clear = (): void => {
    known.clear()
    kept = 0
  }
  const sizeOf = (text: string, after: string): number =>
    text === after ? text.length : text.length + after.length
  const keep = (text: string, after: string): void => {
    // The oldest goes: what was found last is asked for next.
    for (const [oldest, was] of known) {
      if (known.size < mostTexts && kept <= mostHeld) break
      known.delete(oldest)
      kept -= sizeOf(oldest, was)
    }
    known.set(text, after)
    kept += sizeOf(text, after)
  }
  return {
    of: (text, make) => {
      if (text.length < shortest) return make(text)
      const before = known.get(text)
      if (before !== undefined) return before
      const after = make(text)
      keep(text, after)
      return after
    },
    isSettled: (text) => {
      if (text.length >= shortest && !known.has(text)) keep(text, text)
    },
    trim: () => {
      if (kept > mostKept) clear()
    }
  }
}

/** What is left may show another secret only next to a mark: a few rounds always suffice. */
export const settle = (text: string, round: (text: string) => string, texts: LongTexts): string => {
  let before = text
  for (let rounds = 0; rounds < 5; rounds++) {
    const after = round(before)
    if (after === before) {
      texts.isSettled(after)
      return after
    }
    before = after
  }
  return before
}
