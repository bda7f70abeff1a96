/** What somebody answers who is asked for a secret, where a transcript has each turn on a line of its own. */

import { wordsOfPasswords } from "./chosenPasswords.ts"
import { wordsOfCodes } from "./codesTold.ts"
import { wordsOfKeys } from "./keysTold.ts"
import { looksChosenAlone } from "./looksChosen.ts"
import { isNoWord } from "./noWord.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { placesOf } from "./signs.ts"

/** The end of a line, as a text has it and as JSON does. */
const lineEnd = String.raw`(?:\r?\n|(?:\\r)?\\n)`
/** Who speaks, or in JSON lines, what says so. */
const speaker = String.raw`(?:[>*_[(<]{0,4}(\p{Lu}[\p{L}\d._-]{1,20}(?: \p{Lu}[\p{L}]{1,16})?|[a-z][\w.-]{1,20}(?=[\]>]))(?:[ ]?\([^()\n]{1,24}\))?[\])>*_]{0,4}(?::[\])>*_]{0,3}|(?<=[\]>]))[ \t]{1,3})`
const turnsOfJson = String.raw`\\*"\}{1,2}\s?,?\s{0,8}\{[^{}\n]{0,80}\\*"role\\*"\s?:\s?\\*"(?:user|human)\\*"[^{}\n]{0,40}\\*"content\\*"\s?:\s?\\*"([^"\n\\]{4,80})\\*"`
const said = String.raw`([^\n\\]{1,160}?)[ \t]{0,4}(?=${lineEnd}|\\*["']|$)`

/** Of JSON lines, from the end of what asks on. */
const turnOfJson = new RegExp(turnsOfJson, "y")
const turn = new RegExp(`${speaker}${said}`, "uy")
const turnStart = new RegExp(String.raw`(?:^|\n|\\n|["'])[ \t]{0,4}${speaker}`, "gu")
const mostTurns = 3

/** What asks, in a dozen languages. */
const asks =
  /[?？]|\b(?:please|give|enter|provide|send|paste|tell|type|share|need|supply|what|which|bitte|geb\w{1,3}|gib|nenn\w{0,3}|brauche|benötige|eingeben|lautet|donne\w{0,2}|envoie\w{0,2}|entre[rz]|saisi\w{1,5}|besoin|dame|dime|introduc\w{1,4}|ingres\w{1,4}|necesito|indica\w{0,3}|preciso|informe|digite|envie|inseri\w{1,4}|dammi|serve|podaj|wpisz|potrzebuj\w{1,3}|zadejte|geef|voer|stuur|nodig|ange|skriv|behöver|indtast|oppgi|girin|gerekli|yaz\w{0,4})\b|введи|пришли|укажи|нужен|нужна|скажи|какой|какая|请|輸入|输入|ください|教えて|입력|알려/iu
/** Of a secret something else is asked. */
const aside =
  /polic|manager|length|\bhash|\bfield|\bfile\b|\bname of|expir|\brule|should i|shall i|do you (?:have|want|use|know)|may i|can i|soll ich|dois-je|limit|budget|rotate|\bids?\b|public key|status|exit code|error|sort code|zip|postal|source code|code (?:review|style|base|path)|which file|path\b|where (?:is|are|do)|wo (?:ist|liegt)|when |how (?:many|long|often)/i
/** Of numbers, and words that say yes and no. */
const isNumberAsked =
  /\b(?:pin|puk|tan|otp|\w{0,20}code\w?|\w{0,20}kode?\w{0,2}|kód|codice|c[óo]digo|2fa|mfa)\b|код|码|コード|番号|코드|번호/iu
