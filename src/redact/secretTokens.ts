/** Tokens whose form alone says whose they are: a vendor's prefix and what follows it. */
import { isLicence } from "./licences.ts"

/** Receives each secret found, in order and without overlap. Returning false ends the search. */
export type Hit = (start: number, end: number, kind: string) => boolean

/** What a token is made of behind its prefix. */
const bodies: Readonly<Record<string, string>> = {
  hex: "[A-Fa-f0-9]",
  upper: "[A-Z0-9]",
  word: "[A-Za-z0-9]",
  dash: "[\\w-]",
  base: "[\\w+/-]",
  any: "[\\w.=-]"
}

/**
 * One line a form: kind, prefixes, characters, how many at least and at most. `!` asks for a digit among the first: without one
 * it is a name that only begins like a token. `|`: nothing of a word may follow.
 */
const table = `
github-token ghp_,gho_,ghu_,ghs_,ghr_ word 30 255
github-token github_pat_ dash 22 255
trello-token ATTA hex 60 80
wandb-key wandb_v1_ dash! 40 100
runpod-key rpa_ word! 30 60
inngest-key signkey-prod-,signkey-test-,signkey-branch- hex 32 80
gitlab-token glpat-,glptt-,gldt-,glrt-,glsoat-,glcbt-,glft-,glffct-,glimt-,glagent-,gloas-,glwt- any 20 320
gitlab-token GR1348941 dash 20 40
npm-token npm_ word 30 255
hugging-face-token hf_,api_org_ word 30 255
stripe-key sk_live_,sk_test_,sk_prod_,rk_live_,rk_test_,rk_prod_ word! 10 255
stripe-key whsec_ base 24 255
slack-token xoxa-,xoxb-,xoxc-,xoxd-,xoxe-,xoxo-,xoxp-,xoxr-,xoxs-,xapp- dash! 10 255
slack-token xoxe.xoxb-,xoxe.xoxp- dash! 20 255
anthropic-key sk-ant- dash 20 255
openai-key sk-proj-,sk-svcacct-,sk-admin-,sk-None-,sk-or-v1- dash! 20 255
openai-key sk- word! 32 255
google-key AIza dash 35 35
google-secret GOCSPX- dash 20 255
google-token ya29. dash 20 2048
google-token 1//0 dash 30 255
1password-token ops_eyJ base 100 4096
adobe-secret p8e- word! 32 40
age-key AGE-SECRET-KEY-1 upper 50 60
aiven-password AVNS_ dash! 15 60
alibaba-key LTAI word! 12 28
artifactory-token AKCp word! 60 80
artifactory-token cmVmd word! 55 70
atlassian-token ATATT3,ATCTT3,ATBB,ATOA,BBDC- any! 24 300
aws-bedrock-key ABSK base! 100 400
axiom-token xaat-,xapt- dash! 32 60
baidu-key ALTAK- word! 20 60
brevo-key xkeysib-,xsmtpsib- dash! 60 100
buildkite-token bkua_,bkpi_,bkct_ hex 30 80
cerebras-key csk- word! 40 80
circleci-token CCIPAT_,CCIPRJ_ any! 30 120
clickhouse-key 4b1d word! 38 38
clojars-token CLOJARS_,clojars_ word! 50 80
cloudflare-key v1.0- dash! 100 240
cloudflare-token cfut_,cfat_,cfk_ word! 30 80
contentful-token CFPAT- dash! 40 60
crates-token cio word!| 32 32
databricks-token dapi hex 32 40
digitalocean-token doo_v1_,dop_v1_,dor_v1_ hex 60 70
discord-token mfa. dash! 60 100
docker-token dckr_pat_,dckr_oat_ dash! 20 80
doppler-token dp.pt.,dp.st.,dp.ct.,dp.sa.,dp.scim.,dp.audit. any! 38 100
dropbox-token sl. any! 100 1500
duffel-token duffel_test_,duffel_live_ any! 40 50
dynatrace-token dt0c01.,dt0s01.,dt0s02.,dt0s16.,dt0s08. any! 60 120
e2b-key e2b_ hex 36 50
easypost-key EZAK,EZTK word! 50 60
facebook-token EAA word! 80 400
figma-token figd_,figo_,figr_,figu_,figp_ dash! 30 100
firecrawl-key fc- hex 32 40
fireworks-key fw_ word! 20 60
flutterwave-key FLWSECK_TEST-,FLWSECK- dash! 12 60
fly-token fo1_,fm1a_,fm1r_,fm2_ base! 40 4096
frameio-token fio-u- any! 50 80
grafana-token glc_ base! 32 420
grafana-token glsa_ dash! 36 60
grafana-token eyJrIjoi word! 60 420
groq-key gsk_ word! 30 80
heroku-token HRKU- dash! 36 80
honeycomb-key hcaik_,hcbik_,hcamk_,hcxik_ word! 24 80
hubspot-token pat-na1-,pat-na2-,pat-eu1-,pat-ap1- dash! 30 50
infracost-key ico- word! 32 32
instagram-token IGQV,IGAA dash! 60 300
intra42-secret s-s4t2ud-,s-s4t2af- hex 60 70
jina-key jina_ word! 40 80
langfuse-key sk-lf- dash! 30 50
langsmith-key lsv2_pt_,lsv2_sk_,ls__ dash! 32 60
linear-key lin_api_,lin_oauth_,lin_wh_ word! 30 80
lichess-token lip_,lio_ word! 20 40
mailgun-key key- hex 32 32
mapbox-token sk.eyJ,tk.eyJ any! 40 400
mollie-key live_,test_ word!| 30 30
neon-key napi_,npg_ word! 12 90
netlify-token nfp_,nfc_ word! 30 60
new-relic-key NRAK-,NRAA-,NRII-,NRIQ-,NRJS-,NRRA-,NRSP- dash! 18 50
nostr-key nsec1 word! 50 60
notion-token ntn_,secret_ word! 40 60
nuget-key oy2 word! 43 43
nvidia-key nvapi- dash! 40 90
octopus-key API- upper! 25 36
openshift-token sha256~ dash! 43 43
packagist-token packagist_uut_,packagist_oat_,packagist_orl_,packagist_out_ word! 40 90
paypal-token access_token$production$,access_token$sandbox$ base! 40 90
perplexity-key pplx- word! 32 80
pinecone-key pcsk_ dash! 40 90
plaid-token access-sandbox-,access-development-,access-production- dash! 36 36
planetscale-token pscale_tkn_,pscale_oauth_,pscale_pw_ any! 30 64
posthog-key phx_,phs_ word! 30 80
postman-key PMAK- dash! 40 70
prefect-token pnu_,pnb_ word! 30 40
prisma-key prisma_,accelerate_ word! 30 300
pulumi-token pul- hex 40 40
pypi-token pypi- dash! 50 1200
razorpay-key rzp_live_,rzp_test_ word! 14 30
readme-key rdme_ word! 50 90
render-key rnd_ word! 24 60
replicate-token r8_ word! 30 60
resend-key re_ dash!| 20 60
rubygems-key rubygems_ hex 40 60
scalingo-token tk-us- dash! 40 60
sendgrid-key SG. any! 50 90
sentry-token sntrys_,sntryu_,sntrya_ base! 40 600
settlemint-token sm_aat_,sm_pat_,sm_sat_ word 16 40
shippo-token shippo_live_,shippo_test_ hex 36 60
shopify-token shpat_,shpca_,shppa_,shpss_,shptka_,shpit_,shpua_,shpca_,shprt_ hex 32 40
snyk-token snyk_uat. any! 40 120
sonar-token sqp_,squ_,sqa_,sqb_ hex 40 40
sourcegraph-token sgp_local_ hex 40 40
sourcegraph-token sgp_,slk_ any! 40 120
square-token EAAA dash! 22 64
square-token sq0atp-,sq0csp-,sq0idp- dash! 22 64
stytch-secret secret-live-,secret-test- any! 30 60
supabase-key sbp_,sb_secret_ dash! 22 60
tailscale-key tskey-api-,tskey-auth-,tskey-client-,tskey-webhook-,tskey-scim-,tskey- dash! 18 80
tavily-key tvly- dash! 24 60
tencent-key AKID word! 28 36
together-key tgp_v1_ dash! 30 60
twilio-key SK hex 32 32
typeform-token tfp_ dash! 40 80
unkey-key unkey_ word! 16 60
vault-token hvs.,hvb.,hvr. dash 24 400
vault-token s.,b. word!| 24 24
vercel-token vcp_,vca_,vci_,vck_,vercel_blob_rw_ dash! 24 100
wakatime-key waka_ dash! 36 36
xai-key xai- word! 50 100
swarm-key SWMKEY-1-,SWMTKN-1- dash! 25 120
nats-seed SUA,SAA,SOA,SCA,SNA,SXA upper| 55 55
xprv-key xprv,yprv,zprv,tprv word! 100 112
yandex-token AQVN,y0_,t1. any! 35 300
matrix-token syt_ any! 30 120
encoded-jwt ZXlK base! 40 4096
`

