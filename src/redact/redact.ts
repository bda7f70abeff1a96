/** The gate in front of the log: secrets become `‹redacted:kind›`, and only what went through can be appended. */
import { type Draft, type Marks, noMarks } from "../../events/Recorded.ts"
import { forgetLine } from "./answers.ts"
import { byteSecret } from "./byteLists.ts"
import { forgetText, isNamedKey } from "./keysTold.ts"
import { makeLongTexts, settle } from "./longTexts.ts"
import { isMark, mark } from "./mark.ts"
import { type Rules, redactLiterals, secretWithin, type Within } from "./redactJson.ts"
import { cleaned, isClean } from "./redactValue.ts"
import { looksSecret, secretName } from "./secretNames.ts"
import { findSecrets } from "./secretPatterns.ts"
import { isGenerated } from "./structuredSecrets.ts"
import { maybeSecret, maybeSecretJson } from "./suspicion.ts"
import { type PrintedTexts, printedTexts, withoutPrinted } from "./toolOutputs.ts"

declare const redacted: unique symbol
/** A value whose every text went through the redactor. */
export type Redacted<F> = F & { readonly [redacted]: true }

/** A draft whose every text went through the redactor, with what is stored of its data. */
export interface RedactedDraft<F = Draft["data"]> extends Draft<F> {
  readonly [redacted]: true
  /** Its data as JSON: made once, looked through for secrets, and then stored. None where the data is no JSON, which no log takes. */
  readonly text: string | undefined
}

const once = (text: string): string => {
  let out = ""
  let last = 0
  findSecrets(text, (start, end, kind) => {
    if (start < last) return true
    out += text.slice(last, start) + mark(kind)
    last = end
    return true
  })
  return last === 0 ? text : out + text.slice(last)
}

const plainTexts = makeLongTexts()
const jsonTexts = makeLongTexts()

const plainText = (text: string): string => plainTexts.of(text, settledText)

const settledText = (text: string): string => (maybeSecret(text) ? settle(text, once, plainTexts) : text)

/** A string anywhere in a fact: JSON is redacted as JSON, so that it stays JSON. */
const redactString = (text: string): string => {
  const first = text.charCodeAt(0)
  return first === 123 || first === 91 || first === 34 || first <= 32 ? jsonText(text) : plainText(text)
}

const besideMarks = (value: string): string => value.replace(/‹redacted:[^›]*›/g, "").trim()

