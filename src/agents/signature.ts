/** The name under which the same error is met again: its telling line without what differs from run to run. */

const longestLine = 400
const longestSignature = 160
/** Where the telling line is looked for: errors stand near an end of an output. */
const window = 16_384

const telling =
  /\b(?:error|exception|fail(?:ed|ure)?|fatal|panic|cannot|can't|not found|no such|denied|undefined|traceback)\b/i
const exitLine = /^exit code:? \d+$/i

/** The head and the tail of a long text. */
const ends = (text: string): string =>
  text.length <= 2 * window ? text : `${text.slice(0, window)}\n${text.slice(-window)}`

/** The line of an output that says what went wrong: the first that sounds like it, else the first that says anything. */
export const tellingLine = (text: string): string => {
  let first = ""
  for (const raw of ends(text).split("\n")) {
    const line = raw.trim().slice(0, longestLine)
    if (line === "" || exitLine.test(line)) continue
    if (first === "") first = line
    // The heading of a Python traceback; the error itself comes last.
    if (telling.test(line) && !/^traceback\b/i.test(line)) return line
  }
  return first
}

/**
 * Paths, numbers, hexadecimals and quoted texts become marks; case and spacing do not count. Works on one bounded line, so
 * that no input makes it slow.
 */
export const signatureOf = (message: string): string =>
  tellingLine(message)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours are what is taken out
    .replace(/\u001b\[[0-9;]{0,16}[A-Za-z]/g, "")
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, "‹text›")
    .replace(/(?:[A-Za-z]:)?[\w.@~+-]*[\\/][\w.@~+\\/-]*/g, "‹path›")
    .replace(/\b0x[0-9a-f]+\b|\b[0-9a-f]{8,}\b/gi, "‹hex›")
    .replace(/\d+/g, "‹n›")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase()
    .slice(0, longestSignature)
