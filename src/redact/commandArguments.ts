/** Commands that take a secret as an argument whose place, not its name, tells what it is: `cargo login …`, `gh secret set X --body …`. */
import { deviceSettings } from "./deviceSettings.ts"
import type { Line } from "./linesWith.ts"
import { looksRandom, looksSecret, secretName } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { placesOf, type Sign, signOf } from "./signs.ts"

export interface Command {
  /** A word of the command: without it, the pattern is not tried. */
  readonly word: string
  /** The command up to the secret, which follows it. */
  readonly before: string
  readonly kind: string
  /** It takes a key, where a word may stand as well. */
  readonly made?: true
  /** What stands before the sign of equality has to announce a secret, or the value to have digits as what is made has. */
  readonly named?: true
  /** What a value is not, although it stands there. */
  readonly not?: RegExp
}

const argument = String.raw`(?:\\*"[^"\n]{1,200}"|\\*'[^'\n]{1,200}'|[^\s"'|;&<>]{1,200})[ \t]{1,4}`
/** Options, each with what it takes or without. */
const options = String.raw`(?:--?[A-Za-z][\w:-]{0,40}(?:=\S{1,200})?[ \t]{1,4}(?:${argument})??){0,4}?`
/** The rest of the command up to an option. */
const rest = String.raw`[^\n|;&]{0,300}?[ \t]`

