/** Redacts JSON text literal by literal, so that every byte which holds no secret stays as it was sent. */

import { tellsGenerated } from "./structuredSecrets.ts"

/** What becomes of each part; the same value back leaves its bytes alone. */
export interface Rules {
  readonly key: (text: string) => string
  /** `generated`: an object around it describes a generated secret. */
  readonly string: (text: string, key: string | undefined, generated: boolean) => string
  readonly number: (digits: string, key: string) => string | undefined
}

const nameKeys = /^(?:name|key|variable|env|parameter|field)$/i
const valueKeys = /^(?:value|val|content|default|plaintext|stringvalue|secret_?value)$/i

/** The name that this member gives to the value beside it: `{"name": "DB_PASSWORD", "value": "…"}`. */
export const namedBy = (key: string, value: unknown): string | undefined =>
  typeof value === "string" && value.length < 100 && nameKeys.test(key) ? value : undefined

/** The name of what a member holds: its own, or for a value the one that stands before it in the same object. */
export const nameOf = (key: string, named: string | undefined): string =>
  named !== undefined && valueKeys.test(key) ? named : key

const isSpace = (c: number): boolean => c === 32 || c === 10 || c === 13 || c === 9

/** The index after the literal that opens at `at`. */
const literalEnd = (text: string, at: number): number => {
  let end = at + 1
  for (;;) {
    end = text.indexOf('"', end)
    if (end === -1) return text.length
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 92) slashes++
    end++
    if (slashes % 2 === 0) return end
  }
}

const decode = (literal: string): string =>
  literal.includes("\\") ? (JSON.parse(literal) as string) : literal.slice(1, -1)

const plainNumber = /-?\d+(?=[\s,}\]])/y

/** One pass over valid JSON text. */
export const redactLiterals = (text: string, rules: Rules): string => {
  let out = ""
  let last = 0
  let key: string | undefined
  let named: string | undefined
  let depth = 0
  /** How deep the object is that describes a generated secret. */
  let generated = Number.POSITIVE_INFINITY
  const replace = (start: number, end: number, value: string): void => {
    out += text.slice(last, start) + JSON.stringify(value)
    last = end
  }
  for (let at = 0; at < text.length; ) {
    const c = text.charCodeAt(at)
    if (c === 34) {
      const end = literalEnd(text, at)
      const value = decode(text.slice(at, end))
      let next = end
      while (isSpace(text.charCodeAt(next))) next++
      const isKey = text.charCodeAt(next) === 58
      if (generated > depth && tellsGenerated(isKey ? value : (key ?? ""), value)) generated = depth
      const after = isKey ? rules.key(value) : rules.string(value, key, generated <= depth)
      if (after !== value) replace(at, end, after)
      if (!isKey && key !== undefined) named = namedBy(key, value) ?? named
      key = isKey ? nameOf(value, named) : undefined
      at = isKey ? next + 1 : end
      continue
    }
    if (key !== undefined && !isSpace(c)) {
      plainNumber.lastIndex = at
      if (plainNumber.test(text)) {
        const end = plainNumber.lastIndex
        const after = rules.number(text.slice(at, end), key)
        if (after !== undefined) replace(at, end, after)
        at = end - 1
      }
      key = undefined
    }
    // What is nested or comes after it is another object's.
    if (c === 123 || c === 125) named = undefined
    if (c === 123 || c === 91) depth++
    else if ((c === 125 || c === 93) && --depth < generated) generated = Number.POSITIVE_INFINITY
    at++
  }
  return last === 0 ? text : out + text.slice(last)
}