/** Words in front of the random part by which vendors mark what is a secret: `acme_live_…`, `acme_pat_…`. */
const announcers =
  "live|prod|production|sandbox|pat|sk|secret|tkn|token|apikey|api|key|priv|private|auth|oauth|access|sat|uat|refresh|session"
let announcing: RegExp | undefined
const announcingPattern = (): RegExp =>
  (announcing ??= new RegExp(
    `(?:[A-Za-z][A-Za-z0-9]{1,15}[_-]){0,3}(?:${announcers})[_-](?:v\\d[_-]|[a-z]{2,4}\\d?[_-])?(?=[A-Za-z]{0,30}\\d)(?=\\d{0,30}[A-Za-z])([A-Za-z0-9]{24,200})(?![\\w-])`,
    "y"
  ))
const announcerWords = new Set(announcers.split("|"))

/** Whether such a word stands among the first of a run: all that most words, ids and paths are asked. */
const isAnnounced = (text: string, at: number, to: number): boolean => {
  let start = at
  for (let end = at; end < to && end < at + 80; end++) {
    const c = text.charCodeAt(end)
    if (c !== 95 && c !== 45) continue
    if (announcerWords.has(text.slice(start, end))) return true
    start = end + 1
  }
  return false
}

/**
 * Forms without a fixed beginning, one line each: kind, first characters (`.`: any), the places at which one of the next texts
 * begins, counted from the form's first character, and the pattern. A form is only looked at where such a text stands: to compile
 * the patterns takes longer than all else that most hook calls have to do with secrets.
 */
