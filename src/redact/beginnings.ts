/** Where one of many words may begin in a text: told by its first four characters, in one look at each character. */

/** The last five bits of a character: those of a letter are the same in lower case and as a capital. */
export const bitsOf = (c: number): number => c & 31
export const pairOf = (first: number, second: number): number => (bitsOf(first) << 5) | bitsOf(second)

export interface Beginnings {
  /** By the last bits of three characters in a row, which may stand fourth, as bits of a number. */
  readonly fourth: Int32Array
  /** Adds words that begin with two characters, one of these third and one of these fourth; undefined: any. */
  readonly add: (
    pair: number,
    third: readonly number[] | undefined,
    fourth: readonly number[] | undefined
  ) => void
}

const all = Array.from({ length: 32 }, (_, bits) => bits)

export const makeBeginnings = (): Beginnings => {
  const fourth = new Int32Array(32 * 32 * 32)
  return {
    fourth,
    add: (pair, thirds = all, fourths = all) => {
      const mask = fourths.reduce((bits, bit) => bits | (1 << bit), 0)
      for (const third of thirds) {
        const three = (pair << 5) | third
        fourth[three] = (fourth[three] as number) | mask
      }
    }
  }
}

/** Where one of these words may begin, in lower case or in capitals; no word is shorter than two characters. */
export const beginningsOf = (words: Iterable<string>): Beginnings => {
  const made = makeBeginnings()
  for (const word of words) {
    const [first = 0, second = 0, third, fourth] = [...word.slice(0, 4)].map((c) => c.charCodeAt(0))
    const bits = (c: number | undefined) => (c === undefined ? undefined : [bitsOf(c)])
    made.add(pairOf(first, second), bits(third), bits(fourth))
  }
  return made
}

/** Longer texts are read piece by piece. */
const piece = 32_768
const makeReader = () => {
  const read = new Uint16Array(piece + 1)
  return { read, bytes: Buffer.from(read.buffer) }
}
/** The characters of a piece: to read them here takes half the time that it takes in a text. Whoever is told may look through another text. */
const readers = [makeReader()]
let readersInUse = 0

/** Told of a place, and of the character there where it is none of English; says where to go on, 0 where nothing begins there, or -1 to end the search. */
type Found = (at: number, character: number) => number

/** Looks at the places from `from` to `to`, whose characters are read; returns where to go on. */
const placesIn = (read: Uint16Array, fourth: Int32Array, from: number, to: number, found: Found): number => {
  let least = from
  let three = 0
  let c = 0
  let next = read[0] as number
  for (let third = from; third < to; third++) {
    c = next
    next = read[third - from + 1] as number
    three = ((three << 5) | (c & 31)) & 32767
    // One branch, and one that is hardly ever taken: what it costs to guess a branch wrong is more than all the rest.
    if (((((fourth[three] as number) >>> (next & 31)) & 1) | (c >> 7)) === 0) continue
    let goesOn = c > 127 && third >= least ? found(third, c) : 0
    if (goesOn === 0 && third - 2 >= least) goesOn = found(third - 2, 0)
    if (goesOn === -1) return -1
    if (goesOn > least) least = goesOn
    if (least <= third + 1 || least >= to) continue
    third = least - 1
    next = read[least - from] as number
  }
  return least
}

/** Tells of each place where a word may begin, and of each character that is none of English. */
export const eachPlace = (text: string, { fourth }: Beginnings, found: Found): void => {
  const reader = readers[readersInUse] ?? makeReader()
  readers[readersInUse++] = reader
  const { bytes, read } = reader
  const { length } = text
  for (let from = 0; from < length; ) {
    const part = length <= piece ? text : text.slice(from, from + piece + 1)
    const size = bytes.write(part, "utf16le")
    if (size < bytes.length) read[size >> 1] = 0
    const to = Math.min(length, from + piece)
    const next = placesIn(read, fourth, from, to, found)
    if (next === -1) break
    // What begins at a piece's end is read with the next one.
    from = to === length ? to : Math.max(to - 2, next)
  }
  readersInUse--
}
