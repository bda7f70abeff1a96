/** Commands whose output is a secret: readers of files that hold nothing else, generators, stores of secrets. */
import { holdsBareSecret } from "./bareSecretFiles.ts"
import { secretName } from "./secretNames.ts"

/** What is printed: one value of any sort, one that nobody typed, or as many as there are. */
export type Printed = "value" | "made" | "many"

/** `sudo`, `docker exec …` and the like may stand before it, and a shell's quote. */
const start = String.raw`(?:^|[\s"'\x60(/\\])`
const name = String.raw`[\w./:@-]`
/** The rest of the command, up to an option. */
const rest = String.raw`[^\n]{0,300}?[\s"'=]`

const linesOf = (text: string): readonly string[] => text.trim().split("\n")

const generators = linesOf(String.raw`
mix (?:phx|phoenix|guardian)\.gen\.secret
openssl rand (?![^\n]{0,80}-out)
(?:rails|rake) secret(?![\w:])
artisan key:generate[^\n]{0,40}--show
wg gen(?:key|psk)
gpg2? [^\n]{0,60}--gen-random
(?:consul|serf|nomad operator gossip keyring) (?:keygen|generate)
vault operator generate-root -generate-otp
(?:head|tr|dd|cat|od|xxd|base64|strings|hexdump)[ \t][^\n]{0,80}?/dev/u?random
(?:apg|makepasswd|xkcdpass|diceware|passgen|genpass|keygen\.sh)(?:[ \t]|$)
(?:python|python3|node|ruby|php|perl|deno|bun|ghci|iex|elixir)[\d.]{0,4}[ \t][^\n]{0,200}(?:get_random_secret_key|secrets\.token_|Fernet\.generate_key|randomBytes|SecureRandom|random_bytes|secrets\.choice|strong_rand_bytes)
manage\.py generate_secret_key
(?:kubeadm (?:token (?:create|generate)|certs certificate-key)|(?:k3s|rke2|k0s) token create)
docker swarm (?:unlock-key|join-token)[^\n]{0,40}(?: -q|--quiet)
(?:elasticsearch-(?:create-enrollment-token|reset-password)|kibana-(?:encryption-keys|verification-code))
step (?:ca token|crypto rand)
nk -gen
ceph auth (?:get-key|print-key|get-or-create-key)
rclone reveal
`)

const stores = linesOf(String.raw`
ssm get-parameters?(?:-by-path)?(?![\w-])(?![^\n]{0,300}--query[ =]["']?\S{0,40}\b(?:ARN|Version|Name|Type|LastModifiedDate)\b)
secretsmanager get-(?:secret-value|random-password)(?![^\n]{0,300}--query[ =]["']?(?:ARN|Name|VersionId|CreatedDate|VersionStages))
aws [^\n]{0,80}\b(?:get-login-password|generate-db-auth-token|get-authorization-token|get-session-token|create-access-key|generate-data-key)
aws [^\n]{0,60}\bkms decrypt
aws configure get ${name}{0,40}(?:secret|token)
gcloud [^\n]{0,60}(?:secrets versions access|print-(?:access|identity)-token|generate-login-token)
az keyvault secret (?:show|set)(?![^\n]{0,300}--query[ =]["']?\[?(?:id|name|attributes|contentType|tags))
az (?:account get-access-token|acr (?:login[^\n]{0,60}--expose-token|credential)|[\w ]{0,40}(?:list-keys|keys (?:list|renew)|(?:show|list)-connection-string)|ad (?:sp|app) [\w -]{0,40}(?:create-for-rbac|credential reset))(?![^\n]{0,300}--query[ =]["']?\[?(?:id|name|username|appId|tenant|expiresOn))
(?:vault|bao) (?:kv get|read|write|token (?:create|lookup)|login|print token|unwrap)(?=[^\n]{0,200}(?:-field|-token-only|print token))(?![^\n]{0,200}-field[ =](?:\w{0,20}(?:user|name|host|port|url|email|path|version|ttl|region|policies|accessor)\w{0,12})(?![\w-]))
op read (?![^\n]{0,200}/(?:user|username|email|url|website|host\w{0,8}|port)["']?(?:\s|$))
op item get [^\n]{0,200}--(?:fields|otp)(?![ =]["']?(?:label=)?(?:user|username|email|url|title|notes))
bw (?:get (?:password|totp|notes)|(?:unlock|login)[^\n]{0,80}--raw|generate)
(?:go)?pass (?:show )?(?:-\w{1,3} ){0,3}(?!git|ls|list|insert|init|rm|edit|grep|find|generate|mv|cp|-)[\w.@-]{1,40}/(?![^\n]{0,100}/(?:user|username|email|login|url)(?:\s|$))
find-(?:generic|internet)-password ${rest}-\w{0,3}w
secret-tool lookup
keyring get
lpass show [^\n]{0,60}--(?:password|notes|field)
(?:dcli|dashlane|nordpass|keeper) (?:password|p|get|note)
keepassxc-cli (?:show|clip|generate)(?=[^\n]{0,120}(?:-a ?password|--attributes[ =]password|generate))
(?:chamber|credstash|teller|berglas|confidant|summon) (?:read|get|show|access)
doppler secrets get [^\n]{0,120}--(?:plain|raw)
infisical secrets get [^\n]{0,120}--(?:plain|silent|raw)
(?:kubectl|oc|k|kubecolor|microk8s) [^\n]{0,120}\bget [^\n]{0,40}secrets?\b(?=[^\n]{0,300}(?:jsonpath|go-template|custom-columns|base64|jq|yq|view-secret))(?![^\n]{0,300}\.(?:metadata|type\b))
(?:kubectl|oc) [^\n]{0,60}(?:view-secret|create token|whoami (?:-t|--show-token)|get-token)
sops ${rest}(?:-d|--decrypt|decrypt)(?=[^\n]{0,200}--extract)
(?:gpg2?|age|rage) ${rest}(?:-d|--decrypt|-qd|-dq)(?=[^\n]{0,200}(?:pass|secret|token|key|cred))
(?:gh|glab|fly|flyctl|heroku|doctl|railway|hcloud|cf|sf|argocd) (?:auth[ :]token|auth:token|tokens create|oauth-token|admin initial-password|account generate-token)
(?:npm|yarn|pnpm) token create
ibmcloud iam oauth-tokens
wp user (?:reset-password|create)[^\n]{0,120}--porcelain
manage\.py (?:drf_create_token|generate_token)
(?:consul|nomad) acl (?:bootstrap|token create)
minikube [^\n]{0,60}token
(?:composer|git)[ -]credential[ \w-]{0,20}(?:get|fill)
`)