const freeTable = String.raw`
1password-key A 0-0 A3- A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}
aws-access-key A 0-0 AKIA,ASIA,ABIA,ACCA,A3T (?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{2}[A-Z0-9]{14}(?![A-Za-z0-9])
launchdarkly-key sma 0-0 sdk-,mob-,api- (?:sdk|mob|api)-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}(?![\w-])
airtable-token p 17-17 . pat[A-Za-z0-9]{14}\.[a-f0-9]{64}
harness-token ps 0-0 pat.,sat. [ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}
authress-key sea 0-0 sc_,ext_,scauth_,authress_ (?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[\w+/=-]{30,120}
licence-key ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 11-11 eyJ [A-Z\d]{10}-eyJ[\w+/=-]{40,4096}
session s 0-0 s: s:[\w-]{20,64}\.[\w+/-]{27,64}={0,2}
terraform-token . 14-14 .atlasv1. [A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}
azure-secret . 4-4 Q~ [\w~.]{3}\dQ~[\w.~-]{31,34}
azure-devops-token . 52-52 JQQJ99 [A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}
azure-devops-token . 76-76 AZDO [A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}
maxmind-key . 36-36 _mmk [A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk
mailchimp-key 0123456789abcdef 32-32 -us [a-f0-9]{32}-us\d{1,2}(?![\w-])
facebook-token 0123456789 15-16 |,% \d{15,16}[|%][\w-]{27,40}
telegram-token 0123456789 6-16 :A \d{6,12}:AA[\w-]{32,35}(?![\w-])|\d{6,16}:A[\w-]{34}(?![\w-])
discord-token MNO 23-29 . (?=[\w-]{0,28}\d)[MNO][A-Za-z\d_-]{22,28}\.[\w-]{6}\.[\w-]{27,45}(?![\w-])
asana-token 12 1-1 / [12]/\d{12,20}(?:/\d{12,20})?:[a-f0-9]{32}
rapidapi-key 0123456789abcdef 10-10 msh [a-f0-9]{10}msh[a-f0-9]{15}p1[a-f0-9]{5}jsn[a-f0-9]{12}
firebase-key A 0-0 AAAA AAAA[\w-]{7}:[\w-]{130,160}
salesforce-token 0 15-18 ! 00D[A-Za-z0-9]{12,15}![\w.]{80,120}
k3s-token K 0-0 K10 K10[\da-f]{32,128}::[\w-]{1,40}:[\w.-]{16,128}
bitcoin-key 5KL 0-0 5H,5J,5K,K,L (?=[1-9A-HJ-NP-Za-km-z]{0,20}\d)(?=[1-9A-HJ-NP-Z]{0,20}[a-z])(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51})(?![\w/+=-])
private-key Mb 0-0 MII,MIG,MIH,MHcCAQEE,MC4CAQAw,b3BlbnNzaC1rZXktdj (?:MII[\w+/]{3}IBA|MIG[\w+/]AgEA|MI[GH][\w+/]AgEB|MHcCAQEE|MC4CAQAw|b3BlbnNzaC1rZXktdj)[\w+/=]{16,8192}(?:(?:\s|\\+[nr]){1,8}[\w+/=]{16,80}){0,200}
jwt e 0-0 ey ey[A-Za-z0-9][\w-]{8,8192}(?:\.[\w-]{8,8192}){1,4}(?:\.(?![\w-]))?|ey[A-Za-z0-9]{17,4096}\.ey[\w/\\-]{17,4096}\.(?:[\w/\\-]{10,4096}={0,2})?
`

