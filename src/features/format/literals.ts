/**
 * Every text that may be a string in a piece of JavaScript, TypeScript or JSON. Each quote is taken for a beginning, also one that is
 * none: what is found is more than is there, and nothing that is there can hide behind a comment or a pattern.
 */

/** A text of nothing but escaped quotes would take for ever. */
const mostSteps = 20_000_000

const named: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" }

const escapes = /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|([0-7]{1,3})|(\r\n|[\s\S]))/gi

const unescaped = (text: string): string =>
  text.replace(escapes, (_, long, short, byte, octal, other) => {
    const code = parseInt(long ?? short ?? byte ?? "", 16)
    if (!Number.isNaN(code)) return code > 0x10_ff_ff ? "" : String.fromCodePoint(code)
    if (octal !== undefined) return String.fromCodePoint(parseInt(octal, 8))
    return /[\r\n\u2028\u2029]/.test(other) ? "" : (named[other] ?? other)
  })

/** Undefined where that takes too long to say. */
export const literalsIn = (text: string): ReadonlySet<string> | undefined => {
  const found = new Set<string>()
  let steps = 0
  for (const { 0: quote, index } of text.matchAll(/["'`]/g)) {
    let end = index + 1
    while (end < text.length && text[end] !== quote) {
      end += text[end] === "\\" ? 2 : 1
      if (++steps > mostSteps) return undefined
    }
    if (end < text.length) found.add(unescaped(text.slice(index + 1, end)))
  }
  return found
}