/** What stands under a key of that name in JSON. */
const redactMember = (key: string, value: string, within: Within): string => {
  // What a model's provider signs a thought with opens nothing.
  if (within === "thought" && key === "signature") return value
  const kind = secretName(key)
  const plain = redactString(value)
  if (within === "generated" && plain === value && isGenerated(key, value)) return mark("secret")
  const around = secretWithin(within, key, value)
  if (around !== undefined) return mark(around)
  if (kind === undefined) return plain
  if (kind === "random-key" && plain === value && isNamedKey(key, value)) return mark("key")
  const isMarked = value.includes("‹redacted:")
  // What a mark stands beside is looked at for itself: marks come back in what agents read and write.
  const beside = isMarked ? besideMarks(value) : value
  if (isMarked && (beside === "" || kind === "authorization" || kind === "cookie")) return plain
  if (kind === "authorization") {
    const header = plainText(`authorization: "${value}"`)
    if (plain === value && header.includes("‹redacted:") && !/["\\\n]/.test(value))
      return header.slice(16, -1)
  }
  if (kind === "cookie") {
    const header = plainText(`Cookie: ${value}`)
    return plain === value && header.startsWith("Cookie: ") ? header.slice(8) : plain
  }
  // Whoever redacts twice asks the same of what is left.
  const isSecret = (left: string): boolean => looksSecret(kind, key, left, "quoted", undefined)
  if (!isSecret(beside) && (plain === value || !isSecret(besideMarks(plain)))) return plain
  // The value's own shape tells more than its name.
  return isMark(plain) ? plain : mark(kind)
}

/** What a JSON text says; undefined where it is none. */
const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const jsonText = (text: string): string => jsonTexts.of(text, settledJson)

const settledJson = (text: string): string => {
  if (!maybeSecretJson(text)) return text
  const value = readJson(text)
  if (value === undefined) return plainText(text)
  const own = rulesFor(printedIn(value))
  return settle(text, (json) => redactLiterals(json, own), jsonTexts)
}

const printedIn = (value: unknown): PrintedTexts | undefined =>
  typeof value === "object" && value !== null ? printedTexts(value) : undefined

/** A number under a name such as `password` is one too. */
const isSecretNumber = (key: string, digits: string): boolean =>
  secretName(key) === "password" && /^-?\d{4,}$/.test(digits)

const rules: Rules = {
  mark,
  key: plainText,
  string: (text, key, within) => (key === undefined ? redactString(text) : redactMember(key, text, within)),
  number: (digits, key) => (isSecretNumber(key, digits) ? mark("password") : undefined),
  bytes: (list, key) => {
    const kind = byteSecret(key, list)
    return kind === undefined ? undefined : mark(kind)
  }
}

/** In a payload whose commands printed secrets. */
const rulesFor = (printed: PrintedTexts | undefined): Rules =>
  printed === undefined
    ? rules
    : {
        ...rules,
        string: (text, key, within) => rules.string(withoutPrinted(text, printed, mark), key, within)
      }

/** What facts say around their data and calls much alike: such a text is looked through once. */
const lately = new Set<string>()
const maxTexts = 64
const longestText = 1000

const isCleanText = (text: string): boolean => {
  // To look a long one up costs a quarter of what it costs to look it through.
  const isShort = text.length <= longestText
  if (isShort && lately.has(text)) return true
  if (maybeSecretJson(text)) return false
  if (isShort) {
    if (lately.size >= maxTexts) lately.clear()
    lately.add(text)
  }
  return true
}

const isCleanMark = (text: string | null): boolean => text === null || isCleanText(text)

/** Around the fact before: those of one invocation come one after the other, with the same around most of them. */
let around: Pick<Draft, "stream" | keyof Marks> = { stream: "", ...noMarks }

/** None of its members has a name that makes a secret of what it holds, and its type is one of ours. */
const isCleanAround = ({ stream, agent, agentEvent, event, session, project, toolUseId }: Draft): boolean => {
  const isClean =
    (stream === around.stream || isCleanText(stream)) &&
    (agent === around.agent || isCleanMark(agent)) &&
    (agentEvent === around.agentEvent || isCleanMark(agentEvent)) &&
    (event === around.event || isCleanMark(event)) &&
    (session === around.session || isCleanMark(session)) &&
    (project === around.project || isCleanMark(project)) &&
    (toolUseId === around.toolUseId || isCleanMark(toolUseId))
  if (isClean) around = { stream, agent, agentEvent, event, session, project, toolUseId }
  return isClean
}

/** What a call comes to, at its end. */
const ended = <A>(outcome: A): A => {
  plainTexts.trim()
  jsonTexts.trim()
  forgetText()
  forgetLine()
  return outcome
}

const jsonOf = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** The text with each secret in it replaced. The same string comes back where there is none. */
export const redactText = (text: string): string => ended(plainText(text))

/** JSON text with the secrets in its literals replaced, every other byte as it was. Text that is not JSON is plain text. */
export const redactJsonText = (text: string): string => ended(jsonText(text))

/** The value with the secrets in all its texts replaced; the same object where it holds none. */
export const redact = <F extends object>(value: F): Redacted<F> => {
  // One look at all of it as text costs less than a look at each of its texts.
  const json = jsonOf(value)
  const isPlain = json !== undefined && !maybeSecretJson(json)
  return ended(isPlain ? value : withoutSecrets(value)) as Redacted<F>
}

/** The same object where it holds none. */
const withoutSecrets = <F extends object>(value: F): F => {
  const own = rulesFor(printedTexts(value))
  return isClean(value, own) ? value : (cleaned(value, own) as F)
}

const withText = <F>(draft: Draft<F>, text: string | undefined): RedactedDraft<F> =>
  ({
    // Member by member, as in the builder of drafts: on a hook's time.
    id: draft.id,
    stream: draft.stream,
    type: draft.type,
    schemaVersion: draft.schemaVersion,
    at: draft.at,
    cause: draft.cause,
    agent: draft.agent,
    agentEvent: draft.agentEvent,
    event: draft.event,
    session: draft.session,
    project: draft.project,
    toolUseId: draft.toolUseId,
    data: draft.data,
    text
  }) as RedactedDraft<F>

/** The draft with the secrets in all its texts replaced. `text`: the JSON of its data, where somebody made it already. */
export const redactDraft = <F extends Draft["data"]>(
  draft: Draft<F>,
  text: string | undefined = jsonOf(draft.data)
): RedactedDraft<F> => {
  const isPlain = text !== undefined && isCleanAround(draft) && isCleanText(text)
  if (isPlain) return ended(withText(draft, text))
  const clean = ended(withoutSecrets(draft))
  return withText(clean, clean === draft ? text : jsonOf(clean.data))
}