interface FreeForm {
  readonly kind: string
  readonly first: string
  readonly from: number
  readonly to: number
  readonly signs: readonly string[]
  readonly source: string
  pattern?: RegExp
}

let freeForms: readonly FreeForm[] | undefined
const allFreeForms = (): readonly FreeForm[] =>
  (freeForms ??= freeTable
    .trim()
    .split("\n")
    .map((line) => {
      const [kind = "", first = "", places = "", signs = "", source = ""] = line.split(" ")
      const [from = 0, to = 0] = places.split("-").map(Number)
      return { kind, first, from, to, signs: signs.split(","), source }
    }))

/** By first character, so that most words are asked about few of them. */
const byFirst: (readonly FreeForm[] | undefined)[] = []
const freeFormsFrom = (c: number): readonly FreeForm[] => {
  if (c > 126) return []
  const character = String.fromCharCode(c)
  const forms = byFirst[c] ?? allFreeForms().filter(({ first }) => first === "." || first.includes(character))
  byFirst[c] = forms
  return forms
}

const isSigned = (text: string, at: number, { from, signs, to }: FreeForm): boolean => {
  for (let place = at + from; place <= at + to; place++)
    for (const sign of signs)
      if (text.charCodeAt(place) === sign.charCodeAt(0) && text.startsWith(sign, place)) return true
  return false
}

interface Form {
  readonly kind: string
  readonly prefixes: readonly string[]
  readonly pattern: RegExp
}

const rows = table
  .trim()
  .split("\n")
  .map((line) => line.split(" "))

/** Which first two letters any prefix has: all that most words are asked. */
const heads = new Uint8Array(128 * 128)
const headOf = (text: string, at: number): number => {
  const a = text.charCodeAt(at)
  const b = text.charCodeAt(at + 1)
  return a < 128 && b < 128 ? a * 128 + b : 0
}
for (const [, prefixes = ""] of rows) for (const prefix of prefixes.split(",")) heads[headOf(prefix, 0)] = 1
/** Those with which a form may begin that has no fixed beginning, also where no digits are. */
const freely = 2
for (const head of ["ey", "A3", "AK", "AS", "AB", "AC", "MI", "MH", "MC", "b3"])
  heads[headOf(head, 0)] = (heads[headOf(head, 0)] as number) | freely

