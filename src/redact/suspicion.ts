/** The cheap first look: whether a text could hold a secret at all. Wrong only on the careful side. */
import { listsBytes } from "./byteLists.ts"
import { commandNames, isPasswordFlag, madePassword } from "./commandPasswords.ts"
import { withoutEscapes } from "./escapes.ts"
import { furtherOf, ofCodes, tellsCode, tellsFurther } from "./further.ts"
import { nameEndingAt } from "./nameBefore.ts"
import { hasNumberedPhrase, hasPhrase, listsWords } from "./phraseRuns.ts"
import { standsInRow } from "./rowOfPairs.ts"
import { secretName } from "./secretNames.ts"
import { findTokens } from "./secretTokens.ts"
import { bareKeyValue } from "./sections.ts"
import { eachPrompt, generatorCall } from "./shellSessions.ts"
import { eachStem } from "./stems.ts"
import { tellsCall, tellsMore } from "./tellingCalls.ts"
import { asksForSecret } from "./toolOutputs.ts"
import {
  aboutAccounts,
  aboutAll,
  aboutCalls,
  aboutCodes,
  aboutDialogues,
  aboutFiles,
  aboutLogins,
  aboutPrompts,
  topicsOf
} from "./topics.ts"
import { findUrlSecrets } from "./urlSecrets.ts"
import { doneToFile, written } from "./writtenFiles.ts"

/** A name that one of these follows is looked at closer; a blank may part it from its value too. */
const signs = new Uint8Array(128)
for (const c of ":=>%&\\\n\r\"'`])*,|<") signs[c.charCodeAt(0)] = 1

const none = (): boolean => false

/** Nouns of prose that no assignment has for a name. */
const nouns =
  /^(?:pin|puk|passordet|login|log|sign|pw|credentials?|code|contrase\u00f1a|senha|kennwort|passe|phrase|identified)$/i
