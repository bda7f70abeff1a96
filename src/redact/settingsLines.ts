/** Values of settings that go on behind what ends them elsewhere. */

const signsOfShells = new Set([..."&|<>("].map((c) => c.charCodeAt(0)))
/** What a line of settings begins with. */
const lead = /(?:\n|\\[nt]|["'`])(?:[ \t]|export |set |- |ENV ){0,12}["']?$/
const longestLead = 24
const restOfLine = /[^\s"'`\\]{1,256}(?=[ \t]{0,8}(?:\r|\n|\\[nr]|$))/y
const identifier = /^[A-Za-z_$][\w$]*$/

interface Bare {
  /** Where the sign between the name and the value ends. */
  readonly from: number
  readonly name: string
  readonly at: number
  /** Where it would end on a command line. */
  readonly stop: number
  readonly tight: boolean
}

/** In a file of settings a value goes on to the end of its line, also behind what a shell would take for its own. */
export const valueEnd = (text: string, { at, from, name, stop: end, tight }: Bare): number => {
  if (!signsOfShells.has(text.charCodeAt(end)) || end === at) return end
  const start = text.lastIndexOf(name, from)
  const before = text.slice(Math.max(0, start - longestLead), start)
  if (!lead.test(start > longestLead ? before : `\n${before}`)) return end
  // A type, and not the only one: `token: Uint8Array|null`.
  if (!tight && identifier.test(text.slice(at, end))) return end
  // What is called is code.
  if (text.charCodeAt(end) === 40 && /[\w)"'`$@[{]/.test(text.charAt(end + 1))) return end
  restOfLine.lastIndex = end
  const rest = restOfLine.exec(text)?.[0]
  return rest === undefined || /^(?:&&|\|\||[|<>&(]$|>\w*\/)|[&?][\w.-]{1,40}=|\)$|=>/.test(rest)
    ? end
    : end + rest.length
}

/** Pairs beside it say to what it connects: there, words joined by dots are no expression. */
export const isOfConnection = (text: string, at: number): boolean =>
  /\b(?:host|hostaddr|server|user|uid|dbname|database|sslmode|port)=[^\s"']{1,80}[ ;,]/.test(
    text.slice(Math.max(0, at - 160), at + 160)
  )
