/** The arguments of a call in a text, and the literal that one of them is, whatever it is wrapped in: `[]byte("…")`, `b'…'`, `hex::decode("…")`. */

export interface Span {
  readonly start: number
  readonly end: number
}

/** So far a call is read, and so many of its arguments. */
const longestCall = 1200
const mostArguments = 8
const longestString = 300

const isQuote = (c: number): boolean => c === 34 || c === 39 || c === 96

/** The index behind the string whose quote, or whose backslashes before it, stand at `at`; `limit` where none closes it. */
const behindString = (text: string, at: number, limit: number): number => {
  let quote = at
  while (text.charCodeAt(quote) === 92) quote++
  const opener = text.slice(at, quote + 1)
  if (opener.length > 1) {
    const close = text.slice(quote + 1, limit).indexOf(opener)
    return close === -1 ? limit : quote + 1 + close + opener.length
  }
  for (let end = quote + 1; end < limit; end++) {
    const c = text.charCodeAt(end)
    if (c === 92) end++
    else if (c === text.charCodeAt(quote)) return end + 1
    else if (c === 10 && text.charCodeAt(quote) !== 96) return limit
  }
  return limit
}

/** Perl's own quotes may hold quotes and commas. */
const ownQuotes = /\bqq?\s?([{([|!/])/y
const closing: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]" }

const behindOwnQuotes = (text: string, at: number, limit: number): number => {
  ownQuotes.lastIndex = at
  const opener = ownQuotes.exec(text)?.[1]
  if (opener === undefined) return at
  const from = ownQuotes.lastIndex
  const close = text.slice(from, Math.min(limit, from + longestString)).indexOf(closing[opener] ?? opener)
  return close === -1 ? at : from + close + 1
}

/** Those of the call whose bracket opens at `open`; the last only where it closes. */
export const argumentsOf = (text: string, open: number): readonly Span[] => {
  const limit = Math.min(text.length, open + longestCall)
  const found: Span[] = []
  let depth = 0
  let start = open + 1
  for (let at = open + 1; at < limit && found.length < mostArguments; ) {
    const c = text.charCodeAt(at)
    if (isQuote(c) || (c === 92 && isQuote(text.charCodeAt(at + 1)))) {
      at = behindString(text, at, limit)
      continue
    }
    if (c === 113) {
      const end = behindOwnQuotes(text, at, limit)
      if (end > at) {
        at = end
        continue
      }
    }
    if (c === 40 || c === 91 || c === 123) depth++
    else if (c === 41 || c === 93 || c === 125) {
      if (depth-- === 0) {
        found.push({ start, end: at })
        return found
      }
    } else if (c === 44 && depth === 0) {
      found.push({ start, end: at })
      start = at + 1
    }
    at++
  }
  return found
}

/** What a literal may be wrapped in, and what of a language stands before its quote. */
const wrapped =
  /\s{0,40}(?:new\s)?((?:[\w.:<>!&*[\]-]{0,40}[([{]\s{0,20}){0,3})(?:[bBrRuUfLNq@$]{1,2}(?=\\*["'`]))?(?:(\\*["'`])|qq?\s?([{([|!/]))/y
/** A call that reads from elsewhere what it is given the name of. */
const reading =
  /env|config|conf\b|get|fetch|read|load|lookup|open|file|require|params|headers|secrets?\b|from_?name|\bt\(|\w\[/i
/** Joined with something, or filled in. */
const joined = /^\s*(?:[+%]|\.format|\.\.|<>|\|\|)|^\s*\.\s*[$\w]+\s*\(?\s*\$/

/** The text of the literal that the argument is, without its quotes. */
export const literalIn = (text: string, { start, end }: Span): Span | undefined => {
  wrapped.lastIndex = start
  const found = wrapped.exec(text)
  if (found === null || wrapped.lastIndex > end) return undefined
  const [, wrapper = "", quote, own] = found
  if (reading.test(wrapper.replace(/get_?bytes/i, ""))) return undefined
  const from = wrapped.lastIndex
  const close = quote ?? closing[own as string] ?? (own as string)
  const rest = text.slice(from, Math.min(end, from + longestString))
  const length = rest.indexOf(close)
  if (length === -1 || /[{}\n]|\$[{(]/.test(rest.slice(0, length))) return undefined
  const stop = from + length
  return joined.test(text.slice(stop + close.length, Math.min(end, stop + 60)))
    ? undefined
    : { start: from, end: stop }
}

const member = /\bkeys?\s{0,4}:\s{0,4}(?=[["'`])/
const behindOne = /\\*["'`]\s{0,20},?\s{0,20}/y

/** Those that an argument which is an object lists under `keys`, or else the one that it is. */
export const literalsIn = (text: string, span: Span): readonly Span[] => {
  if (!/^\s*\{/.test(text.slice(span.start, span.start + 12))) {
    const only = literalIn(text, span)
    return only === undefined ? [] : [only]
  }
  const found: Span[] = []
  const first = member.exec(text.slice(span.start, span.end))
  if (first === null) return found
  let at = span.start + first.index + first[0].length
  for (let next = literalIn(text, { start: at, end: span.end }); next !== undefined; ) {
    found.push(next)
    behindOne.lastIndex = next.end
    at = behindOne.test(text) ? behindOne.lastIndex : span.end
    next = literalIn(text, { start: at, end: span.end })
  }
  return found
}
