/** Values that a name announces: `password=…`, `"api_key": "…"`, `--token …`, `Authorization: Bearer …`. */
import { commandPassword, isPasswordFlag } from "./commandPasswords.ts"
import { inConverter } from "./converters.ts"
import { nameBefore } from "./nameBefore.ts"
import { isChecksumOf, isCounted } from "./publicValues.ts"
import { looksSecret, type SecretName, type Style, secretName } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { isBesideUser, isOfOptions, isOfPairs, isTakenOut, valueEnd } from "./settingsLines.ts"

const bearer = /[Bb]earer[ \t]+(?=[A-Za-z._~+/-]{0,200}\d)[\w.~+/-]{16,4096}=*/y
const awsPair =
  /["']?[\s,;:|]{1,6}["']?(?=[A-Za-z0-9/+]{0,39}[a-z])(?=[A-Za-z0-9/+]{0,39}[0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/y
const flag = /--?([A-Za-z][A-Za-z\d-]{2,40})[ \t]+(?=[^\s-])/y
const scheme =
  /(?:bearer|basic|token|digest|negotiate|apikey|[A-Za-z][\w-]{1,30}(?=[ \t]+[^\s"']{0,40}\d))[ \t]+/iy

const triggers = new Uint8Array(128)
for (const c of "_-I:=,Bb") triggers[c.charCodeAt(0)] = 1

const isWord = (c: number): boolean =>
  (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95

const isQuote = (c: number): boolean => c === 34 || c === 39 || c === 96

const longest = 1024
const longestBare = 4096
/** So much of a bare value tells whether it is a secret. */
const telling = 256

/** More names than that without a break between them announce no secrets. */
const maxTries = 64

/** The unbroken run measured last: names in it share its end, so that it is not measured anew from each of them. */
const makeRun = (stop: RegExp) => ({ stop, from: 0, end: -1, tries: 0 })
const bareRun = makeRun(/[\s"'`,;&|<>(){}[\]\\]/g)
/** In a tight `name=value` most punctuation belongs to the value. */
const tightRun = makeRun(/[\s"'`,;&|<>()}[\]\\]/g)

/** Where the bare value at `at` ends; undefined where looking is not worth it. */
const bareEnd = (text: string, at: number, run: typeof bareRun): number | undefined => {
  if (at < run.from || at > run.end) {
    run.stop.lastIndex = at
    run.from = at
    run.end = run.stop.exec(text)?.index ?? text.length
    run.tries = 0
  }
  return run.tries++ < maxTries ? Math.min(run.end, at + longestBare) : undefined
}

/** Offers the value from `at` on as the secret that `name` announces; returns where the search goes on. */
const assigned = (
  text: string,
  from: number,
  name: string,
  kind: SecretName,
  tight: boolean,
  hit: Hit
): number => {
  let at = from
  while (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9) at++
  at = inConverter(text, at)
  let opener = at
  while (text.charCodeAt(opener) === 92) opener++
  const quote = text.charCodeAt(opener)
  if (isQuote(quote)) {
    const close = text.slice(at, opener + 1)
    const start = opener + 1
    let end = start
    for (const limit = Math.min(text.length, start + longest); end < limit; end++) {
      const c = text.charCodeAt(end)
      if (c === 10 || (c === quote && close.length === 1)) break
      if (c !== 92) continue
      if (text.startsWith(close, end) && close.length > 1) break
      if (close.length === 1) end++
    }
    const stop = Math.min(end, text.length)
    const next = offer(text, start, stop, name, kind, "quoted", hit)
    return next === stop ? becoming(text, stop, name, kind, hit) : next
  }
  if (opener > at) return from
  const stop = bareEnd(text, at, tight ? tightRun : bareRun)
  if (stop === undefined) return from
  const end = valueEnd(text, { from, name, at, stop, tight })
  return offer(text, at, end, name, kind, tight ? "tight" : "loose", hit)
}

const marks = /(?:‹[^›\n]{0,60}›?\s{0,4})+/y
/** What a mark stands beside is looked at for itself: marks come back in what agents read and write. */
const behindMarks = (text: string, start: number, to: number): number => {
  if (!text.startsWith("‹", start)) return start
  marks.lastIndex = start
  return marks.test(text) ? Math.min(to, marks.lastIndex) : to
}

const becomes = /\\*["'][ \t]{0,4}(?:->|→|=>)[ \t]{0,4}\\*["']([^"'\n\\]{1,1024})/y
/** A plan says what a value is and what it becomes: `"…" -> "…"`. */
const becoming = (text: string, end: number, name: string, kind: SecretName, hit: Hit): number => {
  becomes.lastIndex = end
  const value = becomes.exec(text)?.[1]
  if (value === undefined) return end
  const stop = becomes.lastIndex
  return offer(text, stop - value.length, stop, name, kind, "quoted", hit) === -1 ? -1 : stop
}

/** The kind as a mark shows it. */
const shown = (kind: SecretName): string => (kind === "random-key" ? "key" : kind)

const offer = (
  text: string,
  from: number,
  to: number,
  name: string,
  kind: SecretName,
  written: Style,
  hit: Hit
): number => {
  let style = written
  if (kind === "cookie") return from
  if (kind === "authorization") {
    scheme.lastIndex = from
    if (scheme.test(text)) return credentials(text, from, scheme.lastIndex, hit)
  }
  let start = from
  if (style !== "quoted" && /^[A-Za-z]+$/.test(name) === false && text.startsWith("=", start))
    return start + 1
  start = behindMarks(text, start, to)
  const value = text.slice(start, to)
  const judged = style === "quoted" ? value : value.slice(0, telling)
  if (style === "tight" && kind === "password" && isOfOptions(text, from, value, text[to])) style = "quoted"
  if (style === "loose" && kind === "password" && isOfPairs(text, from - name.length, to, value))
    style = "quoted"
  const named = kind === "token" && style === "quoted" && isBesideUser(text, from, name) ? "password" : kind
  if (!looksSecret(named, name, judged, style, text[to]) || isCounted(text, to)) return from
  return hit(start, to, tokenKind(value) ?? shown(kind)) ? to : -1
}

const schemeEnd = /[\s"'`,;\\<>]/g
/** What follows `Authorization: Bearer `: the scheme stays, the credentials go. */
const credentials = (text: string, from: number, at: number, hit: Hit): number => {
  schemeEnd.lastIndex = at
  const end = Math.min(schemeEnd.exec(text)?.index ?? text.length, at + 8192)
  const value = text.slice(at, end)
  if (value.length < 6 || /^[$<{%‹[*]|^\.{3}|^your/i.test(value)) return at
  const basic = (text.charCodeAt(from) | 32) === 98 && (text.charCodeAt(from + 1) | 32) === 97
  if (
    basic
      ? !/^[\w+/-]+=*$/.test(value) || /^[a-z]+$/.test(value)
      : /^[A-Za-z]+$/.test(value) && value.length < 16
  )
    return at
  return hit(at, end, tokenKind(value) ?? (basic ? "basic-auth" : "bearer")) ? end : -1
}

/** Whether a word begins at `at`, also one in quotes. */
const beginsWord = (text: string, at: number): boolean => {
  let before = at - 1
  if (isQuote(text.charCodeAt(before))) before--
  while (text.charCodeAt(before) === 92) before--
  const c = text.charCodeAt(before)
  return c === 32 || c === 9 || c === 10
}

/** How many flags were looked at closely: a text with more than so many is no command line. */
let flags = 0
const maxFlags = 2000

/** Where `--secret` that ends at `end` says what a secret is called, or where it lies. */
const namesSecret = (text: string, end: number): boolean =>
  (text.startsWith("-secrets", end - 8) &&
    /-(?:update|set|add|remove)-secrets$/.test(text.slice(Math.max(0, end - 17), end))) ||
  (text.startsWith("--secret", end - 8) &&
    (/^[ \t=]{1,4}["']?(?:id|type|src|source)=/.test(text.slice(end, end + 16)) ||
      /\bgcloud[ \t][^\n|;&]{0,200}$/.test(text.slice(Math.max(0, end - 208), end - 8))))

const dash = (text: string, at: number, hit: Hit): number => {
  if (flags < maxFlags && beginsWord(text, at) && isPasswordFlag(text, at)) {
    flags++
    const found = commandPassword(text, at)
    if (found) return hit(found.start, found.end, "password") ? found.end : -1
  }
  const before = text.charCodeAt(at - 1)
  if (before === 45 || isWord(before) || isTakenOut(text, at)) return 0
  flag.lastIndex = at
  const name = flag.exec(text)?.[1]
  if (name === "secret" && namesSecret(text, at + 8)) return 0
  const kind = name === undefined ? undefined : secretName(name)
  return name === undefined || kind === undefined
    ? 0
    : beyond(at, assigned(text, flag.lastIndex, name, kind, true, hit), flag.lastIndex)
}

/** A search that found nothing goes on at the next character. */
const beyond = (_at: number, next: number, from: number): number =>
  next === -1 ? -1 : next > from ? next : 0

const awsSetting = "aws_secret_access_key "
const bareSecret = /[ \t]*["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/y
/** `aws configure set aws_secret_access_key …`: a name that a blank alone parts from its value. */
const setting = (text: string, from: number, hit: Hit): number => {
  bareSecret.lastIndex = from
  const value = bareSecret.exec(text)?.[1]
  if (value === undefined) return 0
  const end = bareSecret.lastIndex
  return hit(end - value.length, end, "aws-secret-key") ? end : -1
}

/** `npm config set //registry/:_authToken …` */
const npmSetting = "_authToken "

const underscore = (text: string, at: number, hit: Hit): number => {
  if (text.startsWith(awsSetting, at - 3)) return setting(text, at + awsSetting.length - 3, hit)
  if (!text.startsWith(npmSetting, at)) return 0
  const from = at + npmSetting.length
  return beyond(at, assigned(text, from, "authToken", "token", true, hit), from)
}

/** `"Password: "`: the quote before the name closes behind the sign. */
const isLabel = (text: string, from: number, before: number): boolean => {
  let at = from
  while (text.charCodeAt(at) === 32) at++
  return at > from && isQuote(text.charCodeAt(at)) && text.charCodeAt(before) === text.charCodeAt(at)
}

const assignment = (text: string, at: number, hit: Hit): number => {
  const equals = text.charCodeAt(at) === 61
  let next = at + 1
  if (!equals && text.charCodeAt(next) === 47 && text.charCodeAt(next + 1) === 47) return 0
  const name = nameBefore(text, at)
  const kind = secretName(name)
  if (kind === undefined) return 0
  if (equals ? namesSecret(text, at) : namesResource(text, at - name.length)) return 0
  if (isChecksumOf(text, at - name.length)) return 0
  const after = text.charCodeAt(next)
  if (equals && (after === 61 || after === 62 || after === 126)) return 0
  // In LDIF, what follows two of them is Base64.
  if (!equals && after === 58) {
    if (text.charCodeAt(next + 1) !== 32 || text.charCodeAt(at - 1) === 32) return 0
    next++
  }
  if (after === 61) next++
  // In a URL it is a user's name, and what follows another finder's.
  if (!equals && text.startsWith("//", at - name.length - 2)) return 0
  const follows = text.charCodeAt(next)
  // The quote that the name opened closes behind the sign: `"Password:"` is a label.
  if (isQuote(follows) && text.charCodeAt(at - name.length - 1) === follows) return 0
  if (isLabel(text, next, at - name.length - 1)) return 0
  // What a test's run prints.
  if (
    !equals &&
    name === "PASS" &&
    /^ ?(?:Test|Benchmark|Example|[\w./-]+\.)/.test(text.slice(next, next + 40))
  )
    return 0
  const tight = equals && text.charCodeAt(at - 1) !== 32 && follows !== 32 && follows !== 9
  return beyond(at, assigned(text, next, name, kind, tight, hit), next)
}

/** `AKIA…,wJalr…`: the secret beside its id. */
const awsId = /(?:AKIA|ASIA)[A-Z2-7]{2}[A-Z0-9]{14}(?![A-Za-z0-9])/y
const awsSecretBeside = (text: string, at: number, hit: Hit): number => {
  awsId.lastIndex = at - 2
  if (at < 2 || !awsId.test(text)) return 0
  awsPair.lastIndex = awsId.lastIndex
  if (!awsPair.test(text)) return 0
  return hit(awsPair.lastIndex - 40, awsPair.lastIndex, "aws-secret-key") ? awsPair.lastIndex : -1
}

const basic = /[Bb]asic[ \t]+([A-Za-z\d+/]{12,400}={0,2})(?![A-Za-z\d+/=])/y
/** A user and a password, whatever stands around them: what it decodes to says so. */
const basicPair = (text: string, at: number, hit: Hit): number => {
  if (isWord(text.charCodeAt(at - 1)) && text[at - 2] !== "\\") return 0
  basic.lastIndex = at
  const value = basic.exec(text)?.[1]
  if (value === undefined) return 0
  const said = Buffer.from(value, "base64").toString("latin1")
  if (!/^[\x21-\x39\x3b-\x7e\x80-\xff]{1,100}:[\x20-\x7e\x80-\xff]{1,200}$/.test(said)) return 0
  const end = basic.lastIndex
  return hit(end - value.length, end, "basic-auth") ? end : -1
}

const bearerToken = (text: string, at: number, hit: Hit): number => {
  if (isWord(text.charCodeAt(at - 1)) && text[at - 2] !== "\\") return 0
  bearer.lastIndex = at
  if (!bearer.test(text)) return 0
  const end = bearer.lastIndex
  let start = at + 6
  while (text.charCodeAt(start) === 32 || text.charCodeAt(start) === 9) start++
  return hit(start, end, tokenKind(text.slice(start, end)) ?? "bearer") ? end : -1
}

const lookCloser = (text: string, at: number, c: number, hit: Hit): number => {
  switch (c) {
    case 58:
    case 61:
      return assignment(text, at, hit)
    case 44:
      return isQuote(text.charCodeAt(at - 1)) ? listed(text, at, hit) : 0
    case 95:
      return underscore(text, at, hit)
    case 45:
      return dash(text, at, hit)
    case 73:
      return text[at + 1] === "A" ? awsSecretBeside(text, at, hit) : 0
    default:
      if (text.startsWith("asic", at + 1)) return basicPair(text, at, hit)
      return text.startsWith("earer", at + 1) ? bearerToken(text, at, hit) : 0
  }
}

/** `arn:aws:secretsmanager:…:secret:name`: where a secret lies. */
const arn = /\barn:[\w:*/-]{0,120}:$/
const namesResource = (text: string, start: number): boolean =>
  text.charCodeAt(start - 1) === 58 && arn.test(text.slice(Math.max(0, start - 128), start))

/** What is a name itself: `"kind":"SealedSecret","spec":{`. */
const namesMember = /^\s{0,8}\\*"[\w.-]{1,60}\\*"\s{0,4}:/

/** `define('DB_PASSWORD', '…')`, `("password", "…")`: a value in quotes behind a name in quotes. */
const listed = (text: string, at: number, hit: Hit): number => {
  const name = nameBefore(text, at)
  const kind = secretName(name)
  if (kind === undefined || !/^[ \t]*\\*["'](?!-)/.test(text.slice(at + 1, at + 12))) return 0
  if (
    !/[_-]|[a-z][A-Z]/.test(name) &&
    !/\(\s*\\*["']$/.test(text.slice(Math.max(0, at - name.length - 12), at - name.length - 1))
  )
    return 0
  if (namesMember.test(text.slice(at + 1, at + 80))) return 0
  return beyond(at, assigned(text, at + 1, name, kind, false, hit), at + 1)
}

export const findAssignments = (text: string, hit: Hit): void => {
  const { length } = text
  bareRun.end = -1
  tightRun.end = -1
  flags = 0
  for (let at = 0; at < length; at++) {
    const c = text.charCodeAt(at)
    if (c > 127 || triggers[c] === 0) continue
    const next = lookCloser(text, at, c, hit)
    if (next === -1) return
    if (next > at) at = next - 1
  }
}