const escaped = (literal: string): string => literal.replace(/[.$/+]/g, "\\$&")
const rowPattern = ([, prefixes = "", body = "", least = "", most = ""]: readonly string[]): string => {
  const characters = bodies[body.replace(/\W/g, "")] as string
  const asked = body.includes("!")
    ? `(?=${characters.replace(/0-9|\\w/g, (part) => (part === "\\w" ? "A-Za-z_" : ""))}{0,60}\\d)`
    : ""
  const ends = body.includes("|") ? "(?![\\w-])" : ""
  return `(?:${prefixes.split(",").map(escaped).join("|")})${asked}${characters}{${least},${most}}={0,3}${ends}`
}

/** By their first two letters. Made when a word with that head is met: most hook calls meet none. */
const byHead = new Map<number, readonly Form[]>()
const formsOf = (head: number): readonly Form[] => {
  let found = byHead.get(head)
  if (found === undefined) {
    found = rows.flatMap((row) => {
      const prefixes = (row[1] as string).split(",").filter((prefix) => headOf(prefix, 0) === head)
      return prefixes.length === 0
        ? []
        : [{ kind: row[0] as string, prefixes, pattern: new RegExp(rowPattern(row), "y") }]
    })
    byHead.set(head, found)
  }
  return found
}
/** Such a prefix ends with these two. */
const ending = 4
/** Words of any language of programs, too: `cache-key-…`. */
const generic = /^(?:key|API|live|test|secret)[_-]$/
/** By its last two characters: prefixes that end a word's part, and say enough to be known in the middle of a word. */
const tails = new Map<number, readonly string[]>()
for (const [, prefixes = "", , least] of rows)
  for (const prefix of prefixes.split(","))
    if (/^.{3,}[_.-]$/.test(prefix) && !generic.test(prefix) && Number(least) >= 20) {
      const tail = headOf(prefix, prefix.length - 2)
      tails.set(tail, [...(tails.get(tail) ?? []), prefix])
      heads[tail] = (heads[tail] as number) | ending
    }
/** A word that somebody forgot to part from a token is no longer. */
const longestGlued = 40

const word = 1
const joint = 2
const digit = 4
const classes = new Uint8Array(128)
/** No character of a hash. */
const odd = 16
/** What parts the groups of a UUID, and no character of a hash. */
const dash = 32
const small = 64
for (let c = 48; c < 123; c++) {
  if (c < 58) classes[c] = word | digit
  else if (c > 96 || (c > 64 && c < 91) || c === 95)
    classes[c] = c > 96 ? (c < 103 ? word : word | odd) | small : word | odd
}
// A run of these may be one token; the first two also begin another.
for (const c of "._~-/") classes[c.charCodeAt(0)] = joint | (c === "-" ? dash : odd) | (c === "_" ? word : 0)
classes[43] = 8 | odd
const classAt = (text: string, at: number): number => {
  const c = text.charCodeAt(at)
  return c < 128 ? (classes[c] as number) : 0
}

/** What looks like a token and says that it is none. */
const isExample = (token: string): boolean =>
  /([\w*.-])\1{7}|x{5}|X{5}|your[-_]?|placeholder|(?:abc123|ABC123|123abc|changeme|redacted)|1234567890(?:abcdef|1234567890)/.test(
    token
  )

const shortest = 16

const lookAt = (text: string, at: number, hasDigits: boolean): { end: number; kind: string } | undefined => {
  const head = headOf(text, at)
  const known = heads[head] as number
  if ((known & 1) !== 0)
    for (const { kind, pattern, prefixes } of formsOf(head))
      if (prefixes.some((prefix) => text.startsWith(prefix, at))) {
        const end = matchEnd(text, at, pattern)
        if (end !== 0) return { end, kind }
      }
  if (!hasDigits && (known & freely) === 0) return undefined
  for (const free of freeFormsFrom(text.charCodeAt(at))) {
    if (!isSigned(text, at, free)) continue
    free.pattern ??= new RegExp(free.source, "y")
    const end = matchEnd(text, at, free.pattern)
    if (end !== 0) return { end, kind: free.kind }
  }
  return undefined
}