const commands: readonly Command[] = [
  {
    word: "login",
    before: String.raw`\b(?:cargo|wandb|railway|flyctl|fly|snyk|doctl|sentry-cli|huggingface-cli|hf|infisical|pulumi|turso|comet|expo|eas|netlify|vercel|neonctl|supabase|cachix|modal|replicate|bw)[ \t]{1,4}(?:auth[ \t]{1,4})?login[ \t]{1,4}${options}`,
    kind: "token",
    made: true
  },
  {
    word: "auth",
    before: String.raw`\b(?:snyk|flyctl|fly|doctl|cachix|ngrok|tb|copilot|xata|prisma)[ \t]{1,4}(?:config[ \t]{1,4})?(?:auth(?:[ \t]{1,4}(?:init|token|key))?|authtoken|add-authtoken)[ \t]{1,4}${options}`,
    kind: "token",
    made: true
  },
  {
    word: "bw ",
    before: String.raw`\bbw[ \t]{1,4}(?:unlock|login[ \t]{1,4}[^\s@]{3,100}@[^\s@]{3,100})[ \t]{1,4}`,
    kind: "password"
  },
  {
    word: "rabbitmqctl",
    before: String.raw`\brabbitmqctl[ \t]{1,4}${options}(?:add_user|change_password|authenticate_user)[ \t]{1,4}${argument}`,
    kind: "password"
  },
  {
    word: "nmcli",
    before: String.raw`\bnmcli[ \t]${rest}(?:password|(?:wifi-sec|802-11-wireless-security)\.psk|802-1x\.password|vpn\.secrets)[ \t]{1,4}`,
    kind: "password"
  },
  { word: "wpa_passphrase", before: String.raw`\bwpa_passphrase[ \t]{1,4}${argument}`, kind: "password" },
  {
    word: "mc ",
    before: String.raw`\bmc[ \t]{1,4}(?:alias[ \t]{1,4}set|config[ \t]{1,4}host[ \t]{1,4}add)[ \t]{1,4}${options}${argument}${argument}${argument}`,
    kind: "secret"
  },
  {
    word: " config",
    before: String.raw`\b(?:composer|poetry)[ \t]{1,4}config[ \t]{1,4}${options}(?:http-basic\.\S{1,200}[ \t]{1,4}${argument}|(?:github-oauth|gitlab-oauth|gitlab-token|bitbucket-oauth|bearer|forgejo-token|pypi-token)\.\S{1,200}[ \t]{1,4})`,
    kind: "password"
  },
  {
    word: "bundle",
    before: String.raw`\bbundle[ \t]{1,4}config[ \t]{1,4}(?:set[ \t]{1,4})?(?:--?\w{1,20}[ \t]{1,4}){0,3}\S{3,200}[ \t]{1,4}[\w.@-]{1,60}:(?!\/\/)(?=\S{0,200}\d)`,
    kind: "password"
  },
  {
    word: " secret",
    before: String.raw`\b(?:gh|glab|az|eas|wrangler|infisical|fly|flyctl|gcloud|docker|podman|vercel)[ \t]{1,4}(?:[\w-]{1,30}[ \t]{1,4}){0,2}?(?:secrets?|variable)[ :]${rest}--(?:body|value)[ =]`,
    kind: "secret"
  },
  {
    word: " secret",
    before: String.raw`\b(?:gh|glab)[ \t]{1,4}(?:secrets?|variable)[ ]${rest}-[bv](?:[ \t]{1,4}|(?=["']))`,
    kind: "secret"
  },
  {
    word: "<<<",
    before: String.raw`\b(?:(?:gh|glab|wrangler|fly|flyctl|docker|podman|gcloud|vercel|doppler|heroku)[ \t][^\n|;&<]{0,60}\b(?:secrets?|env)[ \t:](?:set|put|add|create|versions add)[^\n|;&<]{1,200}|(?:kinit|cryptsetup|smbpasswd|gocryptfs)\b[^\n|;&<]{0,200})<<<[ \t]{0,4}`,
    kind: "secret"
  },
  {
    word: "put-parameter",
    before: String.raw`\bput-parameter[ \t](?=[^\n|;&]{0,400}SecureString)${rest}?--value[ =]`,
    kind: "secret"
  },
  {
    word: "secretsmanager",
    before: String.raw`\bsecretsmanager[ \t]${rest}--secret-string[ =]`,
    kind: "secret"
  },
  {
    word: "eas",
    before: String.raw`\beas[ \t]{1,4}(?:secret|env):create[ \t]${rest}?--value[ =]`,
    kind: "secret"
  },
  {
    word: "--from-literal",
    before: String.raw`--from-literal[ =][\w.-]{1,60}=`,
    kind: "secret",
    named: true
  },
  {
    word: "secret",
    before: String.raw`\b(?:vault|bao)[ \t]{1,4}(?:kv[ \t]{1,4}(?:put|patch)|write)[ \t]${rest}?(?:value|secret_id|secret|key|password|token|pass|pw)=`,
    kind: "secret"
  },
  { word: "sqlplus", before: String.raw`\bsqlplus[ \t](?:${rest})?[\w$#]{1,30}\/`, kind: "password" },
  { word: "xfreerdp", before: String.raw`\bxfreerdp[ \t]${rest}?\/p:`, kind: "password" },
  { word: "signtool", before: String.raw`\bsigntool(?:\.exe)?[ \t]${rest}?\/p[ \t]{1,4}`, kind: "password" },
  {
    word: "net user",
    before: String.raw`\bnet user[ \t]{1,4}(?!\/)[\w.-]{1,40}[ \t]{1,4}(?![/*])`,
    kind: "password"
  },
  {
    word: "net use",
    before: String.raw`\bnet use[ \t]{1,4}(?:[A-Za-z*]:?[ \t]{1,4})?\\\\\S{3,200}[ \t]{1,4}(?:\/user:\S{1,60}[ \t]{1,4})?(?![/*])`,
    kind: "password"
  },
  {
    word: "snyk config",
    before: String.raw`\bsnyk[ \t]{1,4}config[ \t]{1,4}set[ \t]{1,4}api=`,
    kind: "token"
  },
  {
    word: "user-secrets",
    before: String.raw`\bdotnet[ \t]{1,4}user-secrets[ \t]{1,4}set[ \t]{1,4}${options}\\*["']?[\w:.-]{0,60}[kK]ey\\*["']?[ \t]{1,4}`,
    kind: "secret"
  },
  {
    // A shell's `PGPASSWORD='…' psql`: several words, which people choose for a password.
    word: "ASS",
    before: String.raw`\b[A-Z][A-Z\d_]{0,40}(?<=PASSWORD|PASSPHRASE|PASSWD|PASS)=(?<=(?:^|[\n;&]|\b(?:export|env|sudo|-e)[ \t])[ \t]{0,8}\w{1,60}=)(?=\\*["'][^"'\n]{0,200}[ \t])`,
    kind: "password",
    not: /pass(?:word|phrase|wd)?\b|passwort|\b(?:secret|token|key|enter|required?|must|invalid|wrong|your|please|characters?|change|prompt|see|set|use)\b/i
  },
  // A property of a build, which may hold several words.
  ...["assphrase=", "assword=", "asswd="].map(
    (word): Command => ({
      word,
      before: String.raw`[ \t]-[DP][\w.-]{0,60}[pP]${word}(?=\\*["'])`,
      kind: "password"
    })
  ),
  ...["echo", "printf"].map(
    (word): Command => ({
      word: `<(${word}`,
      before: String.raw`(?:-p|private-key|preshared-key|pass(?:word|phrase)?(?:-file)?|secret(?:-file)?|token(?:-file)?|key(?:-?file)?)[ =]{1,3}<\(${word}[ \t]{1,4}(?:-\w{1,3}[ \t]{1,4}|\\*["']?%s(?:\\*n)?\\*["']?[ \t]{1,4})?`,
      kind: "secret"
    })
  ),
  ...["ACL SETUSER", "acl setuser"].map(
    (word): Command => ({
      word,
      before: String.raw`[ \t]\\*["']?>(?<=\b${word}[ \t][^\n]{0,300}>)`,
      kind: "password"
    })
  ),
  {
    word: "rclone",
    before: String.raw`\brclone[ \t]{1,4}config[ \t]{1,4}(?:create|update|password)[ \t]${rest}?(?:pass2?|password|secret_access_key|token|key|client_secret)[ =]`,
    kind: "password"
  },
  {
    word: "encrypt_string",
    before: String.raw`\bansible-vault[ \t]{1,4}encrypt_string[ \t]{1,4}${options}(?!-)`,
    kind: "secret"
  },
  {
    word: "secrets set",
    before: String.raw`\b[A-Z]\w{1,60}=(?<=\b(?:fly|flyctl)[ \t][^\n|;&]{0,60}\bsecrets[ \t]{1,4}set[ \t][^\n|;&]{0,400}=)`,
    kind: "secret",
    named: true
  },
  ...["mkpasswd", "openssl passwd", "reset-admin-password", "sysadminctl"].map(
    (word): Command => ({
      word,
      before: String.raw`\b${word}[ \t]{1,4}(?:-\w{1,12}(?:[ =](?:sha-?\d+|md5|yescrypt|bcrypt))?[ \t]{1,4}){0,3}(?!-)`,
      kind: "password"
    })
  ),
  { word: "influx", before: String.raw`\binflux[ \t]${rest}-t[ \t]{1,4}`, kind: "token", made: true },
  {
    word: "sops",
    before: String.raw`\bsops[ \t]${rest}--(?:pgp-key|age-key)[ =]`,
    kind: "secret",
    made: true
  },
  ...deviceSettings
]

