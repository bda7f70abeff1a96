/** What somebody looks for, as an expression of the full-text index. Their text is data: no character of it is syntax. */

/** Words that stand in every text and tell none apart. */
const common = new Set(
  `a about after all also an and any are as at be because been before but by can could did do does for from get had has have
  he her him his how i if in into is it its just let like make me more my no not now of on one only or other our out over please
  she should so some than that the their them then there these they this those to up us use very was we were what when where
  which who why will with would you your der die das und ist nicht ein eine mit von zu den im auf für es sich dem des`.split(
    /\s+/
  )
)

const word = /[\p{Letter}\p{Number}]+/gu

/** More of them make a question no sharper, only slower. */
const maxTerms = 32

export const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(word) ?? []

/** The words of a text that may tell it from others, each once, in order. */
export const termsOf = (text: string): readonly string[] =>
  [...new Set(wordsOf(text))].filter((one) => one.length > 1 && !common.has(one)).slice(0, maxTerms)

const quoted = (words: readonly string[]): string => `"${words.join(" ")}"`

/** Pieces in double quotes stay together; the rest falls apart into words. */
const piecesOf = (query: string): readonly (readonly string[])[] =>
  query.split(/"([^"]*)"/).flatMap((part, at) => {
    const words = wordsOf(part)
    if (words.length === 0) return []
    return at % 2 === 1 ? [words] : words.map((one) => [one])
  })

/** All of it has to be there, the last word only begun. Undefined where there is no word in it. */
export const allOf = (query: string): string | undefined => {
  const pieces = piecesOf(query).slice(0, maxTerms)
  if (pieces.length === 0) return undefined
  const open = /[\p{Letter}\p{Number}]$/u.test(query)
  return pieces
    .map((words, at) => quoted(words) + (open && at === pieces.length - 1 ? "*" : ""))
    .join(" AND ")
}

/** Any of it, leaving out what stands everywhere. */
export const anyOf = (text: string): string | undefined => {
  const terms = termsOf(text)
  const wanted = terms.length > 0 ? terms : wordsOf(text).slice(0, maxTerms)
  return wanted.length === 0 ? undefined : wanted.map((one) => quoted([one])).join(" OR ")
}

/** A word without the ending that its grammar gave it: enough to tell whether two texts speak of one thing. */
export const stem = (one: string): string =>
  one.length > 4 ? one.replace(/(ies|ied)$/, "y").replace(/(ing|ed|es|s)$/, "") : one

/** How many of the terms a text has, whichever form they are in. */
export const shared = (terms: readonly string[], text: string): number => {
  const there = new Set(wordsOf(text).map(stem))
  return terms.filter((one) => there.has(stem(one))).length
}