/** Where a token of that form ends, or 0. */
const matchEnd = (text: string, at: number, pattern: RegExp): number => {
  pattern.lastIndex = at
  if (!pattern.test(text)) return 0
  const end = pattern.lastIndex
  return isExample(text.slice(at, Math.min(end, at + 200))) ? 0 : end
}

/** Behind an escape or a colour code a word begins that has not its first letters: `\nghp_…`, `\x1b[32mghp_…`, `%3Dghp_…`. */
const glued = /(?<=\\)(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[nrtbf])|(?<=%)[0-9a-fA-F]{2}|(?<=[[;])\d{0,3}m/y

const behindEscape = (text: string, at: number): number => {
  const c = text.charCodeAt(at - 1)
  if (c !== 92 && c !== 37 && c !== 91 && c !== 59) return at
  glued.lastIndex = at
  return glued.test(text) ? glued.lastIndex : at
}

/** `tokenghp_…`, `app-ghp_…`: a token behind a word that nothing parts from it, with its prefix right before `at`, or from `at` on. */
const stuckTo = (text: string, from: number, at: number, next: number) => {
  if (at - from > longestGlued) return undefined
  const start = gluedBefore(text, at)
  const found = start > from && start >= next ? lookAt(text, start, true) : undefined
  return found === undefined ? undefined : { ...found, start }
}

const gluedBefore = (text: string, at: number): number => {
  if (text.charCodeAt(at) === 65 && (text.startsWith("AIza", at) || text.startsWith("AKIA", at))) return at
  const tail = headOf(text, at - 2)
  if (((heads[tail] as number) & ending) === 0) return -1
  const prefix = tails.get(tail)?.find((one) => text.startsWith(one, at - one.length))
  return prefix === undefined ? -1 : at - prefix.length
}

/** The whole value, where it is one token. */
export const tokenKind = (value: string): string | undefined => {
  const found = lookAt(value, 0, true)
  return found?.end === value.length ? found.kind : undefined
}

/** Calls `hit` for each token: only words of a token's length are looked at, and a look at every 16th character finds them all. */
export const findTokens = (text: string, hit: Hit, encoded = false): boolean => {
  const { length } = text
  let probe = shortest - 1
  let done = 0
  while (probe < length) {
    if (classAt(text, probe) === 0) {
      probe += shortest
      continue
    }
    let start = probe
    let digits = 0
    let seen = 0
    while (start > done) {
      const c = classAt(text, start - 1)
      if (c === 0) break
      digits += (c >> 2) & 1
      seen |= c
      start--
    }
    let end = probe
    for (let c = classAt(text, end); c !== 0; c = classAt(text, ++end)) {
      digits += (c >> 2) & 1
      seen |= c
    }
    const isLoud =
      digits > 1 && (seen & dash) !== 0 && ((seen & small) === 0 || text.charCodeAt(start - 1) === 92)
    if (isLoud && !ofLicence(text, start, end, hit)) return false
    if (end - start >= shortest && !isHash(text, start, end, seen)) {
      const from = withNumber(text, start)
      const found = inRun(text, from, end, digits > 1 || from < start, hit, encoded)
      if (found === -1) return false
      if (found > end) end = found
    }
    done = end
    probe = end + shortest
  }
  return true
}

/** Whether the search goes on behind a word of capitals. */
const ofLicence = (text: string, from: number, end: number, hit: Hit): boolean => {
  const start = text.charCodeAt(from - 1) === 92 ? from + 1 : from
  return !isLicence(text, start, end) || hit(start, end, "licence-key")
}

/** `123456789:AA…`: where the number begins that such a run needs to be a token, and that is too short to be one itself. */
const withNumber = (text: string, start: number): number => {
  if (text.charCodeAt(start - 1) !== 58) return start
  // `s:…`: what a server signed for a session.
  if (text.charCodeAt(start - 2) === 115 && (classAt(text, start - 3) & word) === 0) return start - 2
  if (text.charCodeAt(start) !== 65) return start
  let at = start - 1
  while (start - at < shortest && (classAt(text, at - 1) & digit) !== 0) at--
  return at === start - 1 ? start : at
}

const uuidDashes = [8, 13, 18, 23]

/** An id, a commit, a digest, the integrity of a package: by far the most of all long words. */
const isHash = (text: string, start: number, end: number, seen: number): boolean => {
  const next = text.charCodeAt(end)
  if ((seen & odd) === 0 && (seen & dash) !== 0)
    return end - start === 36 && uuidDashes.every((at) => text.charCodeAt(start + at) === 45)
  if ((seen & odd) === 0) return next !== 58 && next !== 124 && next !== 37
  return text.startsWith("sha512-", start) && end - start < 96
}

/** More words than that in one run are no tokens' doing. */
const maxStarts = 16

/** What each Base64 character stands for. */
const sextets = new Uint8Array(128).fill(64)
for (const [at, c] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].entries())
  sextets[c.charCodeAt(0)] = at
