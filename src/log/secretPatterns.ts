/** Finds the secrets in one text: a single pass that looks closer only at characters every secret must contain. */
import { commandPassword, isPasswordFlag } from "./commandPasswords.ts"
import { ending, looksSecret, type SecretName, type Style, secretName } from "./secretNames.ts"

/** Receives each secret found, in order and without overlap. Returning false ends the search. */
export type Hit = (start: number, end: number, kind: string) => boolean

interface Shape {
  readonly kind: string
  readonly pattern: RegExp
}
const shape = (kind: string, pattern: RegExp): Shape => ({ kind, pattern })

const github = shape("github-token", /(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})/y)
const npm = shape("npm-token", /npm_[A-Za-z0-9]{30,255}/y)
const huggingFace = shape("hugging-face-token", /hf_(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{30,255}/y)
const stripe = shape(
  "stripe-key",
  /(?:(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9+/=]{24,255})/y
)
const gitlab = shape("gitlab-token", /gl(?:pat|ptt|dt|rt|soat|cbt|ft)-[\w-]{20,255}/y)
const slack = shape("slack-token", /(?:xox[abceoprs]|xapp)-(?=[\w-]{0,60}\d)[\w-]{10,255}/y)
const anthropic = shape("anthropic-key", /sk-ant-[\w-]{20,255}/y)
const openai = shape(
  "openai-key",
  /sk-(?:(?:proj|svcacct|admin|None|or-v1)-(?=[A-Za-z_-]{0,80}\d)[\w-]{20,255}|(?=[A-Za-z]{0,48}\d)[A-Za-z0-9]{32,255})/y
)
const awsId = shape("aws-access-key", /(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{2}[A-Z0-9]{14}(?![A-Za-z0-9])/y)
const googleKey = shape("google-key", /AIza[\w-]{35}/y)
const googleSecret = shape("google-secret", /GOCSPX-[\w-]{20,255}/y)
const googleToken = shape("google-token", /ya29\.[\w-]{20,2048}/y)
const jwt = shape("jwt", /eyJ[\w-]{8,8192}(?:\.[\w-]{8,8192}){1,4}(?:\.(?![\w-]))?/y)
const bearer = shape("bearer", /[Bb]earer[ \t]+(?=[A-Za-z._~+/-]{0,200}\d)[\w.~+/-]{16,4096}=*/y)
const awsPair =
  /["']?[\s,;:|]{1,6}["']?(?=[A-Za-z0-9/+]{0,39}[a-z])(?=[A-Za-z0-9/+]{0,39}[0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/y
const keyHeader = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
/**
 * What may stand before a key's first line: line ends, written out or escaped, quotes, line numbers, headers. No two of these
 * can begin alike, and a header ends with its line: so there is one way to read a text, however it repeats itself.
 */
const keyStart =
  /(?:\s|\\+[nr]|["'+,|>→]|\d{1,6}[\t:→]|[A-Za-z-]{2,20}: [^\n\\]{0,80}(?=[\n\\])){0,40}[A-Za-z0-9+/=]{16}/y
const keyBody = /[A-Za-z0-9+/=\s\\:,"'|>→-]/
const slackHook = /:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/([\w/-]{8,255})/y
const flag = /--?([A-Za-z][A-Za-z-]{2,40})[ \t]+(?=[^\s-])/y
const scheme = /(?:bearer|basic|token|digest|negotiate|apikey)[ \t]+/iy

const code = (c: string): number => c.charCodeAt(0)
const triggers = new Uint8Array(128)
for (const c of "_-JIX2:=Bb") triggers[code(c)] = 1

const isWord = (c: number): boolean =>
  (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95

/** Whether a token may start here: not within a word, where an escape (`\n`, `\u001b`) or a colour code is no word. */
const starts = (text: string, at: number): boolean => {
  if (at === 0) return true
  const before = text.charCodeAt(at - 1)
  if (!isWord(before) && before !== 45) return true
  if (before === 45) return !isWord(text.charCodeAt(at - 2)) || text.charCodeAt(at - 2) === 95
  if (text[at - 2] === "\\" && "nrtbf".includes(text[at - 1] as string)) return true
  if (at >= 6 && text[at - 6] === "\\" && text[at - 5] === "u") return true
  if (before === 95) return at > 1 && isWord(text.charCodeAt(at - 2))
  if (before !== 109) return false
  let back = at - 2
  while (back > at - 12 && /[0-9;]/.test(text[back] ?? "")) back--
  return text[back] === "["
}

const isQuote = (c: number): boolean => c === 34 || c === 39 || c === 96

const nameChar = (c: number): boolean => isWord(c) || c === 45 || c === 46

/** The name before an assignment's `:` or `=`, with quotes and brackets around it left out. */
const nameBefore = (text: string, at: number): string | undefined => {
  let end = at - 1
  for (let skipped = 0; skipped < 8 && end >= 0; skipped++, end--) {
    const c = text.charCodeAt(end)
    if (!(c === 32 || c === 9 || isQuote(c) || c === 92 || c === 93)) break
  }
  if (end < 1 || !ending(text.charCodeAt(end), text.charCodeAt(end - 1))) return undefined
  let start = end
  while (start > 0 && end - start < 64 && nameChar(text.charCodeAt(start - 1))) start--
  return text.slice(start, end + 1)
}

const longest = 1024
const longestBare = 4096
/** So much of a bare value tells whether it is a secret. */
const telling = 256

/** More names than that without a break between them announce no secrets. */
const mostTries = 64

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
  return run.tries++ < mostTries ? Math.min(run.end, at + longestBare) : undefined
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
    return offer(text, start, Math.min(end, text.length), name, kind, "quoted", hit)
  }
  if (opener > at) return from
  const end = bareEnd(text, at, tight ? tightRun : bareRun)
  if (end === undefined) return from
  return offer(text, at, end, name, kind, tight ? "tight" : "loose", hit)
}

const offer = (
  text: string,
  from: number,
  to: number,
  name: string,
  kind: SecretName,
  style: Style,
  hit: Hit
): number => {
  if (kind === "authorization") {
    scheme.lastIndex = from
    if (scheme.test(text)) return credentials(text, from, scheme.lastIndex, hit)
  }
  let start = from
  if (style !== "quoted" && /^[A-Za-z]+$/.test(name) === false && text.startsWith("=", start))
    return start + 1
  if (start < to && text.startsWith("‹", start)) start = to
  const value = text.slice(start, to)
  const judged = style === "quoted" ? value : value.slice(0, telling)
  if (!looksSecret(kind, name, judged, style, text[to])) return from
  return hit(start, to, inner(value) ?? kind) ? to : -1
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
  return hit(at, end, inner(value) ?? (basic ? "basic-auth" : "bearer")) ? end : -1
}

const shapes = [
  github,
  npm,
  huggingFace,
  stripe,
  gitlab,
  slack,
  anthropic,
  openai,
  awsId,
  googleKey,
  googleSecret,
  googleToken,
  jwt,
  bearer
]

/** The more telling kind, where the whole value has a known shape. Never a search: a value may hold a thousand more. */
const inner = (value: string): string | undefined => {
  for (const { kind, pattern } of shapes) {
    pattern.lastIndex = 0
    if (pattern.test(value) && pattern.lastIndex === value.length) return kind
  }
  return value.startsWith("-----BEGIN ") && keyEnd(value, 0) === value.length ? "private-key" : undefined
}

const match = (text: string, at: number, { kind, pattern }: Shape, hit: Hit): number => {
  if (at < 0 || !starts(text, at)) return 0
  pattern.lastIndex = at
  if (!pattern.test(text)) return 0
  const end = pattern.lastIndex
  return hit(at, end, kind) ? end : -1
}

/** The end of the private key that begins here, or 0. */
const keyEnd = (text: string, at: number): number => {
  keyHeader.lastIndex = at
  if (!keyHeader.test(text)) return 0
  keyStart.lastIndex = keyHeader.lastIndex
  if (!keyStart.test(text)) return 0
  let end = keyStart.lastIndex
  while (end < text.length && keyBody.test(text[end] as string)) {
    if (text.startsWith("-----END ", end)) {
      const tail = text.indexOf("-----", end + 9)
      end = tail !== -1 && tail < end + 80 ? tail + 5 : end
      break
    }
    if (text.startsWith("-----", end)) break
    end++
  }
  return end
}

const wordEnd = /[^\w-]/g
/** The run of word characters in which a `eyJ` stood last: its end, and whether none in it begins a token. */
const wordRun = { end: 0, barren: false }

const webToken = (text: string, at: number, hit: Hit): number => {
  if (at >= wordRun.end) {
    wordEnd.lastIndex = at
    wordRun.end = wordEnd.exec(text)?.index ?? text.length
    wordRun.barren = text[wordRun.end] !== "."
  }
  if (wordRun.barren || wordRun.end - at > 8200) return 0
  const next = match(text, at, jwt, hit)
  wordRun.barren = next === 0 && starts(text, at)
  return next
}

const privateKey = (text: string, at: number, hit: Hit): number => {
  const end = keyEnd(text, at)
  return end === 0 || hit(at, end, "private-key") ? end : -1
}

const longestMark = 64

/** `scheme://user:password@host`: the password alone. */
const urlPassword = (text: string, colon: number, hit: Hit): number => {
  slackHook.lastIndex = colon
  if (slackHook.test(text)) {
    const end = slackHook.lastIndex
    const start = text.indexOf("/", colon + 19) + 1
    return hit(start, end, "slack-webhook") ? end : -1
  }
  let password = -1
  let end = -1
  for (let at = colon + 3; at < text.length && at < colon + 1024; at++) {
    const c = text.charCodeAt(at)
    if (
      c <= 32 ||
      c === 47 ||
      c === 63 ||
      c === 35 ||
      c === 60 ||
      c === 62 ||
      isQuote(c) ||
      c === 92 ||
      c === 41
    )
      break
    if (c === 0x2039) at += Math.max(0, text.slice(at, at + longestMark).indexOf("›"))
    else if (c === 58 && password === -1) password = at + 1
    else if (c === 64) end = at
  }
  if (password === -1 && end > colon + 22) {
    const user = text.slice(colon + 3, end)
    if (/^(?=\w*[A-Za-z])(?=\w*\d)\w+$/.test(user))
      return hit(colon + 3, end, inner(user) ?? "url-token") ? end : -1
  }
  if (password === -1 || end <= password) return 0
  const value = text.slice(password, end)
  if (/^(?:\$\{?\w+\}?|\{.*\}|%\w+%|[*x.]+|‹[^›]*›)$/s.test(value)) return 0
  return hit(password, end, inner(value) ?? "url-password") ? end : -1
}

/** Whether a word begins at `at`, also one in quotes. */
const beginsWord = (text: string, at: number): boolean => {
  let before = at - 1
  if (isQuote(text.charCodeAt(before))) before--
  while (text.charCodeAt(before) === 92) before--
  const c = text.charCodeAt(before)
  return c === 32 || c === 9
}

const dash = (text: string, at: number, hit: Hit): number => {
  const before = text.charCodeAt(at - 1)
  if (before === 107) {
    if (text[at - 2] !== "s") return 0
    return text.startsWith("ant-", at + 1)
      ? match(text, at - 2, anthropic, hit)
      : match(text, at - 2, openai, hit)
  }
  if (before === 88) return text.startsWith("GOCSPX", at - 6) ? match(text, at - 6, googleSecret, hit) : 0
  if (before === 116) {
    const from = Math.max(0, at - 6)
    const g = text.slice(from, at).lastIndexOf("gl")
    return g === -1 ? 0 : match(text, from + g, gitlab, hit)
  }
  if (text[at - 4] === "x" && (text.startsWith("xox", at - 4) || text.startsWith("xapp", at - 4)))
    return match(text, at - 4, slack, hit)
  if (beginsWord(text, at) && isPasswordFlag(text, at)) {
    const found = commandPassword(text, at)
    if (found) return hit(found.start, found.end, "password") ? found.end : -1
  }
  if (before === 45 || text.charCodeAt(at + 1) !== 45) return 0
  if (text.startsWith("-----BEGIN ", at)) return privateKey(text, at, hit)
  flag.lastIndex = at
  const found = flag.exec(text)
  const name = found?.[1]
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
  switch (text.charCodeAt(at - 1)) {
    case 109:
      return text.startsWith("npm", at - 3) ? match(text, at - 3, npm, hit) : 0
    case 107:
      return match(text, at - 2, stripe, hit)
    case 102:
      return match(text, at - 2, huggingFace, hit)
    case 99:
      return text.startsWith("whsec", at - 5) ? match(text, at - 5, stripe, hit) : 0
    case 98:
      return text.startsWith("github_pat_", at - 6) ? match(text, at - 6, github, hit) : 0
    default:
      if (text.startsWith(awsSetting, at - 3)) return setting(text, at + awsSetting.length - 3, hit)
      if (text.startsWith(npmSetting, at)) {
        const from = at + npmSetting.length
        return beyond(at, assigned(text, from, "authToken", "token", true, hit), from)
      }
      return text[at - 2] === "h" && text[at - 3] === "g" ? match(text, at - 3, github, hit) : 0
  }
}

const assignment = (text: string, at: number, hit: Hit): number => {
  const equals = text.charCodeAt(at) === 61
  let next = at + 1
  if (!equals && text.charCodeAt(next) === 47 && text.charCodeAt(next + 1) === 47)
    return urlPassword(text, at, hit)
  const name = nameBefore(text, at)
  if (name === undefined) return 0
  const kind = secretName(name)
  if (kind === undefined) return 0
  const after = text.charCodeAt(next)
  if (equals && (after === 61 || after === 62 || after === 126)) return 0
  if (!equals && after === 58) return 0
  if (after === 61) next++
  const follows = text.charCodeAt(next)
  const tight = equals && text.charCodeAt(at - 1) !== 32 && follows !== 32 && follows !== 9
  return beyond(at, assigned(text, next, name, kind, tight, hit), next)
}

const lookCloser = (text: string, at: number, c: number, hit: Hit): number => {
  switch (c) {
    case 58:
    case 61:
      return assignment(text, at, hit)
    case 95:
      return underscore(text, at, hit)
    case 45:
      return dash(text, at, hit)
    case 74: // eyJ
      return text[at - 1] === "y" && text[at - 2] === "e" ? webToken(text, at - 2, hit) : 0
    case 73: {
      if (text[at + 1] === "A") {
        const end = match(text, at - 2, awsId, hit)
        if (end <= 0) return end
        awsPair.lastIndex = end
        return awsPair.test(text)
          ? hit(awsPair.lastIndex - 40, awsPair.lastIndex, "aws-secret-key")
            ? awsPair.lastIndex
            : -1
          : end
      }
      return text[at - 1] === "A" && text[at + 1] === "z" ? match(text, at - 1, googleKey, hit) : 0
    }
    case 50:
      return text.charCodeAt(at - 1) === 97 && text.startsWith("ya29.", at - 2)
        ? match(text, at - 2, googleToken, hit)
        : 0
    case 66:
    case 98:
      return text.charCodeAt(at + 1) === 101 && text.startsWith("arer", at + 2)
        ? bearerToken(text, at, hit)
        : 0
    default:
      return 0
  }
}

const bearerToken = (text: string, at: number, hit: Hit): number => {
  if (!starts(text, at)) return 0
  bearer.pattern.lastIndex = at
  if (!bearer.pattern.test(text)) return 0
  const end = bearer.pattern.lastIndex
  let start = at + 6
  while (text.charCodeAt(start) === 32 || text.charCodeAt(start) === 9) start++
  return hit(start, end, inner(text.slice(start, end)) ?? "bearer") ? end : -1
}

/** Calls `hit` for each secret. */
export const findSecrets = (text: string, hit: Hit): void => {
  const { length } = text
  bareRun.end = -1
  tightRun.end = -1
  wordRun.end = 0
  for (let at = 0; at < length; at++) {
    const c = text.charCodeAt(at)
    if (c > 127 || triggers[c] === 0) continue
    const next = lookCloser(text, at, c, hit)
    if (next === -1) return
    if (next > at) at = next - 1
  }
}
