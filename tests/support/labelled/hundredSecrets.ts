/** A hundred made-up secrets by kind, each in a text as people and tools write it. Made at run time, so that no file holds one. */

/** The same for a seed on every run. */
const dice = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const digits = "0123456789"
const hex = `${digits}abcdef`
const lower = "abcdefghijklmnopqrstuvwxyz"
const letters = `${lower}${lower.toUpperCase()}`
const word = `${letters}${digits}`
const urlSafe = `${word}-_`
const base64 = `${word}+/`
const salt = `${word}!@#$%^&*()-_ []{}<>~+=,.;:/?|`

/** What people make passwords of. */
const things =
  "walnut otter harbor trumpet meadow falcon cactus lantern pepper glacier biscuit rocket saffron walrus hammock pickle tundra velcro banjo comet".split(
    " "
  )
/** Of the list that phrases of wallets are made of. */
const phraseWords =
  "orbit velvet canyon puzzle lemon gadget anchor silver forest maple kingdom razor tunnel window pigeon jungle humble fabric dragon cradle biology whisper yellow zebra ocean noble museum liberty island hollow garden famous empower dolphin copper blanket artist winter violin upset talent ribbon quality prison oxygen mystery ladder journey harvest".split(
    " "
  )

export interface HiddenSecret {
  readonly kind: string
  /** As it is written somewhere. */
  readonly text: string
  readonly secret: string
}

/** `[text, secret, as the text has it]`: the secret stands where the text has `{}`. */
type Row = readonly [text: string, secret: string, written?: string]