const number = /(?<![\w.-])(\d{3}[ -]\d{3}|\d{4}[ -]\d{4}|\d{4,8})(?![\w.-])/
const other =
  /^[./~]|\.\w{1,4}$|^\w+\(|^https?:|^[a-z]+(?:[-_][a-z]+)+$|^v?\d+(?:\.\d+)+$|^[A-Z]+(?:_[A-Z]+)+$|^[$<{‹[]|^\d{1,2}[-\w]+s$/
const signed = /[\p{L}\d][!@#$%^&*+~?=§].|^[!@#$%^&*+~?§]\S*[\p{L}\d]|\p{L}[!#$%^&*+~§]$/u

const isAnswer = (value: string): boolean =>
  value.length >= 5 &&
  value.length <= 200 &&
  !other.test(value) &&
  (isNoWord(value) || looksChosenAlone(value) || (signed.test(value) && /\p{L}/u.test(value)))

/** The secret in what is said: alone, at its end, or among a few words. */
const inTurn = (words: string, ofNumber: boolean): string | undefined => {
  const digits = ofNumber ? number.exec(words)?.[1] : undefined
  if (digits !== undefined && words.length - digits.length < 40) return digits
  const plain = words.replace(/^["'`*]{1,2}|["'`*]{1,2}$/g, "")
  if (!/\s/.test(plain)) return isAnswer(plain) ? plain : undefined
  const parts = plain.split(/\s/)
  if (parts.length > 8) return undefined
  const secrets = parts.map((part) => part.replace(/^["'`(*]{1,2}|["'`),.;*]{1,2}$/g, "")).filter(isAnswer)
  return secrets.length === 1 ? secrets[0] : undefined
}

/** The name of who speaks where the word stands. */
const askerOf = (before: string): string | undefined => [...before.matchAll(turnStart)].at(-1)?.[1]

/** What asks ends so far behind the word at most. */
const reach = 160
/** What ends a line in a text, in JSON, and a message in JSON lines. */
const ends = ["\n", "\r", "\\n", "\\r", '"}']
/** Where each of them is next in the text looked at last: words on a line share it. */
const line = { text: "", from: 0, next: ends.map(() => -2) }

/** Lets go of the text looked at last. */
export const forgetLine = (): void => {
  line.text = ""
}

/** Where the line of JSON or of text ends that the word stands on; -1 where it goes on too long. */
const questionEnd = (text: string, at: number): number => {
  const isOther = text !== line.text || at < line.from
  if (isOther) line.text = text
  line.from = at
  let end = at + reach
  for (let nth = 0; nth < ends.length; nth++) {
    let next = line.next[nth] as number
    if (isOther || (next !== -1 && next < at)) {
      next = text.indexOf(ends[nth] as string, at)
      line.next[nth] = next
    }
    // A message ends with its brace.
    if (next !== -1 && next < end) end = nth === 4 ? next + 1 : next
  }
  return end < at + reach ? end : -1
}
/** A letter, or what stands around a name. */
const mayBegin = (c: number): boolean =>
  (c > 64 && c < 91) || c === 91 || c === 60 || c === 42 || c === 62 || c === 95 || c === 40 || c > 127

/** Where the next line with something on it begins; -1 where nobody speaks there. */
const nextLine = (text: string, end: number): number => {
  let at = end
  for (let c = text.charCodeAt(at); ; c = text.charCodeAt(at)) {
    if (c === 10 || c === 13 || c === 32 || c === 9) at++
    else if (c === 92 && (text.charCodeAt(at + 1) === 110 || text.charCodeAt(at + 1) === 114)) at += 2
    else break
    if (at > end + 12) return -1
  }
  return mayBegin(text.charCodeAt(at)) ? at : -1
}

/** The answer to what asks for the secret that the word at `at` names, if it is given; whether to go on. */
export const answerFrom = (text: string, at: number, hit: Hit): boolean => {
  const end = questionEnd(text, at)
  if (end === -1) return true
  if (text.charCodeAt(end) === 125) return inJson(text, at, end, hit)
  const first = nextLine(text, end)
  if (first === -1) return true
  turn.lastIndex = first
  return turn.exec(text) === null || inTurns(text, at, end, first, hit)
}

const askedIn = (before: string, rest: string): string | undefined => {
  const line = before.slice(Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\\n")) + 1) + rest
  return asks.test(line) && !aside.test(line) ? line : undefined
}

const inJson = (text: string, at: number, end: number, hit: Hit): boolean => {
  let quote = end - 1
  while (text.charCodeAt(quote - 1) === 92) quote--
  turnOfJson.lastIndex = quote
  const answer = turnOfJson.exec(text)?.[1]
  if (answer === undefined) return true
  const before = text.slice(Math.max(0, at - 300), at)
  const asked = askedIn(before.slice(before.lastIndexOf(':"') + 1), text.slice(at, quote))
  const value = asked === undefined ? undefined : inTurn(answer, isNumberAsked.test(asked))
  return value === undefined || take(text, value, turnOfJson.lastIndex - answer.length - 4, hit)
}

const inTurns = (text: string, at: number, end: number, first: number, hit: Hit): boolean => {
  const before = text.slice(Math.max(0, at - 300), at)
  const asked = askedIn(before, text.slice(at, end))
  const asker = asked === undefined ? undefined : askerOf(before)
  if (asked === undefined || asker === undefined) return true
  let next = first
  for (let nth = 0; nth < mostTurns && next !== -1; nth++) {
    turn.lastIndex = next
    const found = turn.exec(text)
    if (found === null || found[1] === asker) return true
    const words = found[2] as string
    const value = inTurn(words, isNumberAsked.test(asked))
    if (value !== undefined) return take(text, value, turn.lastIndex - words.length - 8, hit)
    next = nextLine(text, turn.lastIndex)
  }
  return true
}

const take = (text: string, value: string, from: number, hit: Hit): boolean => {
  const start = text.indexOf(value, Math.max(0, from))
  return start === -1 || hit(start, start + value.length, tokenKind(value) ?? "password")
}

export const findAnswers = (text: string, hit: Hit): void => {
  for (const sign of [wordsOfPasswords, wordsOfKeys, wordsOfCodes])
    for (const at of placesOf(text, sign)) if (!answerFrom(text, at, hit)) return
}
