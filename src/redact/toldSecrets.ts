/** Secrets that a sentence tells without their name right before them: numbers of cards and devices, app passwords in groups, what a program will ask for. */
import { isMessageOf } from "./messages.ts"
import { isNoWord } from "./noWord.ts"
import { looksRandom, looksSecret } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"

interface Telling {
  /** The secret is its last group. */
  readonly pattern: RegExp
  readonly kind: string
  readonly judge?: (value: string) => boolean
}

/** Common words of four letters: a password in groups has none of them. */
const words =
  /\b(?:able|also|area|away|back|base|been|best|body|both|call|case|chat|city|code|come|copy|data|date|days|does|done|down|each|easy|ends|even|ever|fact|feel|file|find|five|form|four|free|from|full|game|gets|give|goes|good|hand|hard|have|head|help|here|high|home|hour|idea|into|item|just|keep|keys|kind|know|last|left|less|life|like|line|list|live|load|long|look|lost|made|mail|main|make|many|mode|more|most|much|must|name|near|need|next|node|note|only|open|over|page|part|pass|past|path|plan|read|real|root|rule|runs|same|save|send|sent|show|side|size|some|soon|step|stop|such|sure|take|team|tell|test|text|than|that|them|then|they|this|time|tool|turn|type|unit|upon|used|user|uses|very|view|wait|want|ways|week|well|went|were|what|when|will|with|word|work|year|your|zero)\b/

/** A word that a sentence would not have: made at random, or joined of several with a number among them. */
const isAnswer = (value: string): boolean =>
  isNoWord(value) &&
  looksSecret("password", "password", value, "loose", undefined) &&
  (/\d/.test(value) || looksRandom(value))

const answer = String.raw`["'\x60“„«]?([^\s"'\x60“”„«»‹<>(){}[\],;\\]{6,200})`
const verb = String.raw`(?:is|are|ist|lautet|es|est|è|é|to|är|er|on|jest|это|=|:)`
/** Numbers that people are given with a card, a device or a bank: in capitals, or with what they are of. */
const owner = "(?:[Cc]ode|card|door|SIM|sim|phone|safe|alarm|voicemail|gate|unlock|banking|bank|locker|garage"
const number = String.raw`(?:P(?:UK|IN)s?(?<![\w-]P(?:UK|IN)s?)|(?<!\w)[Pp](?:in|IN)-?(?:[Cc]ode|[Kk]ode?)|ПИН(?:[- ]код)?|pin (?:code|number)|pin(?<=\b${owner}|[Mm]y|[Tt]he|[Yy]our|our|his|her) pin))(?![\w-]*[-_])`

/** Of what a program asks for, and numbers. */
const prompted: readonly Telling[] = [
  {
    pattern: new RegExp(
      String.raw`${number}(?:[- ](?:[Cc]ode|[Cc]ódigo|[Nn]ummer|kodu?|код|kód))?(?:\s(?:for|of|from|para|für|voor|do|della?|du|de)(?:\s[^\s\d:]{1,20}){1,4}?)?\s{0,2}${verb}?(?:\s(?:now|jetzt|nun|ora|agora|ahora|maintenant|nu|теперь|artık))?\s{0,2}[*_\x60"']{0,2}(\d{4,12})(?![\w/-]|[.:]\w|\s?(?:ms|px|kB|KB|MB|GB|bytes|rows|items|times))`,
      "g"
    ),
    kind: "password"
  },
  {
    // "sudo will ask, it's …", "when prompted, type …".
    pattern: new RegExp(
      String.raw`(?:\b[Aa]sk(?:,|s|ed for| for)|[Pp]rompt(?:,|s|ed))(?=\s|,)[^\n.;:"]{0,60}?[,–—-]?\s(?:it['’]?s|it is|that['’]?s|type|enter|answer(?: with)?|say|use)\s${answer}`,
      "g"
    ),
    kind: "password",
    judge: isAnswer
  }
]

/** Behind a word for a password. */
const behindPasswords: readonly Telling[] = [
  {
    // Four groups of four letters, as Google and Apple show them.
    pattern:
      /(?:[Pp]ass(?:word|wort|code|wd)?|PASS\w{0,20})s?[^\n.]{0,60}?[\s:="'\x60“„]((?:[a-z]{4}[ -]){3}[a-z]{4})(?![\w-]| [a-z]{4}\b)/g,
    kind: "password",
    judge: (value) => !words.test(value.replace(/-/g, " ")) && new Set(value.split(/[ -]/)).size === 4
  },
  {
    // "password's …", "the password, …, works".
    pattern: new RegExp(String.raw`[Pp]ass(?:word|code|phrase)(?:['’]s|,)\s${answer}`, "g"),
    kind: "password",
    judge: (value) => isAnswer(value.replace(/[.,;:!?]+$/, "")) && /[A-Z]/.test(value)
  },
  {
    // A passphrase of several words, to the end of what is said.
    pattern:
      /[Pp]ass(?:phrase|wort|word)(?: for [\w .-]{1,30}| of [\w .-]{1,30})?(?:\s(?:is|lautet|ist)|:|\s=)\s{1,3}["'\x60“„«]?((?:[^\s"'\x60“”„«»:=(){}<>[\]|,;‹›\\]{1,24} ){2,7}[^\s"'\x60“”„«»:=(){}<>[\]|,;‹›\\]{1,24}?)(?=["'\x60”»]|[.]?(?:\r|\n|$))/g,
    kind: "password",
    judge: (value) => /\d/.test(value) && /\p{Lu}/u.test(value) && !isMessageOf(value)
  }
]

const presented: readonly Telling[] = [
  {
    // "here's the key: …", "my token …".
    pattern: new RegExp(
      String.raw`ere(?:'s|’s| is| are) (?:the|my|your|our|a|this|new|that|its)(?: [a-z-]{1,16}){0,3}? (?:(?:api|access|secret|private|license)[ -])?(?:key|token|secret|password|passphrase|pw|pass)s?(?:\s?[:=–—-]|\sis|,)?\s${answer}`,
      "g"
    ),
    kind: "token",
    judge: (value) =>
      (value.length >= 16 && looksRandom(value) && /[a-z]/.test(value) && /[A-Z]/.test(value)) ||
      (value.length >= 24 && /^(?=.*\d)(?=.*[a-f])[\da-f]+$/.test(value) && value.length !== 40)
  }
]

const trailing = /[.,;:!?)*_]+$/

const finderOf =
  (tellings: readonly Telling[]) =>
  (text: string, hit: Hit): void => {
    for (const { judge, kind, pattern } of tellings)
      for (const found of text.matchAll(pattern)) {
        const said = found.at(-1) as string
        const value = said.replace(trailing, "")
        if (judge?.(value) === false) continue
        const start = found.index + found[0].lastIndexOf(said)
        hit(start, start + value.length, tokenKind(value) ?? kind)
      }
  }

export const findPrompted = finderOf(prompted)
export const findTold = finderOf(behindPasswords)
/** "here's the key: …": its word is a name by itself. */
export const findPresented = finderOf(presented)
