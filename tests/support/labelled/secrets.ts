/** Secrets as they come up in an agent's work: [place, text, what must not be kept]. Made at run time, so that no file holds one. */
const lower = "abcdefghijklmnopqrstuvwxyz"
const hex = "0123456789abcdef"
const word = `${lower}${lower.toUpperCase()}0123456789`
const base = `${word}+/`

let state = 11
/** The same on every run. */
export const made = (length: number, alphabet = word): string => {
  let text = ""
  for (let n = 0; n < length; n++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    // A digit now and then, as in whatever was made at random.
    const from = alphabet !== lower && n % 7 === 3 ? "0123456789" : alphabet
    text += from[Math.floor((state / 4294967296) * from.length)]
  }
  return text
}

export type Planted = readonly [place: string, text: string, secret: string]

/** [what the token begins with, length, alphabet] */
const vendors: ReadonlyArray<readonly [string, number, string?]> = [
  ["ghp_", 36],
  ["gho_", 36],
  ["github_pat_", 60],
  ["glpat-", 20],
  ["npm_", 36],
  ["hf_", 34],
  ["sk_live_", 24],
  ["rk_test_", 24],
  ["whsec_", 32],
  ["xoxb-", 40],
  ["xapp-", 40],
  ["sk-ant-api03-", 80],
  ["sk-proj-", 60],
  ["AIza", 35],
  ["GOCSPX-", 28],
  ["ya29.", 60],
  ["dop_v1_", 64, hex],
  ["pypi-AgEIcHlwaS5vcmc", 120],
  ["hvs.", 90],
  ["dckr_pat_", 27],
  ["shpat_", 32, hex],
  ["shpss_", 32, hex],
  ["lin_api_", 40],
  ["ntn_", 46],
  ["secret_", 43],
  ["figd_", 40],
  ["gsk_", 52],
  ["pplx-", 48],
  ["xai-", 80],
  ["r8_", 37],
  ["dapi", 32, hex],
  ["glsa_", 41],
  ["glc_", 60],
  ["NRAK-", 27],
  ["ATATT3", 180],
  ["AGE-SECRET-KEY-1", 58, "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"],
  ["SG.", 66],
  ["SK", 32, hex],
  ["PMAK-", 59, hex],
  ["rubygems_", 48, hex],
  ["sntrys_", 64],
  ["pscale_tkn_", 43],
  ["tskey-auth-", 40],
  ["fo1_", 43],
  ["nvapi-", 64],
  ["sbp_", 40, hex],
  ["phx_", 43],
  ["pul-", 40, hex],
  ["dp.pt.", 43],
  ["nfp_", 40],
  ["CFPAT-", 43],
  ["doo_v1_", 64, hex],
  ["sqp_", 40, hex],
  ["key-", 32, hex],
  ["xkeysib-", 81, hex],
  ["LTAI", 20],
  ["AKIA", 16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"],
  ["waka_", 36],
  ["rnd_", 32],
  ["sgp_", 40, hex]
]

/** Places where such a token stands by itself. */
const around: ReadonlyArray<readonly [string, (value: string) => string]> = [
  ["sentence", (value) => `I am using ${value} from now on.`],
  ["header", (value) => `curl -H 'X-Api: ${value}' https://api.example.com/v1`],
  ["JSON", (value) => JSON.stringify({ note: `put ${value} there`, n: 1 })],
  ["environment", (value) => `export SERVICE=${value}`],
  ["log line", (value) => `2026-03-01T10:00:00Z ERROR auth failed for ${value} (401)`],
  ["list", (value) => `- ${value}\n- other`]
]

const alone = (): Planted[] =>
  vendors.map(([prefix, length, alphabet], nth) => {
    const value = prefix + made(length, alphabet ?? word)
    const [place, write] = around[nth % around.length] as (typeof around)[number]
    return [place, write(value), value]
  })

/** What a person would choose. */
const chosen = (): string => `${made(5, lower)}-${made(4)}!${made(2, hex)}`

/** Texts around what somebody chose or a generator made; each is given a new one. */
const named: ReadonlyArray<readonly [string, (value: string) => string]> = [
  ["environment", (v) => `DB_PASSWORD=${v}`],
  ["environment", (v) => `export REDIS_PASSWORD='${v}'`],
  ["environment", (v) => `SECRET_KEY_BASE=${v}${v}`],
  ["environment", (v) => `APP_SECRET="${v}"`],
  ["environment", (v) => `JWT_SECRET=${v}`],
  ["JSON", (v) => `{"password": "${v}"}`],
  ["JSON", (v) => `{"user":"me","client_secret":"${v}","n":1}`],
  ["JSON", (v) => `{"accessToken": "${v}1x"}`],
  ["JSON", (v) => JSON.stringify({ body: JSON.stringify({ password: v }) })],
  ["JSON pair", (v) => `[{"name": "DB_PASSWORD", "value": "${v}"}]`],
  ["JSON pair", (v) => `{"key":"API_SECRET","value":"${v}","type":"plain"}`],
  ["YAML", (v) => `database:\n  user: me\n  password: ${v}\n`],
  ["YAML", (v) => `client_secret: "${v}"`],
  ["YAML pair", (v) => `env:\n  - name: DB_PASSWORD\n    value: "${v}"\n`],
  ["URL", (v) => `postgres://me:${v}@db.example.com:5432/app`],
  ["URL", (v) => `postgres://me:p/${v}#1@db.example.com/app`],
  ["URL", (v) => `redis://:${v}@cache:6379/0`],
  ["URL", (v) => `mongodb+srv://me:a?${v}@cluster0.example.net/x`],
  ["URL", (v) => `git remote add o https://me:${v}@git.example.com/r.git`],
  ["command", (v) => `mysql -u root -p${v} app`],
  ["command", (v) => `curl -u me:${v} https://example.com`],
  ["command", (v) => `sshpass -p '${v}' ssh me@host`],
  ["command", (v) => `az login -p '${v}'`],
  ["command", (v) => `az login --password '${v}'`],
  ["command", (v) => `az login --service-principal -u app -p '${v}' --tenant t`],
  ["command", (v) => `az acr login -n registry -u app -p '${v}'`],
  ["command", (v) => `docker login -u me -p ${v} registry.example.com`],
  ["command", (v) => `redis-cli -h cache -a ${v} ping`],
  ["command", (v) => `htpasswd -nb me ${v}`],
  ["command", (v) => `app --password ${v} --verbose`],
  ["command", (v) => `app --client-secret=${v}`],
  ["command", (v) => `echo '${v}' | docker login --username me --password-stdin registry.example.com`],
  ["command", (v) => `echo "root:${v}" | chpasswd`],
  ["command", (v) => `echo 'me:${v}' | sudo chpasswd -e`],
  ["command", (v) => `vault login ${v}`],
  ["command", (v) => `PGPASSWORD=${v} psql -h db`],
  ["command", (v) => `openssl enc -aes-256-cbc -pass pass:${v} -in a -out b`],
  ["command", (v) => `mongosh --username me --password "${v}" db`],
  ["command", (v) => `aws configure set aws_secret_access_key ${v}${v}`],
  ["netrc", (v) => `machine api.example.com\n  login me\n  password ${v}\n`],
  ["netrc", (v) => `machine api.example.com login me password ${v}`],
  ["pgpass", (v) => `db.example.com:5432:app:me:${v}\n`],
  ["pgpass", (v) => `*:*:*:postgres:${v}`],
  ["PHP", (v) => `define('DB_PASSWORD', '${v}');`],
  ["PHP", (v) => `define( "AUTH_KEY", "${v}${v}" );`],
  ["PHP", (v) => `'password' => '${v}',`],
  ["XML", (v) => `<server><id>x</id><password>${v}</password></server>`],
  ["XML", (v) => `<user name="me" password="${v}"/>`],
  ["XML", (v) => `<add key="ClientSecret" value="${v}" />`],
  ["XML", (v) => `<dict><key>apiSecret</key>\n  <string>${v}</string></dict>`],
  ["properties", (v) => `spring.datasource.password=${v}`],
  ["properties", (v) => `connection=Server=db;Database=app;User Id=me;Password=${v};`],
  ["prose", (v) => `The password is ${v}, do not tell anybody.`],
  ["prose", (v) => `Password for root: ${v}`],
  ["prose", (v) => `Password for me@db.example.com: ${v}`],
  ["prose", (v) => `the admin password was changed to ${v}`],
  ["prose", (v) => `Das Passwort lautet ${v}`],
  ["prose", (v) => `passphrase: ${v}`],
  ["prose", (v) => `My api key is ${v}`],
  ["code", (v) => `const password = "${v}"`],
  ["code", (v) => `client = Client(api_key="${v}", timeout=3)`],
  ["code", (v) => `config.secret_token = '${v}'`],
  ["code", (v) => `db.connect({ host, password: '${v}' })`],
  ["code", (v) => `os.environ["DB_PASSWORD"] = "${v}"`],
  ["INI", (v) => `[client]\nuser = me\npassword = ${v}\n`],
  ["INI", (v) => `requirepass ${v}\nport 6379`],
  ["escapes", (v) => `pass\\u0077ord=${v}`],
  ["escapes", (v) => `DB_PASSWORD%3D${v}`],
  ["escapes", (v) => `password=&quot;${v}&quot;`]
]

const pem = (lines: number): string[] => Array.from({ length: lines }, () => made(64, base))

/** What has a form of its own. */
const formed = (): Planted[] => {
  const key = pem(6)
  const cookie = made(40)
  const session = made(32, hex)
  const signature = made(64, hex)
  const webhook = `T${made(8, "ABCDEFGH")}/B${made(8, "ABCDEFGH")}/${made(24)}`
  const token = made(40)
  const kube = Buffer.from(`${made(24)}!`).toString("base64")
  const client = made(200, base)
  const basic = Buffer.from(`me:${made(14)}`).toString("base64")
  const jwt = ['{"alg":"HS256","typ":"JWT"}', '{"sub":"1234567890"}']
    .map((part) => Buffer.from(part).toString("base64url"))
    .concat(made(43))
    .join(".")
  const state = made(20)
  const phrase = "abandon ability lizard thunder coral jungle velvet pyramid oxygen quantum walnut zebra"
  const hidden = Buffer.from(`{"password":"${made(16)}"}`).toString("base64")
  const end = `-----END RSA PRIVATE ${"KEY"}-----`
  const begin = `-----BEGIN RSA PRIVATE ${"KEY"}-----`
  return [
    ["PEM", `${begin}\n${key.join("\n")}\n${end}`, key[3] as string],
    ["PEM", `${begin}\n${key.slice(0, 4).join("\n")}`, key[1] as string],
    ["PEM", `${key.slice(2).join("\n")}\n${end}`, key[4] as string],
    ["PEM", JSON.stringify({ key: `${begin}\n${key.join("\n")}\n${end}\n` }), key[2] as string],
    ["cookie", `Cookie: theme=dark; session=${cookie}`, cookie],
    ["cookie", `Set-Cookie: sessionid=${session}; Path=/; HttpOnly`, session],
    ["cookie", JSON.stringify({ Cookie: `sid=${cookie}; lang=en` }), cookie],
    ["cookie", `curl -b 'auth_token=${cookie}' https://example.com`, cookie],
    ["header", `Authorization: Bearer ${token}`, token],
    ["header", `Authorization: Basic ${basic}`, basic],
    ["header", `-H "X-Api-Key: ${token}"`, token],
    ["header", `PRIVATE-TOKEN: ${token}`, token],
    ["header", `using ${jwt} here`, jwt],
    ["signed URL", `https://x.blob.core.windows.net/c/f?sv=2024-01-01&sig=${token}%3D&se=2026`, token],
    [
      "signed URL",
      `https://b.s3.amazonaws.com/f?X-Amz-Date=20260101T000000Z&X-Amz-Signature=${signature}`,
      signature
    ],
    ["signed URL", `https://storage.googleapis.com/b/f?X-Goog-Signature=${signature}${signature}`, signature],
    ["signed URL", `https://example.com/api?key=${token}&v=3`, token],
    ["signed URL", `https://example.com/cb?access_token=${token}`, token],
    ["webhook", `https://hooks.slack.com/services/${webhook}`, webhook],
    ["webhook", `https://discord.com/api/webhooks/123456789012345678/${token}${token}`, token],
    [".npmrc", `//registry.example.com/:_authToken=${token}`, token],
    [".npmrc", `//registry.example.com/:_password=${basic}`, basic],
    [".npmrc", `npm config set //registry.example.com/:_authToken ${token}`, token],
    ["kubeconfig", `users:\n- name: me\n  user:\n    client-key-data: ${client}\n`, client],
    ["kubeconfig", `users:\n- name: me\n  user:\n    token: ${jwt}\n`, jwt],
    ["Kubernetes", `apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  url: ${kube}\n`, kube],
    [
      "tfstate",
      `{"resources":[{"type":"random_password","instances":[{"attributes":{"length":20,"result":"${state}"}}]}]}`,
      state
    ],
    ["tfstate", `{"attributes":{"username":"me","password":"${state}"}}`, state],
    ["mnemonic", `mnemonic: ${phrase}`, "thunder coral jungle"],
    ["mnemonic", `My seed phrase is "${phrase}"`, "pyramid oxygen"],
    ["Base64", `echo ${hidden} | base64 -d`, hidden],
    ["hash", `root:$6$${made(16)}$${token}${token}:19000:0:99999:7:::`, token],
    [
      "AWS",
      `[default]\naws_access_key_id = AKIA${made(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}\naws_secret_access_key = ${token}`,
      token
    ],
    ["docker", JSON.stringify({ auths: { "registry.example.com": { auth: basic } } }), basic]
  ]
}

export const plantedSecrets = (): readonly Planted[] => {
  state = 11
  return [
    ...alone(),
    ...named.map(([place, write]): Planted => {
      const value = chosen()
      return [place, write(value), value]
    }),
    ...formed()
  ]
}