/** One hundred of them; another seed gives the same texts with other secrets. */
export const hundredSecrets = (seed: number): readonly HiddenSecret[] => {
  const roll = dice(seed * 7919 + 17)
  const one = <A>(of: ArrayLike<A>): A => of[Math.floor(roll() * of.length)] as A
  const made = (length: number, alphabet = word): string =>
    Array.from({ length }, () => one(alphabet)).join("")
  const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
  const encoded = (text: string): string => Buffer.from(text).toString("base64")

  /** Passwords of people, from the careful to the careless. */
  const strong = (): string => `${made(6)}${one("!%*^")}${made(5)}${one("?+=~")}${made(4)}`
  const usual = (): string => `${capital(one(things))}-${capital(one(things))}${made(4, digits)}`
  const leet = (): string =>
    `${capital(one(things).replaceAll("o", "0"))}${one("!@#")}${one(things).replaceAll("e", "3")}${made(3, digits)}`
  const careless = (): string => `${one(things)}${one(things)}${made(3, digits)}`
  const plain = (): string => `${one(things)}${one(things)}${made(4, lower)}`
  const phrase = (words: number): string => Array.from({ length: words }, () => one(phraseWords)).join(" ")
  const lines = (many: number): string => Array.from({ length: many }, () => made(64, base64)).join("\n")
  const uuid = (): string => [8, 4, 4, 4, 12].map((length) => made(length, hex)).join("-")
  const segment = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")
  const pem = (label: string): string => `-----BEGIN ${label}-----\n{}\n-----END ${label}-----`
  const oneLine = (text: string): string => text.replaceAll("\n", "\\n")

  const keyOfService = lines(4)
  const kinds: Readonly<Record<string, readonly Row[]>> = {
    "tokens of vendors": [
      [
        "remote: Support for password authentication was removed, used {} instead",
        `github_pat_${made(22)}_${made(59)}`
      ],
      ["Cloning with {} as the deploy user ...", `glpat-${made(27, urlSafe)}.01.${made(9, lower)}`],
      [
        "bot started, connected to workspace acme with {}",
        `xoxb-${made(12, digits)}-${made(13, digits)}-${made(24)}`
      ],
      ["const stripe = new Stripe('{}')", `sk_${"live"}_51${made(97)}`],
      ["anthropic: using {} from keychain", `sk-${"ant"}-api03-${made(93, urlSafe)}AA`],
      [
        `<script src="https://maps.googleapis.com/maps/api/js?key={}&callback=initMap"></script>`,
        `AIza${"Sy"}${made(33, urlSafe)}`
      ],
      [
        `User name,Access key ID,Secret access key\nci-deploy,AKIA${made(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")},{}`,
        made(40, base64)
      ],
      [
        `{"customKeyIdentifier":null,"displayName":"ci","hint":"abc","secretText":"{}"}`,
        `${made(3)}8Q~${made(34, urlSafe)}`
      ],
      ["sgMail.setApiKey('{}')", `SG.${made(22, urlSafe)}.${made(43, urlSafe)}`],
      [
        'client.run("{}")',
        `${encoded(made(18, digits)).replaceAll("=", "")}.G${made(5, urlSafe)}.${made(38, urlSafe)}`
      ],
      [
        "Done! Congratulations on your new bot. Use this to access the HTTP API:\n{}\nKeep it safe",
        `${made(10, "123456789")}:AAH${made(32, urlSafe)}`
      ],
      ["twine upload -u __token__ dist/* # {}", `pypi-${"AgEIcHlwaS5vcmcC"}${made(150, urlSafe)}`],
      ["Success! You are now authenticated.\n{}", `hvs.CAES${made(90, urlSafe)}`],
      ["export default new LinearClient({ with: '{}' })", `lin_${"api"}_${made(40)}`],
      ["grafana: provisioned service account ci ({})", `glsa_${made(32)}_${made(8, hex)}`],
      ["New token for app shop:\nFlyV1 {}", `fm2_${made(160, base64)}`]
    ],
    assignments: [
      ["SMTP_HOST=smtp.example.com\nSMTP_USER=mailer\nSMTP_PASS={}\n", strong()],
      ['export SENTRY_AUTH_TOKEN="{}"', made(64, hex)],
      ["DATABASES = {'default': {'USER': 'shop', 'PASSWORD': '{}', 'HOST': 'db'}}", usual()],
      ['const apiSecret = "{}";', made(32)],
      ['    private static final String PASSWORD = "{}";', leet()],
      ["spring.datasource.username=shop\nspring.datasource.password={}", plain()],
      ['$env:API_TOKEN = "{}"', made(40)],
      ["set DB_PASSWORD={}", careless()],
      [`cfg := Config{User: "shop", Token: "{}", Timeout: 5}`, made(28)],
      ["mail = Net::SMTP.new(host)\nmail_password = ENV.fetch('MAIL_PASSWORD', '{}')", usual()]
    ],
    "JSON and YAML": [
      [
        `"ConnectionStrings": { "Default": "Server=sql01;Database=Shop;User Id=sa;Password={};Encrypt=true" }`,
        leet()
      ],
      [`{"client_id":"shop-web","client_secret":"{}","grant_type":"client_credentials"}`, made(36)],
      [
        "services:\n  db:\n    image: postgres:16\n    environment:\n      - POSTGRES_USER=shop\n      - POSTGRES_PASSWORD={}",
        careless()
      ],
      [
        `"environment": [{"name": "NODE_ENV", "value": "production"}, {"name": "DB_PASSWORD", "value": "{}"}]`,
        usual()
      ],
      [
        "        env:\n        - name: SMTP_PASSWORD\n          value: {}\n        - name: PORT\n          value: '80'",
        plain()
      ],
      ["vault_mail_user: mailer\nvault_mail_password: '{}'", strong()],
      [
        "apiVersion: v1\nkind: Secret\nstringData:\n  username: shop\n  password: |\n    {}\ntype: Opaque",
        usual()
      ],
      [
        `{\n  "registry": {\n    "host": "npm.example.com",\n    "accessToken": "{}",\n    "scopes": ["read"]\n  }\n}`,
        made(48)
      ]
    ],
    URLs: [
      ["DATABASE_URL=postgres://shop:{}@db.internal:5432/shop?sslmode=require", made(20)],
      ["mongoose.connect('mongodb+srv://shop:{}@cluster0.ab1cd.mongodb.net/shop')", careless()],
      ["git clone https://oauth2:{}@git.example.com/team/shop.git", made(26)],
      [
        `https://shop-exports.s3.eu-central-1.amazonaws.com/orders.csv?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20250301T101112Z&X-Amz-Expires=3600&X-Amz-SignedHeaders=host&X-Amz-Signature={}`,
        made(64, hex)
      ],
      [
        "https://shopdata.blob.core.windows.net/exports/orders.csv?sv=2022-11-02&se=2025-03-02T10%3A00%3A00Z&sr=b&sp=r&sig={}",
        `${made(20)}%2B${made(22)}%3D`
      ],
      [
        `curl -d '{"content":"deployed"}' https://discord.com/api/webhooks/${made(19, digits)}/{}`,
        made(68, urlSafe)
      ],
      [
        "Hi Jane,\nreset it here within the hour: https://shop.example.com/account/reset?token={}\nThe shop team",
        made(43, urlSafe)
      ],
      ["spring: url=jdbc:mysql://db.internal:3306/shop?user=shop&password={}&useSSL=false", usual()]
    ],
    "private keys": [
      [pem(`RSA PRIVATE ${"KEY"}`), lines(6)],
      [`$ cat ~/.ssh/id_ed25519\n${pem(`OPENSSH PRIVATE ${"KEY"}`)}`, lines(5)],
      [
        `{"type":"service_account","project_id":"shop","private_key":"${oneLine(pem(`PRIVATE ${"KEY"}`))}\\n","client_email":"ci@shop.iam.gserviceaccount.com"}`,
        keyOfService,
        oneLine(keyOfService)
      ],
      [
        `# created: 2025-03-01T10:11:12Z\n# public key: age1${made(58, "023456789acdefghjklmnpqrstuvwxyz")}\n{}`,
        `AGE-SECRET-${"KEY"}-1${made(58, "023456789ACDEFGHJKLMNPQRSTUVWXYZ")}`
      ],
      [
        "[Interface]\nAddress = 10.8.0.2/24\nPrivateKey = {}\n\n[Peer]\nAllowedIPs = 0.0.0.0/0",
        `${made(43, base64)}=`
      ]
    ],
    "files of tools": [
      ["machine git.example.com\n  login jane\n  password {}\n", careless()],
      ["db.internal:5432:shop:shop:{}", usual()],
      [
        `users:\n- name: admin\n  user:\n    client-certificate-data: ${made(80, base64)}\n    client-key-data: {}`,
        made(160, base64)
      ],
      [
        `"type": "aws_db_instance", "name": "shop", "instances": [{"attributes": {"address": "db.internal", "password": "{}", "port": 5432}}]`,
        strong()
      ],
      [
        "registry=https://npm.example.com/\n//npm.example.com/:_auth={}\nalways-auth=true",
        encoded(`ci:${made(16)}`)
      ],
      [`{"auths":{"registry.example.com":{"auth":"{}"}}}`, encoded(`ci:${made(20)}`)],
      ["[client]\nuser=root\npassword={}\nhost=localhost", leet()],
      [
        `[default]\naws_access_key_id = AKIA${made(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}\naws_secret_access_key = {}\nregion = eu-central-1`,
        made(40, base64)
      ]
    ],
    "XML and PHP": [
      [
        "<server>\n  <id>nexus</id>\n  <username>ci</username>\n  <password>{}</password>\n</server>",
        careless()
      ],
      [
        `<add name="Shop" connectionString="Data Source=sql01;Initial Catalog=Shop;User ID=shop;Password={};" />`,
        usual()
      ],
      [`<string name="api_secret">{}</string>`, made(32)],
      [
        `<bean id="ds" class="org.apache.commons.dbcp2.BasicDataSource">\n  <property name="username" value="shop"/>\n  <property name="password" value="{}"/>\n</bean>`,
        leet()
      ],
      ["define( 'DB_USER', 'wp' );\ndefine( 'DB_PASSWORD', '{}' );", strong()],
      ["return ['mailer' => ['host' => 'smtp.example.com', 'password' => '{}', 'port' => 587]];", usual()]
    ],
    "headers and cookies": [
      [
        "> GET /v1/orders HTTP/2\n> Host: api.example.com\n> Authorization: Bearer {}\n> Accept: */*",
        made(43)
      ],
      ["Authorization: Basic {}", encoded(`jane:${made(14)}`)],
      ["Cookie: theme=dark; lang=en; sessionid={}; consent=1", made(32, `${lower}${digits}`)],
      ["< Set-Cookie: connect.sid=s%3A{}; Path=/; HttpOnly; SameSite=Lax", `${made(32)}.${made(43)}`],
      [`curl -H "X-Vault-Token: {}" https://vault.example.com/v1/kv/data/shop`, uuid()],
      ["fetch(url, { headers: { 'Ocp-Apim-Subscription-Key': '{}' } })", made(32, hex)],
      ["proxy-authorization: Basic {}\r\nproxy-connection: keep-alive", encoded(`proxy:${made(12)}`)]
    ],
    "command lines": [
      ["mysql -h 10.2.0.4 -u shop -p{} shop < dump.sql", careless()],
      ["curl -sSf -u deploy:{} -T app.tgz https://nexus.example.com/repository/raw/app.tgz", usual()],
      ["sshpass -p '{}' scp build.tgz deploy@10.2.0.7:/srv", leet()],
      ["helm upgrade --install shop ./chart -n prod --set image.tag=1.4.2 --set db.password={}", careless()],
      [
        "kubectl create secret generic shop-db --from-literal=username=shop --from-literal=password={}",
        usual()
      ],
      ["openssl enc -d -aes-256-cbc -pbkdf2 -in dump.sql.enc -out dump.sql -pass pass:{}", plain()],
      [`az login --service-principal -u ${uuid()} -p {} --tenant ${uuid()}`, made(34, urlSafe)],
      ["echo '{}' | sudo -S systemctl restart nginx", leet()],
      ["smbclient //nas/backup -U backup%{} -c 'put dump.sql'", careless()]
    ],
    prose: [
      ["btw the staging db password is now {}, please don't change it again", usual()],
      ["You can log in on staging as admin / {} to see it.", leet()],
      ["Use {} as the API key for the sandbox.", made(32)],
      ["Das Passwort für den Testserver lautet {}", leet()],
      ["Here's the root password for the new box: {}", usual()],
      ["I've changed the wifi password to {} since the old one leaked.", careless()],
      ["login: jane@example.com pw: {}", usual()],
      ["The credentials for the ftp account are upload and {}", strong()],
      [
        "Can't scan it? Enter this setup key in your authenticator: {}",
        made(32, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
      ]
    ],
    "phrases of wallets": [
      ["my test wallet: {} (sepolia only)", phrase(12)],
      ['MNEMONIC="{}"\nRPC_URL=http://localhost:8545', phrase(24)]
    ],
    "keys of frameworks": [
      ["SECRET_KEY = 'django-insecure-{}'", made(50, `${lower}${digits}!@#$%^&*(-_=+)`)],
      ["production:\n  secret_key_base: {}", made(128, hex)],
      ["APP_NAME=Shop\nAPP_KEY=base64:{}\nAPP_DEBUG=false", `${made(43, base64)}=`],
      ["define('AUTH_KEY',         '{}');", made(64, salt)],
      ["NEXTAUTH_URL=https://shop.example.com\nNEXTAUTH_SECRET={}", `${made(43, base64)}=`]
    ],
    "random keys": [
      ["encryption:\n  algorithm: aes-256-gcm\n  encryptionKey: {}", made(64, hex)],
      ["JWT_SIGNING_KEY={}", made(48, urlSafe)],
      [`{"webhooks":{"url":"https://shop.example.com/hook","hmacKey":"{}"}}`, `${made(43, base64)}=`],
      ["FERNET_KEY = b'{}'", `${made(43, urlSafe)}=`]
    ],
    encoded: [
      ["kind: Secret\nmetadata:\n  name: shop-db\ndata:\n  password: {}\ntype: Opaque", encoded(usual())],
      ["echo {} | base64 -d > .env", encoded(`DB_HOST=db.internal\nDB_PASSWORD=${made(20)}\n`)],
      [
        "localStorage.auth = '{}'",
        `${segment({ alg: "HS256", typ: "JWT" })}.${segment({ sub: made(8, digits), iat: 1740000000 })}.${made(43, urlSafe)}`
      ]
    ]
  }
  return Object.entries(kinds).flatMap(([kind, rows]) =>
    rows.map(([text, secret, written = secret]) => ({
      kind,
      text: text.replace("{}", () => written),
      secret
    }))
  )
}

/** What must be nowhere of it: each half of a long line, for much of a secret is as good as all of it. */
export const piecesOf = (secret: string): readonly string[] =>
  secret.split("\n").flatMap((line) => {
    const half = line.length >> 1
    return line.length < 24 ? [line] : [line.slice(0, half), line.slice(half)]
  })