/** What a sentence, a flag or a settings file puts between such a word and its value. */
const follows =
  /[ \t]+(?:[\w ()-]{0,40}\\*["']\s{0,4}[,}\]]|\\*["'`“„«*_]|[-=]>|→|(?:is|was|ist|war|lautet|est|es)(?: now| jetzt)?:?[ \t][^\s]{2,40}[-_.][^\s.]|[a-z]{1,20}:(?:\s|\\)|[^\s]{0,120}[\d!@#$%^&*+~=]|(?:[a-z]{2,8}:? ){0,2}["']?(?:[a-z]{4}[ -]){3}[a-z]{4}(?![\w-])|(?:[^\s"\\]{1,40}[ \t]){1,8}[^\s]{0,60}[\d!@#$%^&*+~"'`:=\\])/y

const nearCommand = 260

/** "Use … as the token", "use … to log in". */
const saidBefore = /\d[^\s\d]{0,200}\s(?:(?:as|als)\s(?:[\w-]{1,20}\s){0,3}[\w-]{1,20}|to\s(?:log|sign))$/i

/** Whether the word that ends before the blank at `at` announces what follows. */
const announced = (text: string, at: number, name: string): boolean => {
  const word = name.slice(name.lastIndexOf(".") + 1)
  if (secretName(name) === undefined && !nouns.test(word)) return false
  if (text.charCodeAt(at - name.length - 1) === 45 || name.startsWith("-")) return true
  follows.lastIndex = at
  if (follows.test(text)) return true
  const before = text.slice(Math.max(0, at - nearCommand), at)
  return (
    /machine|default|\benv\b|\barg\b|\blogin\b|identify|(?:\b|\\[nrt]|\\u000\w)(?:login|set)\b|requirepass|masterauth|identified/i.test(
      before
    ) ||
    (/^[a-z_]+$/i.test(name) && /(?:^|[\n;{]|\\[nrt]|\\u000\w)[ \t]*$/.test(before.slice(0, -name.length))) ||
    saidBefore.test(before)
  )
}

/** Also the letter of `contraseña`. */
const isNamePart = (c: number): boolean =>
  (c > 96 && c < 123) ||
  (c > 64 && c < 91) ||
  (c > 47 && c < 58) ||
  c === 95 ||
  c === 45 ||
  c === 46 ||
  c === 0xf1

/** What may stand between a name and its sign, or a literal that is its default. */
const parted =
  /[ \t]{2,40}[^\s-]|\/\w?\)|[ \t"'`\\\]*]{1,40}(?:[:=│┃║]|\|(?!\|))|[ \t]{0,8}(?:<-|\?\?=?|\|\|=?|or|\?:) ?\\*["'`]|[ \t]{1,8}(?:\{\s?get;|\n|\\[nr])|[({][bBrRuU@]{0,2}\\*["'`]|\[\w{0,20}\] ?=|[?!] ?:[^=;,()]{1,60}= ?[\w\\"'`@]|;[\w. -]{1,40}(?:[;\n\\]|$)/y

/** `"username": "…", "key": "…"`: of all that is called a key, one with a user. */
const isKeyOfUser = (text: string, end: number): boolean => {
  digest.lastIndex = end
  return (
    digest.test(text) && text.slice(Math.max(0, end - nearCommand), end + nearCommand).includes("username")
  )
}
const digest = /\\*"\s?:\s?\\*"[\da-f]{32}\\*"/y

/** `key` alone, before what nobody typed. */
const bareKey = /^key$/i
const theKey = /^(?:the|my|your|our|this) key$/i
const isBareKey = (text: string, end: number): boolean => {
  const next = text.charCodeAt(text.charCodeAt(end) === 32 ? end + 1 : end)
  if (next < 33 || next > 92 || (next > 61 && next < 92)) return false
  bareKeyValue.lastIndex = end
  return bareKeyValue.test(text)
}

/** With one of these it begins where no blank does. */
const opening = new Set([..."([{?!;/"].map((c) => c.charCodeAt(0)))

const isQuote = (c: number): boolean => c === 34 || c === 39 || c === 96 || c === 92
const fieldEnd = /(?:field|input|box|text|entry)$/i

/** Whether the word that a stem was found in is a name with what may be its secret behind it. */
const isNamed = (text: string, wordEnd: number): boolean => {
  let end = wordEnd
  while (end > 1 && (text.charCodeAt(end - 1) === 46 || text.charCodeAt(end - 1) === 45)) end--
  const name = nameEndingAt(text, end - 1)
  const c = text.charCodeAt(end)
  const isKey =
    (name.length === 3 && bareKey.test(name)) ||
    (name.charCodeAt(name.length - 4) === 32 && theKey.test(name))
  if (isKey && isBareKey(text, end)) return true
  if (c === 32 || c === 9) {
    const word = name === "" ? nounBefore(text, end) : name
    if (word === "") return false
    if (secretName(word) !== undefined) {
      parted.lastIndex = end
      if (parted.test(text)) return true
    }
    return announced(text, end, word)
  }
  if (c === 46 && name !== "" && end < wordEnd)
    return secretName(name) !== undefined && saidBefore.test(text.slice(Math.max(0, end - nearCommand), end))
  if (isKey) return isKeyOfUser(text, end)
  // `"password-field"`: what a value is typed into.
  if (isQuote(c) && fieldEnd.test(text.slice(end - 8, end))) return true
  // A shell's working directory, unless it stands in a row of pairs.
  if (name === "PWD" && c === 61) return standsInRow(text, end)
  if (name === "" || secretName(name) === undefined) return name === "assword"
  // What is no letter of English may be a blank, a sign or a colour's code as well.
  if (end === text.length || c > 127 || c === 27 || signs[c] === 1) return true
  if (!opening.has(c)) return false
  parted.lastIndex = end
  return parted.test(text)
}

/** Words of prose whose last letters are no name's. */
const noun = /(?:^|[^A-Za-z])(pin|login|log|sign|pw|contraseña)$/i
const nounBefore = (text: string, end: number): string =>
  noun.exec(withoutEscapes(text.slice(Math.max(0, end - 12), end)))?.[1] ?? ""

/** Whether the text looked through last names mnemonic phrases. */
let speaksOfPhrases = false
/** What the stems in it are about. */
let topics = 0

/** Told of a place that is worth a closer look; whether to go on. */
type Place = (at: number) => boolean

/** Short words of other languages. */
const foreignStem = /^(?:ave|asse|digo|p\(|odes?$|od$|otp|aslo|eslo|elsz|pi)|[^\0-\x7f]/

const phraseStem = /^(?:emonic|phras|eed)/

/** What a stem says beside its topics: it names phrases, tells by itself, or may with a part of the word before it. */
const ofPhrases = 1024
const tells = 2048
const tellsInWord = 4096
const ofCommand = 8192

/** Commands and headers that are known by a word alone; other stems may stand in it. */
const commandStem = /^(?:chpasswd|private-lines|password-stdin|vault login |sudo )/

/** Most texts have few stems, and those again and again. */
const knownStems = new Map<string, number>()
const mostKnown = 500

const signsOf = (stem: string): number => {
  let signs = knownStems.get(stem)
  if (signs !== undefined) return signs
  // Most stems are short parts of names, and of those that tell by themselves few are as short.
  const mayTell = stem.length > 4 || "tc;\\\t".includes(stem.charAt(1)) || foreignStem.test(stem)
  signs =
    topicsOf(stem) |
    furtherOf(stem) |
    (phraseStem.test(stem) ? ofPhrases : 0) |
    (commandStem.test(stem) ? ofCommand : 0) |
    (mayTell && telling.test(stem) ? tells : 0) |
    (mayTell && stem.endsWith(" ") ? tellsInWord : 0)
  if (knownStems.size >= mostKnown) knownStems.clear()
  knownStems.set(stem, signs)
  return signs
}

const isTelling = (text: string, stem: string, at: number, signs: number): boolean =>
  (signs & tells) !== 0 ||
  ((signs & tellsInWord) !== 0 && tellingWord.test(text.slice(Math.max(0, at - 16), at + stem.length)))

/** What takes a user and a password, with its bracket behind. */
const loginCall = /(?:Authentication|Credentials?|[Aa]uth|Token)$/

/** `password 7 …`: whether a name that a blank follows may be one of a network device. */
const isOfDevice = (text: string, end: number): boolean => {
  const c = text.charCodeAt(end + 1)
  return c > 47 && c < 58 && text.charCodeAt(end + 2) === 32
}

/** `sig…`, `hmac…`: more of them may stand in one word, and other stems behind them. */
const isOfSignature = (stem: string): boolean => stem === "sig" || stem === "hmac"

/** Tells `place` of a stem at `at` that is worth a closer look; returns where the search goes on, or -1 where it ends. */
const lookAt = (text: string, stem: string, at: number, place: Place): number => {
  if (stem.startsWith("ommand")) {
    const next = at + stem.length
    return asksForSecret(text, next) && !place(next) ? -1 : next
  }
  const signs = signsOf(stem)
  if (place !== first) topics |= signs & aboutAll
  if ((signs & ofCommand) !== 0) return place(at) ? at + 1 : -1
  let end = at + 2
  const most = end + 64
  while (end < most && isNamePart(text.charCodeAt(end))) end++
  if (text.charCodeAt(end) === 32 && isOfDevice(text, end)) topics |= aboutAccounts
  // `AUTH …`, `LOGIN …` of a protocol.
  if (text.charCodeAt(at) < 91 && text.charCodeAt(end) === 32) topics |= aboutDialogues
  if ((signs & ofPhrases) !== 0) {
    speaksOfPhrases = true
    // Its words may stand in a list, far from anything else.
    if (place !== first) place(at)
  }
  const isKey = stem === "key" && end === at + 3 && listsBytes(text, end)
  const called = text.charCodeAt(end) === 40 ? text.slice(Math.max(0, at - 24), end) : ""
  const isLogin = called !== "" && loginCall.test(called)
  if (isLogin) topics |= aboutLogins
  const done = doneToFile(text, at, end)
  if (done > 0) topics |= aboutFiles
  const isMade = called !== "" && generatorCall.test(called)
  const isCall = tellsCall(text, stem, at, end)
  if (isCall) topics |= aboutCalls
  const isMore = tellsMore(text, stem, at)
  if (isMore) topics |= aboutAccounts | aboutPrompts
  const isCode = tellsCode(text, at, signs)
  if (isCode) topics |= aboutCodes
  const isTold = isCode || isKey || isLogin || isMade || isCall || isMore || isTelling(text, stem, at, signs)
  const isPlace = isTold || isNamed(text, end) || done === written || tellsFurther(text, at, end, signs)
  if (isPlace && !place(end)) return -1
  // Longer stems of codes begin within it.
  return isOfSignature(stem) || (signs & ofCodes) !== 0 ? at + 1 : end
}

/** Tells `place` of all stems that are worth a closer look; whether it went on to the end. */
const eachNamed = (text: string, place: Place): boolean => {
  let goesOn = true
  eachStem(text, (stem, at) => {
    const next = lookAt(text, stem, at, place)
    goesOn = next !== -1
    return next
  })
  return goesOn
}

/** `host:5432:app:me:secret`, `[host]:587 me:secret` */
const account = String.raw`:(?:(?:\d{4,5}|\*):[\w*-]{1,64}:[\w.@*-]{1,64}:[^\s:]{3}|(?:25|465|587|2525|submission|smtps?)(?:[ \t]|\\t){1,20}[\w.+@-]{1,100}:[^\s:]{6})`
const line = new RegExp(account, "y")
/** By hand: a pattern without a rare character costs more than all the colons of a text. */
const eachLine = (text: string, place: Place): boolean => {
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) {
    const next = text.charCodeAt(at + 1)
    // A digit, `*`, or the name of a service.
    if (!((next > 47 && next < 58) || next === 42 || next === 115)) continue
    line.lastIndex = at
    if (line.test(text) && !place(at)) return false
  }
  return true
}

/** Whether a word may begin at `at`: a blank stands before it, a quote, or what JSON writes for a blank. */
const beginsWord = (text: string, at: number): boolean => {
  const c = text.charCodeAt(at - 1)
  if (c === 32 || c === 9 || c === 10 || c === 34 || c === 39) return true
  if (c === 116 || c === 110) return text.charCodeAt(at - 2) === 92
  return (c === 97 || c === 65) && text.startsWith("\\u000", at - 6)
}

const anyFlag = (text: string, place: Place): boolean => {
  for (let at = text.indexOf("-", 1); at !== -1; at = text.indexOf("-", at + 1)) {
    if (!beginsWord(text, at) || !isPasswordFlag(text, at)) continue
    const isNamed = commandNames.test(withoutEscapes(text.slice(Math.max(0, at - nearCommand), at)))
    if ((isNamed || madePassword(text, at) !== undefined) && !place(at)) return true
  }
  return false
}

/** Of all stems, words of commands and files that announce a secret by themselves. */
const telling =
  /^(?:[^\0-\x7f]|şifre|acl |encrypt_|asło|ent\(|edentials?[.(]|uthentication\(|ecovery|ogin\(|onnect\(\\*["']|od$|ode$|xted |tropy|__construct\(|digo$|odice|ódigo|otp|oper |pdo\(|p(?:dp)? \w+\/|entify|ey content|racle:|p\(|odes|asswort|asked|ensitive|encrypted|edid|oncealed|asse|ontrase|achtwoo|aslo|alasana|ave|adgangsk|arola|ata sandi|kodeord|eslo|elsz|egredo|eheim|enord|ozinka|osenord|pi|abb|alias s|a;|allet|asic|algo|ohere|kty|kinit|ecures|ecret[ _]?id|ecrets? |ecretsm|etc|env add|ock|eerdp|e\\*t\/|e\t\/|omposer c|oetry c|ool sign|ost add|put|ptsetup|oathtool |slmgr|schtasks |amaccount |eap |serial|ecure-password |licen|lizenz)/
/** And of these with a part of the word before it. */
const tellingWord = /(?:(?:\b|\\(?:[nrt]|u000[9aAdD]))(?:bundle config|snyk config|net user?)|sqlplus) $/

/** The first place is enough. */
const first: Place = () => false

const mayBe = (text: string): boolean => {
  speaksOfPhrases = false
  return (
    !eachNamed(text, first) ||
    !findUrlSecrets(text, none) ||
    !findTokens(text, none, true) ||
    hasPhrase(text, first) ||
    hasNumberedPhrase(text, first) ||
    anyFlag(text, first) ||
    !eachPrompt(text, none) ||
    (text.includes("$") && hash.test(text)) ||
    text.includes(oraclePort) ||
    !eachLine(text, first) ||
    (text.includes("E KEY") && text.includes("PRIVATE KEY")) ||
    (speaksOfPhrases && listsWords(text))
  )
}

const hash = /\$(?:2[aby]|[156y]|argon2\w*|apr1)\$/
const oraclePort = ":1521/"
const hidden = /\\(?:u00|x)[2-7]/
/** In raw JSON an escape can stand for any character of a secret. */
const hiddenInJson = /\\(?:u00[2-7]|x[2-7]|\/|\\x)/

export const maybeSecret = (text: string): boolean => mayBe(text) || hidden.test(text)

/** The same for raw JSON text. */
export const maybeSecretJson = (text: string): boolean => mayBe(text) || hiddenInJson.test(text)

export interface Part {
  readonly start: number
  readonly end: number
}

/** What a name, a command or a sentence can announce, and what announces it, are no further apart. */
const before = 400
const after = 1200
/** So much further the end of a word is looked for. */
const longestWord = 4200
/** Documents whose kind, said once, makes secrets of their members. */
const wide =
  /\bkind["']?\s{0,3}:\s{0,3}["']?Secret\b|["'](?:random_password|random_string|tls_private_key|aws_\w{2,40}|google_service_account_key|azuread_\w{2,40}|kubernetes_secret|vault_generic_secret)["']/
const blank = /\s/g
/** What has a sign of its own: hashes of passwords, an address, escapes; each begins with a character that is rare. */
const signed: readonly (readonly [sign: string, pattern: RegExp])[] = [
  ["$", new RegExp(hash, "g")],
  [oraclePort, new RegExp(oraclePort, "g")],
  ["\\", new RegExp(hidden, "g")]
]

const wordStart = (text: string, from: number): number => {
  let at = Math.max(0, from)
  for (const least = Math.max(0, at - 200); at > least; at--) if (text.charCodeAt(at - 1) <= 32) break
  return at
}
const wordEnd = (text: string, from: number): number => {
  if (from >= text.length) return text.length
  blank.lastIndex = from
  return Math.min(blank.exec(text)?.index ?? text.length, from + longestWord)
}

export interface Suspicion {
  /** What the text is about, as far as its words tell. */
  readonly topics: number
  /** What is worth a closer look, in order, none overlapping another. */
  readonly parts: readonly Part[]
  /** Whether a token that its form alone tells may stand anywhere. */
  readonly mayHoldTokens: boolean
}

/** The closer look's share: which parts of a text, and what for. */
export const suspicionOf = (text: string): Suspicion => {
  const { length } = text
  if (length < before + after || wide.test(text))
    return { parts: [{ start: 0, end: length }], mayHoldTokens: true, topics: aboutAll }
  topics = text.includes(oraclePort) ? aboutLogins | aboutAccounts : 0
  const places: number[] = []
  const place = (at: number): boolean => {
    places.push(at)
    return true
  }
  eachNamed(text, place)
  const named = places.length
  findTokens(text, place, true)
  const mayHoldTokens = places.length > named
  hasPhrase(text, place)
  hasNumberedPhrase(text, place)
  anyFlag(text, place)
  const said = places.length
  eachLine(text, place)
  if (places.length > said) topics |= aboutAccounts
  for (const [sign, pattern] of signed)
    if (text.includes(sign)) for (const found of text.matchAll(pattern)) places.push(found.index)
  places.sort((a, b) => a - b)
  const parts: Part[] = []
  let start = 0
  let end = -1
  for (const at of places) {
    if (at + after <= end) continue
    const from = wordStart(text, at - before)
    if (from > end) {
      if (end !== -1) parts.push({ start, end })
      start = from
    }
    end = wordEnd(text, at + after)
  }
  if (end !== -1) parts.push({ start, end })
  return { parts, mayHoldTokens, topics }
}
