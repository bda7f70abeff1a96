/** Words that dots join: in code what an expression reads (`config.password`), elsewhere what somebody chose for a password. */

const dotted = /^[\p{L}_][\p{L}\w]*(?:\??\.[\p{L}_][\p{L}\w]*)+$/u

export const isDotted = (value: string): boolean => value.includes(".") && dotted.test(value)

/** What expressions, types and addresses begin or end with. */
const ofCode =
  /^(?:this|self|cls|super|config|cfg|conf|settings?|options?|opts|args?|argv|params?|props|env|environ|process|req|request|res|resp|response|ctx|context|user|account|model|form|state|store|data|value|name|body|input|output|result|item|row|event|message|msg|node|module|local|var|each|path|object|type|types|schema|field|column|id|os|sys|java|javax|kotlin|scala|system|com|org|net|www|std|io|app|api|client|server|session|db|database|credentials?|creds|auth|http|https|crypto|utils?|helpers?|test|mock|faker|math|json|date|read|write|encode|decode|length|current|get|set|some|none|ok|err|error)$/i
const namesASecret = /pass|pwd|pw$|secret|token|key/i
/** A word as sentences have it, at most with a number behind. */
const lastWord = /^\p{Lu}\p{Ll}{2,}\d{0,4}$/u

/** What ends a value in a log, a file of settings or a sentence, where an expression would go on. */
const ends = (next: string | undefined): boolean => next === undefined || " \n\r\t\\&\"'\u001b".includes(next)

/** Whether dotted words are a password that somebody chose: the last one has a capital as no member of an object has. */
export const isChosenPath = (value: string, next: string | undefined): boolean => {
  const parts = value.split(".")
  return (
    ends(next) &&
    lastWord.test(parts.at(-1) ?? "") &&
    (/^\p{Ll}/u.test(value) || parts.length > 2) &&
    !namesASecret.test(value) &&
    !parts.some((part) => ofCode.test(part))
  )
}
