/** Secrets in URLs: the password before the host, signatures and keys in the query, and the paths of webhooks. */
import { isPlaceholderPair, isPublicSite } from "./publicValues.ts"
import { looksRandom } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"

const longestUrl = 2048
/** So much may stand between a password's first character and the host behind it. */
const longestPassword = 256

const isPlaceholder = (value: string): boolean =>
  /^(?:\$\{?\w+\}?|\{.*\}|%\w+%|<.*>|\[.*\]|[*x.]+|‹[^›]*›|pass(?:word)?|pwd|secret|token)$/is.test(value)

/** Behind the last `@`: a host, with what may follow one. */
const host = /^(?:[A-Za-z0-9][\w.-]*|\[[0-9a-fA-F:]+\])(?::\d{1,5})?(?=$|[/?#\s,"'`)\]}>;\\|&])/
const port = /^\d{1,5}(?:$|[/?#])/

interface Span {
  readonly start: number
  readonly end: number
}

/** `user:password@host`: a password may hold all that otherwise ends a host, as long as a host comes behind it. */
const userPart = (text: string, from: number): { user: string; password?: Span } | undefined => {
  let colon = -1
  let at = -1
  let slash = false
  for (let i = from; i < text.length && i < from + longestPassword + 128; i++) {
    const c = text.charCodeAt(i)
    if (c <= 32 || c === 34 || c === 96 || c === 60 || c === 0x203a || c === 92) break
    if (c === 0x2039) {
      const end = text.indexOf("›", i)
      if (end === -1 || end > i + 64) break
      i = end
      continue
    }
    if (c === 58 && colon === -1 && !slash) {
      if (port.test(text.slice(i + 1, i + 8)) && text.charCodeAt(from) !== 58) {
        // `host:80/…` and `user:80@…` part only at the sign that follows the digits.
        return undefined
      }
      // Another URL begins: this one has no password.
      if (text.startsWith("://", i)) return undefined
      colon = i
    } else if (c === 64) {
      // In a path or a query an `@` parts no host from a password, if there was no user's colon before it.
      if (slash && colon === -1) break
      if (host.test(text.slice(i + 1, i + 256))) {
        at = i
        if (!slash && colon !== -1 && !/@/.test(text.slice(i + 1, i + 64))) break
      }
    } else if ((c === 47 || c === 63 || c === 35) && !slash) {
      if (colon === -1) break
      slash = true
      if (at !== -1) break
    } else if (c === 39 && colon === -1) break
  }
  if (at === -1) return undefined
  if (colon === -1) return { user: text.slice(from, at) }
  return at > colon + 1
    ? { user: text.slice(from, colon), password: { start: colon + 1, end: at } }
    : undefined
}

/** Paths that whoever knows them may post to. */
const hooks =
  /(?:hooks\.slack\.com\/(?:services|workflows|triggers)|hooks\.zapier\.com\/hooks\/catch|(?:ptb\.|canary\.)?discord(?:app)?\.com\/api(?:\/v\d+)?\/webhooks|[\w.-]{1,80}\.webhook\.office\.com\/webhookb2|outlook\.office(?:365)?\.com\/webhook|open\.(?:feishu|larksuite)\.(?:cn|com)\/open-apis\/bot\/v2\/hook|events\.pagerduty\.com\/integration|alert\.victorops\.com\/integrations\/generic|maker\.ifttt\.com\/trigger\/[\w-]{1,60}\/(?:json\/)?with\/key|hc-ping\.com|hook(?:\.[a-z0-9]{2,4})?\.(?:make|integromat)\.com|webhook\.site|[\w-]{1,40}\.m\.pipedream\.net|api\.telegram\.org|[\w.-]{1,80}\/(?:web)?hooks?(?:\/(?:v\d|incoming|catch|services|generic))?)\/([\w/@:.+%~=-]{8,600})/iy

const isHookPath = (site: string, path: string): boolean =>
  /slack|zapier|discord|office|feishu|larksuite|pagerduty|victorops|ifttt|hc-ping|make\.com|integromat|pipedream|webhook\.site/i.test(
    site
  )
    ? /\d|[A-Z]/.test(path)
    : path.split("/").some((part) => looksRandom(part) || (/^[a-z0-9]{26}$/.test(part) && /\d/.test(part)))

/** What a signed URL says by, and keys by which a URL opens something. */
const parameter =
  /[?&;](?:amp;)?(sig|signature|x-amz-signature|x-amz-security-token|x-amz-credential|x-goog-signature|x-goog-credential|x-oss-signature|key|apikey|api-key|api_key|appid|app_key|access_key|accesskey|key-pair-id|policy|auth|authkey|auth_key|code|hmac|hash|h|hm|s|st|sign|hdnea|hdnts|__token__|verify|ticket|private_token|sas|t|k|token|jwt|session|sid|otp|secret|pass|p|pw|skey|license|licensekey|client_secret|state_token|invite|oauth_token|oauth_signature|oauth_verifier|oobcode|ott|otc|magic|one_time_(?:code|token))=([\w.~%+/=:-]{6,2048})/giy

const sure =
  /^(?:sig|signature|x-amz-|x-goog-|x-oss|key$|api|app_?key|access|auth|hmac|sign$|private|secret|jwt|hdne|__token|otp|oauth_|token|skey|license|client|pass|oob|ot[tc]|magic|one_time)/i
const camelCase = /^[A-Za-z][a-z]*(?:[A-Z][a-z]{2,})*$/
/** Letters alone that go from small ones to capitals more often than those of a name do. */
const isMixedCase = (value: string): boolean =>
  /^[A-Za-z]{16,}$/.test(value) &&
  !camelCase.test(value) &&
  (value.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0) * 4 > value.length

/** Names of one letter and words of many uses: only what nobody typed. */
const isQuerySecret = (name: string, value: string): boolean => {
  if (isPlaceholder(value) || /^(?:your|%3C|%7B|\$|example)/i.test(value)) return false
  if (/^x-(?:amz|goog)-credential$/i.test(name)) return true
  // A link of a network that delivers files; what it is valid from and until stands beside it.
  if (/^hm$/i.test(name)) return /^[\da-f]{64}$/.test(value)
  // An app's id is a key where it is one of those that are made.
  if (/^appid$/i.test(name)) return /^(?=.*\d)(?=.*[a-f])[\da-f]{32}$/.test(value)
  if (/signature|^sig$|^hmac$/i.test(name)) return value.length >= 16 && /[\dA-Z%]/.test(value)
  if (sure.test(name))
    return (
      value.length >= 8 &&
      ((/\d/.test(value) && /[A-Za-z]/.test(value)) || /^\d{8,}$/.test(value) || isMixedCase(value)) &&
      !/^\d{4}-\d\d-\d\d/.test(value)
    )
  return value.length >= 20 && looksRandom(value) && /[A-Z]|[g-z].*\d/.test(value)
}

const urlEnd = /[\s"'`<>\\|)}\]]/g
/** URLs within one unbroken run share its end, and more than these few in one are nobody's. */
const run = { from: 0, end: -1, tries: 0 }
const maxInRun = 8

const inQuery = (text: string, from: number, to: number, hit: Hit): void => {
  for (let at = text.indexOf("?", from); at !== -1 && at < to; ) {
    parameter.lastIndex = at
    const found = parameter.exec(text)
    if (found !== null) {
      const value = found[2] as string
      const end = parameter.lastIndex
      if (isQuerySecret(found[1] as string, value))
        hit(end - value.length, end, tokenKind(value) ?? "url-signature")
    }
    const next = /[&;]/g
    next.lastIndex = at + 1
    at = next.exec(text.slice(0, to))?.index ?? -1
  }
}

/** Links by which whoever has them logs in or takes over an account: `/magic-link/…`, `/password/reset/…`. */
const link =
  /\/(?:magic(?:[-_]?links?)?|(?:password[-_/])?reset(?:[-_/]?password)?|recover(?:y)?|verify(?:[-_]?email)?|confirm(?:ation)?(?:[-_]?email)?|activat(?:e|ion)|invit(?:e|ation)s?|one[-_]?time|passwordless|unlock|login|sign[-_]?in|set[-_]?password)\/(?:[\w.~%=@-]{1,40}\/){0,3}?([\w~-]{16,512})(?=$|[/?#.,;:!])/i

const shortestLink = 28
const inLink = (url: string, from: number, hit: Hit): void => {
  const found = link.exec(url)
  const value = found?.[1]
  if (found === null || value === undefined) return
  if (!looksRandom(value) && !isMixedCase(value) && !/^(?=.*\d)(?=.*[a-f])[\da-f]{32,}$/.test(value)) return
  const start = from + found.index + found[0].length - value.length
  hit(start, start + value.length, tokenKind(value) ?? "url-token")
}

/** From the colon of `scheme://` on. */
const urlSecret = (text: string, colon: number, take: Hit): void => {
  const from = colon + 3
  if (from < run.from || from > run.end) {
    urlEnd.lastIndex = from
    run.from = from
    run.end = urlEnd.exec(text)?.index ?? text.length
    run.tries = 0
  }
  if (run.tries++ >= maxInRun) return
  const end = Math.min(run.end, from + longestUrl)
  hooks.lastIndex = from
  const hook = hooks.exec(text)
  if (hook !== null) {
    const path = hook[1] as string
    const start = hooks.lastIndex - path.length
    const site = text.slice(from, start)
    if (isHookPath(site, path))
      take(start, hooks.lastIndex, /slack/i.test(site) ? "slack-webhook" : "webhook")
  }
  inQuery(text, from, end, take)
  if (end - from > shortestLink) inLink(text.slice(from, end), from, take)
  const found = userPart(text, from)
  if (found === undefined) return
  if (found.password !== undefined) {
    const { start, end: stop } = found.password
    const value = text.slice(start, stop)
    const known =
      /^(?:(?:DB_|YOUR_)?(?:PASSWORD|PASSWD|PASS|PWD)|\$\{?\w+\}?|\{.*\}|%\w+%|\$\(.*\)|<.*>|[*x.]+|‹[^›]*›)$/s.test(
        value
      )
    if (!known && !isPlaceholderPair(found.user, value)) take(start, stop, tokenKind(value) ?? "url-password")
  } else if (
    found.user.length > 19 &&
    /^(?=\w*[A-Za-z])(?=\w*\d)\w+$/.test(found.user) &&
    !isPublicSite(text.slice(from + found.user.length, from + found.user.length + 120))
  ) {
    take(from, from + found.user.length, tokenKind(found.user) ?? "url-token")
  }
}

/** Without its scheme: `hooks.slack.com/…` */
const bareHook = /(?:hooks\.slack\.com|discord(?:app)?\.com\/api\/webhooks|webhook\.office\.com)\//g

/** Whether no `hit` ended the search. */
export const findUrlSecrets = (text: string, hit: Hit): boolean => {
  run.end = -1
  let more = true
  const take: Hit = (start, end, kind) => {
    more = hit(start, end, kind) && more
    return more
  }
  for (let at = text.indexOf("://"); at !== -1 && more; at = text.indexOf("://", at + 3))
    urlSecret(text, at, take)
  if (!text.includes(".com/")) return more
  bareHook.lastIndex = 0
  for (let found = bareHook.exec(text); found !== null; found = bareHook.exec(text)) {
    if (text.startsWith("://", found.index - 3)) continue
    hooks.lastIndex = found.index
    const hook = hooks.exec(text)
    const path = hook?.[1]
    if (path !== undefined && isHookPath(found[0], path))
      take(
        hooks.lastIndex - path.length,
        hooks.lastIndex,
        /slack/.test(found[0]) ? "slack-webhook" : "webhook"
      )
  }
  return more
}