const value = String.raw`(?:\\*"([^"\n\\]{4,512})\\*"|\\*'([^'\n\\]{4,512})\\*'|([^\s"'\\|;&<>‹\x60]{4,512}))`

/** A key that was made at random is long and has a digit; so may a hash be, where a command takes one for its key. */
const long = String.raw`(?=\\*["']?[\w.~+/=:-]{16})(?=\S{0,64}\d)`

interface Read extends Command {
  readonly pattern: RegExp
}
const read = new Map<Command, Read>()
const readOf = (command: Command): Read => {
  let made = read.get(command)
  if (made === undefined) {
    made = { ...command, pattern: new RegExp(command.before + (command.made ? long : "") + value, "g") }
    read.set(command, made)
  }
  return made
}

const signs: ReadonlyMap<string, Sign> = new Map(
  [...new Set(commands.map(({ word }) => word))].map((word) => [word, signOf(word)])
)

const lastName = /([\w.-]{1,60})=\\{0,8}["']?$/

const isNoSecret = (text: string): boolean =>
  /^(?:[$<*{‹[%`@]|\.{3}|x{3,}$|file:|fileb:|your[-_]|my[-_]|-)/i.test(text) ||
  /^(?:stdin|true|false|null|none|prompt|\d{1,3})$/i.test(text)

/** What is stored under a name that announces nothing: a setting, unless nobody typed it. */
const isSetting = (name: string, value: string): boolean =>
  secretName(name) === undefined &&
  !looksRandom(value) &&
  (!/\d\D*\d/.test(value) || !/[A-Za-z]/.test(value) || setting.test(value))
/** A host, a path, a version, a word with a number behind. */
const setting = /^[\w-]*[./:][\w./:-]*$|^[A-Za-z]+[-_]?\d{1,3}$/

/** Stores what comes through a pipe as a secret, or unlocks something with it. */
const piped =
  /\b(?:echo|printf)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4})?(?:\\*["']?%s(?:\\*n)?\\*["']?[ \t]{1,4})?(?:\\*["']?([^\s"'|\\‹$]{4,512})\\*["']?|'([^'\n]{4,512})'|\\*"([^"\n\\$]{4,512})\\*")[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4}|npx[ \t]{1,4}|docker exec -i \S{1,60}[ \t]{1,4}){0,2}(?:(?:gh|wrangler|docker|podman|gcloud|fly|flyctl|firebase|az|doppler|supabase|vercel|netlify|glab|op|pass|modal|heroku|railway)[ \t][^\n|;&]{0,40}\b(?:secrets?|env|variable|insert)(?:[ \t:]{1,4}(?:(?:add|set|create|update|put)[ \t]{1,4}([\w-]{1,60}))?|$)|kinit\b|cryptsetup\b|smbpasswd\b|passwd[ \t]|gpg[ \t][^\n|;&]{0,80}--passphrase-fd|gocryptfs|veracrypt|secret-tool|security[ \t])/g

/** The lines that a word stands in, of which its command is one. */
function* linesOf(text: string, places: readonly number[]): Generator<Line> {
  let end = -1
  for (const place of places) {
    if (place < end) continue
    const next = text.indexOf("\n", place)
    end = next === -1 ? text.length : next
    yield { start: Math.max(0, text.lastIndexOf("\n", place)), end }
  }
}

const inLine = (line: string, { kind, named, not, pattern }: Read, hit: Hit): void => {
  for (const found of line.matchAll(pattern)) {
    const secret = found[1] ?? found[2] ?? found[3] ?? ""
    if (isNoSecret(secret) || not?.test(secret)) continue
    const at = found[0].lastIndexOf(secret)
    const name = named && lastName.exec(found[0].slice(0, at))?.[1]
    if (named && isSetting(name ?? "", secret)) continue
    const start = found.index + at
    hit(start, start + secret.length, tokenKind(secret) ?? kind)
  }
}

export const findArguments = (text: string, hit: Hit): void => {
  for (const command of commands) {
    const places = placesOf(text, signs.get(command.word) as Sign)
    if (places.length === 0) continue
    const read = readOf(command)
    for (const { start, end } of linesOf(text, places))
      inLine(text.slice(start, end), read, (from, to, kind) => hit(start + from, start + to, kind))
  }
  if (!text.includes("|")) return
  for (const found of text.matchAll(piped)) {
    const secret = found[1] ?? found[2] ?? (found[3] as string)
    if (isNoSecret(secret)) continue
    if (!/\s/.test(secret) && !looksSecret("password", "password", secret, "tight", undefined)) continue
    const name = /\b(?:env|variable)[ \t]/.test(found[0]) ? found[4] : undefined
    if (name !== undefined && isSetting(name, secret)) continue
    const start = found.index + found[0].indexOf(secret, 4)
    hit(start, start + secret.length, tokenKind(secret) ?? "secret")
  }
}
