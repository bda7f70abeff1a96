/** What commands print in a session of a shell or an interpreter: a prompt with the command, and its output below. */
import { holdsBareSecret } from "./bareSecretFiles.ts"
import { secretsPrinted } from "./printedValues.ts"
import { longestCommand, mayPrint, type Output, outputOf } from "./printingCommands.ts"
import { secretName } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"

/** How prompts of shells end, but for those below: what is more common in code would have to be looked at in each. */
const signs = ["$ ", "# ", "% "]
const longestOutput = 6000

/** `50% of` is no prompt. */
const isPrompt = (text: string, at: number): boolean => {
  const c = text.charCodeAt(at - 1)
  return text.charCodeAt(at) !== 37 || !(c > 47 && c < 58)
}

/** `C:\Users\me>type …`, `PS /srv> cat …`, behind what they begin with. */
const windows = ["C:\\", "PS "]
const behind = /[^\n<>|"]{0,120}>[ \t]?/y

/** Calls `found` with where each command begins that may print a secret, as its prompt tells; whether it went on to the end. */
export const eachPrompt = (text: string, found: (at: number) => boolean): boolean => {
  for (const sign of signs)
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 2))
      if (isPrompt(text, at) && mayPrint(text, at + 2) && !found(at + 2)) return false
  for (const beginning of windows)
    for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, at + 3)) {
      behind.lastIndex = at + 3
      if (behind.test(text) && mayPrint(text, behind.lastIndex) && !found(behind.lastIndex)) return false
    }
  return true
}

/** An interpreter's: `>>> settings.SECRET_KEY`, `irb> ENV["API_KEY"]`, `>>> secrets.token_hex(32)`. */
const expression =
  /> (?:print\(|puts |p |console\.log\()?([\w.:]{1,80})(?:\(["'][\w.-]{1,40}["']\)|\[["':]?[\w.-]{1,40}["']?\]|\((?:\d{1,4}|)\))?\)?;?[ \t]{0,4}(?=\r?\n)/y
const noPrompt = /["'\x60;={}<|]|[- ]$/
const lastName = /([A-Za-z_][\w-]{1,60})["'\])]{0,8};?\s*$/
/** Calls that make a secret. */
export const generatorCall = /(?:token_(?:hex|urlsafe|bytes)|generate_key|get_random_secret_key)$/

/** Calls `found` with each expression whose value is a secret: its prompt, and where it ends. */
const eachExpression = (text: string, found: (prompt: string, end: number) => void): void => {
  for (let at = text.indexOf("> "); at !== -1; at = text.indexOf("> ", at + 2)) {
    if (text.charCodeAt(at - 1) === 61) continue
    expression.lastIndex = at
    const match = expression.exec(text)
    if (match === null || !shows(match[0], match[1] as string)) continue
    const near = text.slice(Math.max(0, at - 100), at)
    const prompt = near.slice(near.lastIndexOf("\n") + 1).trimStart()
    if (prompt.length <= 60 && !noPrompt.test(prompt)) found(`${prompt}> `, expression.lastIndex)
  }
}

const shows = (shown: string, called: string): boolean => {
  if (shown.includes("(") && generatorCall.test(called)) return true
  const name = /\(\d{0,4}\)/.test(shown) ? undefined : lastName.exec(shown)?.[1]
  return /[.[(]/.test(shown) && name !== undefined && secretName(name) !== undefined
}

/** What no prompt has before its sign: code, and sentences. */
const prefix = /^[^\n;={}<>|]{0,100}$|^>>$|^[^\n]{0,60}[\w)]$/
/** A text in quotes may begin with one. */
const quoted = /(["\x60])([^"\x60]{0,100})$/
/** The line of another command. */
const nextPrompt =
  /\n(?:[\w.-]{1,40}@[\w.-]{1,60}[^\n]{0,80}|\([^\n)]{1,40}\)[^\n]{0,60}|PS [^\n]{0,100}|\[[^\n\]]{1,80}\]|[A-Za-z]:\\[^\n<>|]{0,100}|>>|\w{1,20}(?:\([\w:-]{1,30}\))?|)[ \t]{0,2}(?:[$#%] |> ?(?! ))/

/** The command that begins at `at`, with the lines that it goes on to, and where its output begins; none where that is too far. */
const commandAt = (text: string, at: number): { command: string; end: number } | undefined => {
  const reach = text.slice(at, at + 2 * longestCommand)
  let end = reach.indexOf("\n")
  while (end !== -1 && /[\\|][ \t\r]*$/.test(reach.slice(Math.max(0, end - 4), end)))
    end = reach.indexOf("\n", end + 1)
  if (end === -1) return undefined
  return { command: reach.slice(0, end).replace(/\\\r?\n(?:> )?/g, " "), end: at + end }
}

const besideOthers: Output = { printed: "value", alone: false }
const ofExpression: Output = { printed: "value", alone: true }

/** What stands below a command up to the next prompt, `own` being the one before it. */
const printedBelow = (text: string, end: number, own: string, quote: string): string => {
  const rest = text.slice(end, end + longestOutput)
  const stop = rest.search(nextPrompt)
  const shown = stop === -1 ? rest : rest.slice(0, stop)
  const inQuotes = quote === "" ? shown : (shown.split(quote)[0] as string)
  // What ends with no line has the next prompt behind it.
  const again = inQuotes.indexOf(own === "\n" ? own : own.trimStart(), 1)
  return again === -1 ? inQuotes : inQuotes.slice(0, again)
}

const takeFrom =
  (hit: Hit) =>
  (printed: string, at: number, output: Output): void =>
    secretsPrinted(printed, output, (from, to) => {
      hit(at + from, at + to, tokenKind(printed.slice(from, to)) ?? "secret")
    })

const reader = /(?:^|\n)[ \t]{0,8}(?:sudo[ \t])?cat[ \t]{1,4}([^\s|;&<>]{3,200})[ \t]{0,4}(?=\r?\n)/g
/** `cat …/master.key` on a line of its own, as a script's trace has it, where only what nobody typed is its output. */
export const findRead = (text: string, hit: Hit): void => {
  const take = takeFrom(hit)
  for (const found of text.matchAll(reader)) {
    const path = found[1] as string
    const end = found.index + found[0].length
    if (holdsBareSecret(path) && secretName(/[^/\\]*$/.exec(path)?.[0] ?? "") !== undefined)
      take(printedBelow(text, end, "\n", ""), end, besideOthers)
  }
}

export const findInSessions = (text: string, hit: Hit): void => {
  const take = takeFrom(hit)
  eachPrompt(text, (at) => {
    const near = text.slice(Math.max(0, at - 200), at)
    const before = near.slice(near.lastIndexOf("\n") + 1)
    const [, quote = "", own = before] = quoted.exec(before) ?? []
    const found = prefix.test(own.slice(0, -2)) ? commandAt(text, at) : undefined
    const output = found === undefined ? undefined : outputOf(found.command)
    if (found !== undefined && output !== undefined)
      take(printedBelow(text, found.end, own, quote), found.end, output)
    return true
  })
  eachExpression(text, (prompt, end) => take(printedBelow(text, end, prompt, ""), end, ofExpression))
}
