/** Secrets that people tell each other: "the password is …", "Password for root: …". */
import { announcedAt } from "./announcedLines.ts"
import { isRules } from "./declarations.ts"
import { isNoWord } from "./noWord.ts"
import { looksSecret } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"

/** The name, the words between, and the value: in quotes, or one word. */
const told =
  /\b(pass(?:word|wd|phrase|code|wort|ord(?:et)?)|pw|pwd|kennwort|zugangswort|contraseña|senha|mot de passe|pin|(?:[A-Za-z]+ )?secret|(?:api|access|secret|private|license|encryption|recovery|master|setup|backup|activation)[ -](?:key|code)|(?:access |auth |api |bearer )?token|credentials?|login)((?:s|['"`)\\*]{1,4})?(?: (?:for|of|to|on|at|für|von|zu|zum|des|der|de|in|del|della|dello|do|da|du|til|för|van|voor|na|per)(?: [\w.@'"`‹›:/-]{1,40}?){1,5}?)?)(\s{0,3}(?::|=|->|→|=>)\s{0,3}|\s(?:is |was |has been )?(?:set|changed|reset|rotated|updated|geändert)(?: it)? (?:to|auf|from)\s|\s(?:to|auf)\s|,?\s(?:is|was|ist|war|lautet|lautete|are|es|est|é|è|är|er|jest|este|olarak|will be|should be|must be|reads)(?: now| currently| still| set to| jetzt| nun| again| ora| adesso| agora| ahora| teraz| acum|:)?\s{1,3}|\s{0,2}(?:是|为|為|は|는|은|이|가)[:：]?\s{0,2}|\s(?=\\*["'`“„«]))(?:[*_]{0,2}(\\*["'`“„«])([^"'`”“»\n\\]{4,200})|([^\s"'`“„«‹<>(){}[\],;\\]{4,200}))/giy

const starts =
  /requirepass|masterauth|pass(?:word|wd|phrase|code|wort|ord)|\bpwd?\b|kennwort|zugangswort|contraseña|senha|mot de passe|\bpin\b|secret|(?:api|access|private|license|encryption|recovery|master|setup|backup|activation|certificate|following|signing|unlock|unseal|root)[ _-](?:key|code|token)|token|credential|\bcreds\b|log ?in|sign in/gi

/** "I changed the password to …": without one of these before it, what follows "to" is where the password goes. */
const changing =
  /\b(?:set|chang\w{1,3}|reset|resetting|rotat\w{1,3}|updat\w{1,3}|switch\w{0,3}|geändert|ändere?)\b[^.\n]{0,40}$/i

/** "I logged in with the password …": it is given, not spoken of. */
const given =
  /\b(?:with|using|via|mit|typed?|entered|tried|used?)\s(?:(?:the|this|your|my|our|its|dem|initial|new|temporary|same)\s){1,3}(?:[\w-]{2,20}\s)?$/i
const longestGiven = 60

/** "… from … to …", behind what is changed. */
const replaced =
  /[a-z]{2,12}\s(?:from|von)\s["'`]?([^\s"'`“”„«‹<>(){}[\],;\\]{4,128})["'`]?\s(?:to|into|auf|zu|in)\s["'`]?([^\s"'`“”„«‹<>(){}[\],;\\]{4,128})/iy

/** "Use … as the token": the value stands before its name. */
const before =
  /\b(?:us(?:e|ing)|with|enter|try|paste|put|send|pass|take|nimm|nutze|verwende)\s(["'`“„]?)([^\s"'`“”„«‹<>(){}[\],;\\]{8,200})["'`”“]?\s(?:as|als)\s(?:[\w-]{1,20}\s){0,3}$/i
/** How what `before` looks for ends, no longer than so much: of most names this is all that is looked at. */
const asName = /\s(?:as|als)\s(?:[\w-]{1,20}\s){0,3}$/i
const longestAsName = 72
/** "Use … / … to log in": a user and a password before what they are for. */
const toLogIn =
  /\buse\s["'`]?[\w.@+-]{2,60}["'`]?\s?(?:\/|:|and|with)\s?["'`]?([^\s"'`“”„«‹<>(){}[\],;\\]{8,200})["'`]?\sto\s$/i
/** The name is not said of the password itself: "as the password hash". */
const itself =
  /^[\w-]{0,12}(?: key| code)?s?(?:["'`.,;:!?)\n\\]|$| (?:for|of|in|on|at|to|when|if|while|and|then|with|until|für|von|bei)\b)/i
/** A variable's name, such as one writes in place of its value. */
const variable = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/

/** "Log in as … / …", "the credentials are … and …". */
const pair =
  /(?:log ?in|sign in|credentials?|creds)\b[^.\n:/]{0,60}?(?:https?:\/\/[^\s)]{1,100}\)?[^.\n:/]{0,20})?(?:\s(?:as|with|are|is|using|mit|als|sind)\s|:\s)["'`]?[\w.@+-]{2,60}["'`]?(?:\s?\/\s?|(?<=red(?:ential)?s?\b[^\n]{0,90}):|\s(?:and|und|&|with)\s(?:the\s)?(?:password\s|passwort\s|pw\s)?)["'`]?([^\s"'`“„«‹<>(){}[\],;\\]{8,200})/iy

/** In quotes right behind the name, where a parser's words stand as often: the token "EOF". */
const isMadeAtRandom = (value: string): boolean =>
  /^(?=(?:.*\d){2})(?=.*[a-z])(?=.*[A-Z])[\w+/=~.-]{12,}$/.test(value) ||
  /^(?=.*\d)(?=.*[a-f])[\da-f]{24,}$/.test(value)

/** Words that a person joined, one behind the first with a capital: "Apfelmus-Montag", no "case-sensitive"; or several long ones. */
const joined =
  /^[\p{L}\d]{2,}(?:[-_.][\p{L}\d]{1,20}){0,5}?[-_.]\p{Lu}\p{Ll}+\d{0,4}(?:[-_.][\p{L}\d]{1,20}){0,4}$/u
const longJoined = /^\p{Ll}{4,}(?:[-_]\p{Ll}{4,}){2,5}(?<!ed)$/u
const notJoined = /case.sensitive|sign.on|factor|pass|secret|token|\.(?:[A-Za-z]{1,4})$/i
/** What is said ends with it. */
const saidEnd =
  /^["'`”“»)*_]{0,3}(?:[.,;:!?]?(?:["'\s\\]|$)(?!\s{0,2}[\p{Ll}])|[.,;:!?]|\s(?:and|und|but|aber|et|y|e|for|für|on|auf)\s|\s?[—–(])/u
const isJoined = (value: string, rest: string): boolean =>
  value.length >= 8 &&
  (joined.test(value) || longJoined.test(value)) &&
  !notJoined.test(value) &&
  saidEnd.test(rest)

const trailing = /[.,;:!?)*_]+$/

export const findInProse = (text: string, hit: Hit): void => {
  starts.lastIndex = 0
  for (let found = starts.exec(text); found !== null; found = starts.exec(text)) {
    const behind = found.index + found[0].length
    const end = proseAt(text, found.index, hit) || announcedAt(text, found.index, behind, hit)
    starts.lastIndex = Math.max(end, behind)
  }
}

const isTold = (value: string): boolean =>
  isNoWord(value) &&
  /[\d!#$%^&*]/.test(value) &&
  !variable.test(value) &&
  looksSecret("password", "password", value, "loose", undefined)

/** The secret that stands before the name at `at`. */
const saidBefore = (text: string, at: number, hit: Hit): void => {
  if (!asName.test(text.slice(Math.max(0, at - longestAsName), at))) return
  const from = Math.max(0, at - 320)
  const found = before.exec(text.slice(from, at))
  const value = found?.[2] ?? ""
  if (found === null || !isTold(value) || !itself.test(text.slice(at, at + 40))) return
  const start = from + found.index + found[0].indexOf(value, found[0].search(/\s/))
  hit(start, start + value.length, tokenKind(value) ?? "token")
}

const usedBefore = (text: string, at: number, hit: Hit): void => {
  if (!/\sto\s$/i.test(text.slice(Math.max(0, at - 4), at))) return
  const from = Math.max(0, at - 320)
  const found = toLogIn.exec(text.slice(from, at))
  const value = found?.[1] ?? ""
  if (found === null || !isTold(value)) return
  const start = from + found.index + found[0].lastIndexOf(value)
  hit(start, start + value.length, tokenKind(value) ?? "password")
}

/** The second of two, behind whose they are. */
const paired = (text: string, at: number, hit: Hit): number => {
  pair.lastIndex = at
  const value = pair.exec(text)?.[1]
  const plain = value?.replace(trailing, "") ?? ""
  if (value === undefined || !isTold(plain)) return 0
  const start = pair.lastIndex - value.length
  hit(start, start + plain.length, tokenKind(plain) ?? "password")
  return start + plain.length
}

/** What was one, and what is one now. */
const changed = (text: string, at: number, hit: Hit): number => {
  replaced.lastIndex = at
  const found = replaced.exec(text)
  if (found === null || !/^(?:pass|pw|kennw)/i.test(found[0])) return 0
  if (!changing.test(text.slice(Math.max(0, at - 60), at))) return 0
  const values = found.slice(1).map((value) => value.replace(trailing, (end) => end.replace(/[^!?*]/g, "")))
  if (!values.every(isTold)) return 0
  let end = at
  for (const value of values) {
    const start = text.indexOf(value, end)
    end = start + value.length
    hit(start, end, tokenKind(value) ?? "password")
  }
  return end
}

/** The secret told from `at` on, if one is; returns where it ends. */
export const proseAt = (text: string, at: number, hit: Hit): number => {
  saidBefore(text, at, hit)
  usedBefore(text, at, hit)
  return Math.max(saidAfter(text, at, hit), paired(text, at, hit), changed(text, at, hit))
}

const saidAfter = (text: string, at: number, hit: Hit): number => {
  told.lastIndex = at
  const found = told.exec(text)
  if (found === null) return 0
  const [, name = "", middle = "", joint = "", quote, quoted, bare] = found
  const value = quoted ?? bare ?? ""
  const start = told.lastIndex - value.length
  const strict = /[:=>→]/.test(joint)
  if (/^\s(?:to|auf)\s$/i.test(joint) && !changing.test(text.slice(Math.max(0, at - 60), at))) return 0
  // Plain assignments are another finder's.
  if (strict && middle === "" && quote === undefined && !/ /.test(name)) return 0
  if (strict && quote !== undefined && middle === "" && !/ /.test(name)) return 0
  if (strict && /^[A-Z][A-Z0-9_]{2,60}=/.test(value)) return 0
  if (/=>/.test(joint) && isRules(value)) return 0
  const isGiven = () => /\d/.test(value) && given.test(text.slice(Math.max(0, at - longestGiven), at))
  if (/^\s$/.test(joint) && !isMadeAtRandom(value) && !(/^(?:pass|pw|kennw)/i.test(name) && isGiven()))
    return 0
  // `invalid password for user id=88213`: whose it is.
  if (/\b(?:id|uid|no|nr|number)$/i.test(middle) && /^\d+$/.test(value)) return 0
  const strong = /pass|pw|wort|secret|contra|senha|mot de|pin/i.test(name)
  const plain = quote === undefined ? value.replace(trailing, "") : value
  if (/^login$/i.test(name) && !/:/.test(joint)) return 0
  const numeric = strong && /^\d{4,}$/.test(plain)
  const judged =
    quote !== undefined
      ? looksSecret(strong ? "password" : "token", "password", plain, "quoted", undefined) &&
        (strong
          ? isNoWord(plain) ||
            numeric ||
            (!/\s/.test(plain) && plain.length >= 6 && !/^[a-z]+(?:[-_.][a-z]+)*$/i.test(plain)) ||
            (middle === "" && /^[a-z]{6,}$/i.test(plain) && /is|ist|:/.test(joint))
          : isNoWord(plain))
      : strong &&
          /\s(?:is|was|ist|war|lautet|es|est|är|este)\b|\sè\s/i.test(joint) &&
          isJoined(plain, text.slice(start + plain.length, start + plain.length + 12))
        ? true
        : (isNoWord(plain) || numeric) &&
          looksSecret(strong ? "password" : "token", "password", plain, "loose", text[told.lastIndex])
  if (!judged) return 0
  hit(start, start + plain.length, tokenKind(plain) ?? (strong ? "password" : "token"))
  return start + plain.length
}
