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

const wordOfProse = /-\p{Lu}\p{Ll}+ /uy

/** Whether the dash at `at` begins a line that a diff takes out, and what follows is a word of prose. */
export const isTakenOut = (text: string, at: number): boolean => {
  const before = text.charCodeAt(at - 1)
  if (at > 0 && before !== 10) return false
  wordOfProse.lastIndex = at
  return wordOfProse.test(text)
}

/** Pairs beside it say to what it connects: there, words joined by dots are no expression. */
const isOfConnection = (text: string, at: number): boolean =>
  /\b(?:host|hostaddr|server|user|uid|dbname|database|sslmode|port)=[^\s"']{1,80}[ ;,]/.test(
    text.slice(Math.max(0, at - 160), at + 160)
  )

/** Options of what mounts a share: `-o username=me,password=…,vers=3.0`. */
const ofMount = /\s-o[ \t]{0,4}[\w.,=/-]{0,120}$/

/** Whether a tight value stands among what a connection or a mount is told. */
export const isOfOptions = (text: string, at: number, value: string, next: string | undefined): boolean =>
  (value.includes(".") && isOfConnection(text, at)) ||
  (next === "," && ofMount.test(text.slice(Math.max(0, at - 140), at)))

/** `"user": "…", "pass": "…"`: one that logs in, and none of several passes. */
const user =
  /\b(?:user(?:name)?|login|email)\\*["']?\s{0,4}(?::|=>?)\s{0,4}\\*["'][^"'\n\\]{1,80}\\*["'],\s{0,8}\\*["']?pass\\*["']?\s{0,4}(?::|=>?)\s{0,4}\\*["']$/i

export const isBesideUser = (text: string, at: number, name: string): boolean =>
  /^pass$/i.test(name) && user.test(text.slice(Math.max(0, at - 160), at))

/** Words that dashes join, or that go on with a capital: what is chosen for a password, and in code a sum or a variable. */
const chosen = /^(?:[a-z]{3,}(?:-[a-z]{2,})+|[a-z]{3,}[A-Z][a-z]{2,}|(?=.*[a-z])(?=.*[A-Z]{2})[A-Za-z]{8,})$/
const ofSecrets =
  /pass|pwd|secret|token|key|vault|user|input|value|typed|plain|text|hash|string|field|confirm|hidden|required|optional/i
const pairBefore = /\n[ \t]{0,40}(?:- )?[\w.-]{1,60}:(?:[ \t]+[^\n,;{}()]{1,120})?\r?\n[ \t]{0,40}(?:- )?$/
const pairBehind =
  /^[ \t]{0,4}\r?\n[ \t]{0,40}(?:- )?[\w.-]{1,60}:(?:[ \t]+[^\n,;{}()]{1,120})?[ \t]{0,4}(?:\r?\n|$)/

/** Letters that go from small ones to capitals more often than those of any name do. */
const isAlternating = (value: string): boolean =>
  /^[A-Za-z]{8,}$/.test(value) &&
  (value.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0) * 2 > value.length

/** Whether words stand alone behind a name on a line of YAML: what stands above or below is a pair as well, with no sign of code. */
export const isOfPairs = (text: string, start: number, end: number, value: string): boolean => {
  if (!(chosen.test(value) || isAlternating(value)) || ofSecrets.test(value)) return false
  const line = text.lastIndexOf("\n", start)
  if (!/^[ \t]{0,40}(?:- )?["']?[\w.-]{0,60}:[ \t]{1,4}$/.test(text.slice(line + 1, end - value.length)))
    return false
  return (
    pairBehind.test(text.slice(end, end + 240)) ||
    (/^[ \t]{0,4}(?:\r?\n|$)/.test(text.slice(end, end + 8)) &&
      pairBefore.test(`\n${text.slice(Math.max(0, line - 200), line + 1)}`))
  )
}