/** Prints what is stored under the name that it is given. */
const named = new RegExp(
  String.raw`${start}(?:heroku config:get|(?:dokku|gigalixir|scalingo) ${name}{0,20}(?:config:get|env-get)|pulumi (?:config get|stack output)|(?:terraform|tofu|terragrunt) output(?: -raw| -json| -no-color){0,3}|netlify env:get|(?:git|npm|yarn|pnpm|composer|wp|gcloud|poetry|pip|drush|snap|juju|gh|glab|dvc|mlflow|airflow|bundle|vercel) (?:config|variables?|variable|secret)(?: (?:get|--get|--global|--list|get-value|set --show)){0,3}|snap get|doppler secrets get|infisical secrets get|crudini --get|printenv|xmllint[ \t]|echo|printf|Write-(?:Output|Host)|(?:docker|podman) (?:inspect|config)|(?:etcdctl|redis-cli|consul kv|zkCli\.sh) ?[^\n]{0,100}?\b(?:get|GET|HGET)|(?:rails|rake|artisan|tinker|manage\.py|wp) (?:runner|tinker|shell|eval)|(?:psql|mysql|mariadb|sqlite3|bq|duckdb)[ \t]|(?:node|python3?|ruby|php)[ \t]-[ceEpr])`
)
/** `$NAME`, `%NAME%`, `.data.password`, `db:password`, `config["key"]`, a word: the last one is what is printed. */
const lastName =
  /(?:\$env:|\$\{?|%|[.:[/"'\s,])([A-Za-z_][\w-]{2,60})%?\}?["'\])}]{0,4}(?: from [^\n]{0,200}|)[\s;"')}]*$/i
/** Of what `echo` says, only what a variable holds is a value. */
const echoed = /^\s*(?:sudo )?(?:echo|printf|Write-(?:Output|Host))[ \t]/i
const variable = /(?:\$env:|\$\{?|%)[A-Za-z_]\w{2,60}[%}]?["']?\s*$/

const reads = new RegExp(
  String.raw`${start}(?:cat|bat|batcat|less|more|head|tail|tac|type|gc|get-content|nl|strings|zcat|base64|xxd|od)[ \t]([^\n]{1,400})`,
  "i"
)
const plainWord = /^[a-z]+$/i
/** `jq -r '.data.password'`: the last name of the first query. */
const queried =
  /(?:^|\s)(?:jq|yq|dasel|gojq)[ \t][^\n.]{0,60}?\.(?:[\w\]["-]{1,60}\.){0,8}\[?"?([A-Za-z_][\w-]{2,60})"?\]?(?=["'\s|]|$)/
const words = /[^\s"'\x60<>()]{2,200}/g
const many = new RegExp(`${start}pwgen(?:[ \\t]|$)`)
let made: RegExp | undefined
const madePattern = (): RegExp => (made ??= new RegExp(`${start}(?:${generators.join("|")})`))
let stored: RegExp | undefined
const storedPattern = (): RegExp => (stored ??= new RegExp(`(?:${start})(?:${stores.join("|")})`))

/** What one simple command prints, without what comes behind its pipe. */
const printedBy = (command: string): Printed | undefined => {
  if (many.test(command)) return "many"
  if (madePattern().test(command)) return "made"
  if (storedPattern().test(command)) return "value"
  const files = reads.exec(command)?.[1]?.match(words)
  // Of several words most are a sentence's.
  if (files?.some(holdsBareSecret) === true && files.filter((file) => plainWord.test(file)).length < 2)
    return "value"
  const query = queried.exec(command)
  if (query !== null) return secretName(query[1] as string) === undefined ? undefined : "value"
  if (!named.test(command) || (echoed.test(command) && !variable.test(command))) return undefined
  const asked = lastName.exec(command)?.[1]
  return asked !== undefined && secretName(asked) !== undefined ? "value" : undefined
}

/** What only turns it into another writing, or takes a part of it. */
const filter =
  /^\s*(?:sudo )?(?:base64|tr|head|tail|jq|yq|cut|awk|gawk|sed|tee|cat|xxd|fold|grep|egrep|openssl (?:enc|base64)|gunzip|zcat|python3? -m json|column|less|more|xargs(?: echo)?|rev|paste|sort|shuf|out-string|select|%|\.|@|fmt|hexdump|od|perl -[np])(?![\w-])|^\s*[.@]/i
/** Says nothing itself. */
const silent =
  /^\s*(?:#.*|(?:cd|echo|export|set|source|\.|umask|clear|printf|sleep|true|:|unset|alias|pushd|popd|mkdir|chmod|touch|module|eval)(?:[ \t].*)?|\w+=\S*|\{|\}|do|done|then|fi|)\s*$/i
const intoFile = /(?<![\d&=<-])1?>{1,2}\s*(?!&|\/dev\/(?:stdout|stderr|tty))["']?[\w./~$]/
const within = /(?:\$\(|\x60)[^)\x60]*$/
const shows = /^\s*(?:sudo )?(?:echo|printf)[ \t]/

export interface Output {
  readonly printed: Printed
  /** Whether nothing else prints something besides it. */
  readonly alone: boolean
}

/** Where the substitution that a command stands in gives what it prints to another one. */
const isGivenAway = (command: string): boolean => {
  const open = command.search(/\$\(|(?<!\\)\x60/)
  return open > 0 && within.test(command.slice(0, open + 2)) && !shows.test(command)
}

interface Sequence {
  readonly text: string
  /** Parted by `|`. */
  readonly parts: readonly string[]
}

/** What `;`, `&&` and the like part outside of quotes, and each of those by its pipes. */
const sequencesOf = (line: string): readonly Sequence[] => {
  const sequences: Sequence[] = []
  let parts: string[] = []
  let start = 0
  let part = 0
  let quote = ""
  for (let at = 0; at <= line.length; at++) {
    const c = line.charAt(at)
    if (c === "\\") at++
    else if (quote !== "") quote = c === quote ? "" : quote
    else if (c === '"' || c === "'") quote = c
    const isEnd = at >= line.length
    if (!isEnd && (quote !== "" || !/[\n;&|]/.test(c))) continue
    const isPipe = c === "|" && line.charAt(at + 1) !== "|"
    if (c === "&" && line.charAt(at + 1) !== "&") continue
    parts.push(line.slice(part, at))
    if (!isPipe) {
      sequences.push({ text: line.slice(start, at), parts })
      parts = []
    }
    if (c === "&" || (c === "|" && !isPipe)) at++
    part = at + 1
    if (!isPipe) start = part
  }
  return sequences
}

/** A script in quotes, which another shell runs. */
const script =
  /(?:^|\s)(ssh|bash|zsh|sh|su|dash|vagrant|pwsh|powershell|docker|docker-compose|podman|kubectl|oc)[ \t][^"'\n]{0,200}(["'])([^\n]{4,500})\2\s*$/
/** Of these, what is in quotes may be an option as well. */
const runners = /^(?:docker|docker-compose|podman|kubectl|oc)$/

/** What each of these commands has in it, be it its own name, an option's, or that of what it asks for. */
const hint =
  /k(?:ey|eep)|p(?:ass|w|sk|aram|hrase|at\b)|s(?:e(?:cret|ed|ssion)|ops|alt|ig|ummon)|to(?:ken|tp)|c(?:ookie|red|ode|rypt|onnect|hamber|onfidant)|vault|r(?:and|eveal)|gen|a(?:pg|cl|uth)|d(?:ice|cli|ash)|\bop |b(?:w |earer|erglas)|lookup|teller|w(?:hoami|ords)|hmac|mnemonic/

/** What a line of a shell prints, or several lines of it. */
export const outputOf = (line: string): Output | undefined => (hints(line) ? outputOfAll(line) : undefined)

export const hints = (line: string): boolean => hint.test(line.toLowerCase())

const outputOfAll = (line: string): Output | undefined => {
  let printed: Printed | undefined
  let alone = true
  for (const { parts, text } of sequencesOf(line)) {
    const [first = "", ...filters] = parts
    const [, runner = "", , inner] = script.exec(first) ?? []
    const output = inner === undefined ? undefined : outputOf(inner)
    const isOwn = inner === undefined || runners.test(runner)
    const own = output?.printed ?? (isOwn ? printedBy(first) : undefined) ?? ofPipe(filters)
    const shown =
      own !== undefined &&
      !intoFile.test(text) &&
      !isGivenAway(first) &&
      filters.every((one) => filter.test(one))
    if (shown) printed ??= own
    if (shown ? output?.alone === false : !silent.test(text)) alone = false
  }
  return printed === undefined ? undefined : { printed, alone }
}

/** A query at the pipe's end: `… | jq -r .password`. */
const ofPipe = (filters: readonly string[]): Printed | undefined => {
  const query = filters.find((one) => /^\s*(?:jq|yq)\b/.test(one))
  return query === undefined ? undefined : printedBy(query)
}

/** First words of all of these, and of what they may stand behind, for a first look. */
const firstWords = new Set(
  (
    "sudo doas time env cd ssh vagrant docker docker-compose podman kubectl oc k microk8s.kubectl nix-shell bash sh zsh pwsh powershell npx bundle poetry " +
    "pipenv uv export set echo printf printenv cat bat batcat less more head tail tac type gc get-content nl strings zcat base64 xxd " +
    "od tr dd hexdump mix openssl rails rake php wg gpg gpg2 consul serf nomad vault bao apg makepasswd xkcdpass diceware passgen " +
    "genpass pwgen python python3 node ruby perl deno bun iex elixir manage.py kubeadm k3s rke2 k0s microk8s minikube step nk ceph " +
    "elasticsearch-create-enrollment-token elasticsearch-reset-password kibana-encryption-keys kibana-verification-code rclone aws " +
    "awslocal gcloud az op bw pass gopass security secret-tool keyring lpass dcli dashlane nordpass keeper keepassxc-cli chamber " +
    "credstash teller berglas confidant summon doppler infisical sops age rage gh glab fly flyctl heroku doctl railway hcloud cf " +
    "argocd npm yarn pnpm ibmcloud wp composer git dokku gigalixir scalingo pulumi terraform tofu terragrunt netlify vercel snap " +
    "juju crudini jq yq etcdctl redis-cli psql mysql mariadb sqlite3 drush write-output write-host artisan lxc multipass limactl " +
    "machinectl nsenter su runuser chroot kubecolor bin/rails keygen.sh"
  ).split(" ")
)
const escapedQuote = /\\+(["'/])/g
const lineEnd = /(?:\n|\\+(?:[nr]|u000[adAD]))[\s\S]*$/

const isWordChar = (c: number): boolean =>
  (c > 96 && c < 123) || (c > 44 && c < 58) || (c > 64 && c < 91) || c === 95

/** Whether the first word from `at` on is that of such a command, as it is of few. */
export const mayBegin = (text: string, at: number): boolean => {
  let start = at
  let end = at
  // By hand: it is asked of every command and behind every sign that a prompt may end with.
  for (const most = at + 80; end < most; end++) {
    const c = text.charCodeAt(end)
    if (!isWordChar(c)) break
    if (c === 47) start = end + 1
  }
  if (end === start) return false
  const word = text.slice(start, end)
  return firstWords.has(word) || (word !== word.toLowerCase() && firstWords.has(word.toLowerCase()))
}

/** Whether the command from `at` on may print a secret, also where the text around it is escaped: its first word says it of most. */
export const mayPrint = (text: string, at: number): boolean => {
  if (!mayBegin(text, at)) return false
  const line = text.slice(at, at + longestCommand)
  if (!line.includes("\\")) return outputOf(line.replace(lineEnd, "")) !== undefined
  const plain = line.replace(escapedQuote, "$1")
  return (
    outputOf(plain.replace(lineEnd, "")) !== undefined || outputOf(plain.replace(/\\+/g, "\\")) !== undefined
  )
}

/** Longer ones are scripts. */
export const longestCommand = 600