sextets[45] = 62
sextets[95] = 63

const isText = (byte: number): boolean =>
  (byte > 31 && byte < 127) || byte === 9 || byte === 10 || byte === 13

/** Whether the 16 characters from `at` on are the Base64 of text. */
export const startsEncoded = (text: string, at: number): boolean => {
  for (let group = at; group < at + 16; group += 4) {
    let value = 0
    for (let i = group; i < group + 4; i++) {
      const c = text.charCodeAt(i)
      const sextet = c < 128 ? (sextets[c] as number) : 64
      if (sextet === 64) return false
      value = (value << 6) | sextet
    }
    if (!isText(value >> 16) || !isText((value >> 8) & 255) || !isText(value & 255)) return false
  }
  return true
}

const inRun = (
  text: string,
  from: number,
  to: number,
  hasDigits: boolean,
  hit: Hit,
  encoded: boolean
): number => {
  let next = from
  let starts = 0
  for (let at = from; at < to - 8 && starts < maxStarts; at++) {
    if (at < next) continue
    const before = at === from ? 0 : classAt(text, at - 1)
    if (at > from && to - at > shortest && ((before & joint) !== 0 || text.charCodeAt(at) === 65)) {
      const stuck = stuckTo(text, from, at, next)
      if (stuck !== undefined) {
        if (!hit(stuck.start, stuck.end, stuck.kind)) return -1
        next = stuck.end
        continue
      }
    }
    if (at > from && (before & joint) === 0) continue
    if (at > from && text.charCodeAt(at - 1) === 45 && (classAt(text, at - 2) & word) !== 0) continue
    starts++
    const skip = at === from ? behindEscape(text, at) : at
    let found = skip === at ? undefined : lookAt(text, skip, hasDigits)
    let start = skip
    if (found === undefined) {
      start = at
      found = lookAt(text, at, hasDigits && starts < 4 && (at === from || to - at > 24))
    }
    if (found === undefined && hasDigits && at === from && to - at > 28) found = announced(text, at, to)
    if (encoded && to - at > 18 && (startsEncoded(text, at) || (skip !== at && startsEncoded(text, skip))))
      return hit(at, to, "encoded") ? to : -1
    if (found === undefined) continue
    if (!hit(start, found.end, found.kind)) return -1
    next = found.end
  }
  return next
}

/** A hash, however it is announced, is more often a name's than a secret. */
const plainHash = /^(?:[a-f0-9]{32}|[a-f0-9]{40}|[a-f0-9]{64})$/

const announced = (text: string, at: number, to: number): { end: number; kind: string } | undefined => {
  if (!isAnnounced(text, at, to)) return undefined
  const pattern = announcingPattern()
  pattern.lastIndex = at
  const found = pattern.exec(text)
  const body = found?.[1]
  if (found === null || body === undefined || at + found[0].length > to) return undefined
  // What pages carry for everybody: `pk_live_…`.
  if (/(?:^|_)pk_(?:live|test)_/.test(found[0])) return undefined
  if (plainHash.test(body) || isExample(found[0]) || (body.match(/\d/g)?.length ?? 0) < 3) return undefined
  return { end: at + found[0].length, kind: "token" }
}
