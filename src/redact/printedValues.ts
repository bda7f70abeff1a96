/** Which part of what a command printed is the secret that it prints: a line alone, or several of Base64. */

import { isMessageOf } from "./messages.ts"
import type { Output } from "./printingCommands.ts"
import { looksRandom, looksSecret } from "./secretNames.ts"

type Take = (start: number, end: number) => void

/** A warning or two may stand before it. */
const mostLines = 40
const fault =
  /^(?:[\w./-]{1,60}: |error|fatal|usage|unable|no such|permission|denied|not found|warn|\[?sudo\b|password for )/i
/** Programs say much with such a beginning before they print what they were asked for. */
const warning = /^(?:warn|\[?sudo\b|password for |defaulted |info|time=|level=|note)/i
const block = /^[A-Za-z0-9+/_-]{24,100}={0,2}$/
const blockEnd = /^[A-Za-z0-9+/_-]{2,100}={0,2}$/
const hex = /^[\da-f]{24,}$/i
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const noValue =
  /^[a-z][a-z+.-]*:\/\/|^(?:~|\.{1,2}\/|[A-Za-z]:\\)|^\/(?:[\w.-]+\/)*[\w.-]*$|^v?\d+(?:\.\d+)+|^\d{4}-\d\d-\d\d|^arn:|^[\w./-]+\.(?:[cm]?[jt]sx?|py|rb|go|rs|md|html?|json|ya?ml|toml|txt|key|pem|enc|conf|log|sh|sql|lock)$|^[\w-]+\/[a-z][\w.-]*$|^[-=+*_#.]+$|^(?:-----|‹)|^[A-Z]+(?:_[A-Z]+)*$|[(){}<>]$|^[([{<]|:$/

/** Numbers as `cat -n`, and quotes as an interpreter shows them. */
const around = /^(?:[ \t]{0,8}\d{1,6}(?:\t|→))?(?:=> )?[ \t]*["'b]{0,2}|["'%]?[ \t\r]*$/g

/** Whether nobody typed a value: random, or the digits of a hash or a UUID. */
export const isMadeValue = (value: string): boolean =>
  looksRandom(value) || hex.test(value) || uuid.test(value) || made.test(value)
/** Sixteen and more characters of more than one sort that are no words. */
const made = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w+/=.~-]{16,}$/
const isChosen = (value: string): boolean =>
  (/\d/.test(value) && /[A-Za-z]/.test(value)) ||
  /[!@#$%^&*+=~?]/.test(value) ||
  /[a-z][A-Z]/.test(value) ||
  /^\d{4,}$/.test(value) ||
  /^[a-z]{3,}(?:[-_.][A-Za-z\d]{2,}){2,}$/.test(value)

/** Whether a line alone is a value and no name, path or word. */
const isValue = (value: string, { printed, alone }: Output): boolean => {
  if (value.length < 4 || value.length > 4096 || /\s/.test(value) || value.includes("‹redacted")) return false
  if (
    noValue.test(value) &&
    !(value.length > 24 && isMadeValue(value) && /[A-Z]/.test(value) && !value.includes("."))
  )
    return false
  if (!looksSecret("password", "password", value, "quoted", undefined)) return false
  return alone && printed === "value"
    ? isChosen(value)
    : isMadeValue(value) || (alone && value.length >= 6 && isChosen(value))
}

/** Several words, chosen for a password. */
const isPhrase = (line: string): boolean =>
  /^\S+(?: \S+){1,9}$/.test(line) && /\d|\p{Lu}/u.test(line) && !isMessageOf(line)

interface Line {
  readonly text: string
  readonly start: number
}

const linesOf = (text: string): readonly Line[] => {
  const lines: Line[] = []
  for (let at = 0; at < text.length && lines.length < mostLines; ) {
    const next = text.indexOf("\n", at)
    const end = next === -1 ? text.length : next
    const raw = text.slice(at, Math.min(end, at + 5000))
    const plain = raw.replace(around, "")
    if (plain !== "") lines.push({ text: plain, start: at + raw.indexOf(plain) })
    at = end + 1
  }
  return lines
}

/** As many as stand in columns. */
const inColumns = (lines: readonly Line[], output: Output, take: Take): void => {
  for (const { start, text: line } of lines)
    for (const { 0: word, index } of line.matchAll(/\S{6,}/g))
      if (isChosen(word) && isValue(word, output)) take(start + index, start + index + word.length)
}

/** Whether several lines of Base64 begin with this one. */
const beginsBlock = (line: Line, next: Line | undefined): boolean =>
  next !== undefined &&
  line.text.length > 40 &&
  block.test(line.text) &&
  isMadeValue(line.text) &&
  blockEnd.test(next.text) &&
  next.start <= line.start + line.text.length + 4

/** Behind such a line nothing is the secret of the command that stood alone. */
const endsSearch = (line: string): boolean => !/\s/.test(line) || (fault.test(line) && !warning.test(line))

/** Tells where the secrets stand in what was printed. */
export const secretsPrinted = (text: string, output: Output, take: Take): void => {
  const lines = linesOf(text)
  const takeLine = ({ start, text: line }: Line): void => take(start, start + line.length)
  if (output.printed === "many") {
    inColumns(lines, output, take)
    return
  }
  if (output.alone && output.printed === "value" && lines.length === 1)
    for (const line of lines) if (isPhrase(line.text)) takeLine(line)
  for (const [nth, line] of lines.entries()) {
    if (beginsBlock(line, lines[nth + 1])) {
      for (const one of blockOf(lines.slice(nth))) takeLine(one)
      return
    }
    if (isValue(line.text, output)) takeLine(line)
    else if (!output.alone || !endsSearch(line.text)) continue
    if (output.alone) return
  }
}

/** Lines of one length, and a last one that may be shorter. */
const blockOf = (lines: readonly Line[]): readonly Line[] => {
  const width = lines[0]?.text.length ?? 0
  const end = lines.findIndex(({ text }) => text.length < width || !blockEnd.test(text))
  const last = lines[end]
  return end === -1 ? lines : lines.slice(0, last !== undefined && blockEnd.test(last.text) ? end + 1 : end)
}
