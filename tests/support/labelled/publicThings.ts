/** What stands where secrets stand and is none: sealed values, references, public keys, digests, names, code and sentences about secrets. */
import { made } from "./secrets.ts"

const sorts: Readonly<Record<string, () => string>> = {
  any: () => made(40),
  sealed: () => `AgB${made(300)}+/=`,
  public: () => `pk_live_${made(80)}`,
  testing: () => `pk_test_${made(24)}`,
  hex: () => made(32, "0123456789abcdef"),
  longhex: () => made(40, "0123456789abcdef"),
  long: () => made(64, "0123456789abcdef"),
  base: () => `${made(43)}=`,
  vapid: () => `B${made(86)}`,
  kms: () => `AQICAH${made(160)}==`,
  uuid: () => [8, 4, 4, 4, 12].map((length) => made(length, "0123456789abcdef")).join("-")
}

const texts = String.raw`
kind: SealedSecret
metadata:
  name: billing
spec:
  encryptedData:
    password: {sealed}
    api_key: {sealed}
%
{"kind":"SealedSecret","spec":{"encryptedData":{"token":"{sealed}"}}}
%
{ "name": "Stripe__SecretKey", "value": "@Microsoft.KeyVault(SecretUri=https://kv.vault.azure.net/secrets/stripe/)" }
%
DB_PASSWORD=@Microsoft.KeyVault(VaultName=kv;SecretName=db-password)
%
gcloud run deploy shop --update-secrets=STRIPE_KEY=projects/719302285514/secrets/stripe-key:latest
%
API_KEY: projects/shop-prod2/secrets/api-key/versions/3
%
DB_PASSWORD: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbC123
%
password: arn:aws:ssm:eu-west-1:123456789012:parameter/prod/db2
%
"valueFrom": "arn:aws:secretsmanager:eu-west-1:123456789012:secret:app-Xy12Zw:password::"
%
DB_PASSWORD=op://prod/db/password
%
token: vault:secret/data/app#token2
%
password: ref+awsssm://prod/db/password1
%
password: ENC[AES256_GCM,data:{any},iv:{base},tag:{hex},type:str]
%
secretKeyRef:
  name: db-credentials2
  key: password
%
stripe = loadStripe('{public}')
%
NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY={public}
%
publishableKey: "{testing}"
%
Sentry.init({ dsn: "https://{hex}@o12345.ingest.sentry.io/67890" })
%
applicationServerKey: '{vapid}'
%
VAPID_PUBLIC_KEY={vapid}
%
vapidPublicKey: "{vapid}",
%
        checksum/secret: {long}
%
checksum/config: {long}
%
password:  24 bytes
%
Data
====
password:  24 bytes
username:  5 bytes
token:     1024 bytes
%
"CiphertextBlob": "{kms}"
%
kms_encrypted_password: {kms}
%
payload: {kms}
%
integrity sha512-{any}{any}aaaaaa==
%
"integrity": "sha256-{base}"
%
{"kty":"RSA","n":"{any}{any}","e":"AQAB","kid":"key-2026","use":"sig"}
%
"kid": "{longhex}"
%
SHA256:{base} ops@host (ED25519)
%
key fingerprint: {longhex}
%
KeyId: {uuid}
%
key_id = "{hex}"
%
{"keyName":"key1","permissions":"FULL","creationTime":"2026-01-01T00:00:00Z"}
%
{"keyName": "orders-index2", "value": "asc"}
%
{"encoded": "gzip, br2"}
%
{"encoded": "hello%20world2"}
%
accounts: ["0x{longhex}"]
%
accounts: ["{longhex}"]
%
"transactionHash": "0x{long}"
%
txHash: "0x{long}",
%
{"columns": ["id", "user", "password_changed_at"], "rows": [[1, "ops", "2026-01-01"]]}
%
{"columns": ["token", "count"], "rows": [["return", 12], ["if", 7]]}
%
{"columns": ["id", "password"], "rows": [[1, null], [2, ""]]}
%
ParameterKey=DbPassword,UsePreviousValue=true
%
ParameterKey=InstanceType,ParameterValue=t3.large2
%
{"ParameterKey": "PasswordLength", "ParameterValue": "24"}
%
[{"name": "theme", "value": "dark-mode-2", "domain": "example.com"}]
%
{"name": "session_timeout", "value": "30m"}
%
literals:
  - LOG_LEVEL=debug2
  - REGION=eu-west-1
%
pepper: "2 tsp, freshly ground"
%
ingredients: salt, pepper, 200 g flour
%
add salt and pepper 2 times
%
salt: 10 rounds
%
const salt = await bcrypt.genSalt(10)
%
salt_length = 16
%
config.pepper = ENV["DEVISE_PEPPER"]
%
config.pepper = nil
%
pass: 12 tests
%
  pass: true
%
tests: 14 pass, 0 fail
%
first_pass = "tokenize"
%
second_pass: "optimize-2"
%
render_pass = "shadow-map-1"
%
boarding_pass: "seat 12A"
%
bypass = "/health2"
%
compass: "N 45"
%
NEO4J_AUTH=none
%
NEO4J_AUTH: neo4j/$NEO4J_PASSWORD
%
BASIC_AUTH=enabled
%
AUTH_PATH: auth/login2
%
GITHUB_AUTH: owner/repo-2
%
set :db_password, ENV["DB_PASSWORD"]
%
set :deploy_token, fetch(:token)
%
set :password, "password"
%
set :deploy_to, "/var/www/app2"
%
storePassword System.getenv("STORE_PASSWORD")
%
storePassword keystoreProperties['storePassword']
%
encrypt:
  key: ${"$"}{ENCRYPT_KEY}
%
encrypt:
  enabled: true
  key-store: keys/app2.jks
%
cookie:
  key: session_id
%
session:
  key: sid
%
cookie: { key: 'sid', secure: true }
%
session:
  key: _app_session2
%
'crypt' => ['key' => env('CRYPT_KEY')],
%
cache:
  key: node-modules-{longhex}
%
cache: { key: "{long}" }
%
- uses: actions/cache@v4
  with:
    key: Linux-build-{long}
%
storage:
  key: uploads/2026/report-2.pdf
%
session_cache:
  key: user:1234:profile
%
{"object": {"key": "{any}", "size": 12}}
%
{"Bucket":"b","Key":"{hex}"}
%
index: { key: { email: 1 }, name: "email_1" }
%
chpasswd:
  expire: false
%
chpasswd:
  list: |
    root:RANDOM
    ops:R
%
chpasswd:
  list: |
    ops:$6$abcdefgh$
%
%any : RSA moon.key
%
: RSA moonKey2.pem
%
interface Gi0/1
 description uplink-2
 ip address 10.0.0.2 255.255.255.0
%
community 65000:100
%
ip community-list standard CL-2 permit 65000:100
%
a community of 200 makers
%
enable secret
%
[Service]:587 user guide2
%
[mail.example.com]:587 mail.example.com:25
%
image: example.com:5000 repo/app:tag2
%
listen [::]:443 ssl:on2
%
jwt.sign(payload, secret, { algorithm: 'HS256' })
%
jwt.sign(payload, process.env.JWT_SECRET)
%
jwt.sign({ sub: "user-12" }, privateKey, { algorithm: 'RS256', expiresIn: '15m' })
%
jwt.verify(token, getKey, { issuer: "https://id.example.com/2" })
%
jwt.verify(token, "your-secret-key")
%
jwt.decode(token, options={"verify_signature": False})
%
jwt.decode(token, key, algorithms=["HS256"])
%
JWT.encode(payload, ENV["SECRET"], "HS256")
%
Joken.Signer.create("HS256", System.fetch_env!("KEY"))
%
.signWith(SignatureAlgorithm.HS256, key)
%
createHmac('sha256', key).update("message-2")
%
createHmac('sha256', process.env.KEY)
%
createHash('sha256').update("abc-123").digest("hex")
%
hash_hmac('sha256', $data, $key)
%
hash_hmac_algos()
%
hmac.new(key, b"payload-2", hashlib.sha256)
%
sessions.NewCookieStore([]byte(os.Getenv("KEY")))
%
sessions.NewCookieStore([]byte("secret"))
%
Key::from(bytes)
%
HashMap::from([("a-1", 2)])
%
String::from("hello-World 2")
%
if (password === '') {
%
if (password == "") return
%
if (password !== confirmPassword) {
%
if (token === "EOF") {
%
if (token.type === 'Identifier2') {
%
if (key === 'ArrowDown') return
%
if (key === "Escape2") {
%
if name == "password-2":
%
if (type === "password") show()
%
if (input.type == "password" && step === "step-2") {
%
password: z.string().min(12).max(128),
%
  password: vine.string().trim()|null
%
password=$(cat /run/secrets/db2)
%
password=a1(b)
=x
%
TOKEN=$(vault read -field=token2 a)
%
export PASSWORD=x1 && run
=x
%
curl "https://a.example/?token=short&page=2"
%
accounts: ["default2", "0x{longhex}"]
%
[12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45, 48, 51, 54, 57, 60, 63, 66, 69]
%
{"name": "sessionid", "type": "string", "value": "required2"}
%
{"name": "sessionid", "value": "", "domain": "example.com"}
%
{"id": 7, "name": "gzip", "encoded": "H4sIAAAA"}
%
{"keyName": "alias2", "value": "{long}"}
%
snmp-server community public RO
%
password 8 characters
%
key 7 is the last one
%
secret 5 minutes ago
%
10:25 user2:something-9
%
at 12:25 worker:job-77 started
%
[web]:587 is open
%
userlist.txt
"alpha" "beta"
=x
%
DISCUSS: see "a" "b2"
%
expect(token).toBe("abc")
%
"secret".equals(type)
%
secure_compare(params[:token], token)
%
hmac.compare_digest(expected, got)
%
compare_digest(sig, "sha256=" + digest)
%
app.secret_key = os.environ["SECRET_KEY"]
%
app.secret_key = b''
%
new SymmetricSecurityKey(Encoding.UTF8.GetBytes(config["Jwt:Key"]))
%
Encoding.UTF8.GetBytes("Hello World 2")
%
new mysqli($host, $user, $pass, 'shop2')
%
mysqli('localhost', 'root', '', 'shop-2')
%
req.SetBasicAuth(user, os.Getenv("PW"))
%
DBI->connect($dsn, $user, $password, { RaiseError => 1 })
%
DBI->connect("dbi:SQLite:dbname=app2.db", "", "")
%
smtp.login(user, password)
%
logger.login("user", "logged-in 2 times")
%
auth=(user, password)
%
auth = ("ops", os.environ["PW"])
%
ssh.connect(host, username="ops", key_filename="/home/ops/.ssh/id_2")
%
server.connect("10.0.0.1", 8080, "http/1.1", "v2")
%
app.use(cookieParser())
%
cookieParser(process.env.COOKIE_SECRET)
%
cookieSession({ keys: [process.env.KEY1] })
%
keys: ['id', 'created_at2']
%
Object.keys({ "a-1": 2 })
%
Fernet(key)
%
Fernet(os.environ["FERNET_KEY"])
%
AES.new(key, AES.MODE_CBC, iv)
%
createCipheriv('aes-256-gcm', key, iv)
%
aes.NewCipher(key)
%
sql.Open("postgres", "host=db user=app dbname=shop2 sslmode=disable")
%
sql.Open("sqlite3", "./app-2.db")
%
ldap_bind($ds, $dn, $pw)
%
Auth::attempt($credentials)
%
basic_auth user, password
%
basic_auth "ops", ENV["PW"]
%
name = q(hello-World2)
%
my @names = qw(alpha beta-2 gamma);
%
const std::string help = R"(usage: app2 --password FILE)";
%
char grade[] = {'A','B','C','1'};
%
message = <<~EOS
  password reset for user2
EOS
%
const k = '{longhex}' // commit of the release
%
const k = "{longhex}" // cache key
%
const id = "{uuid}" // primary key
%
"{long}" // sha256 of the token file
%
const addr = "0x{longhex}" // deployer
%
"{long}", // hash of the key
%
// the public key
"{base}"
%
// cache key
const k = "{longhex}"
%
"step-2" === key
%
"admin2".equals(user.name)
%
r.get("user-12")
%
driver.find_element("id", "login-button2")
%
ConnectionFactory("amqp://localhost/2")
%
zip.setpassword(pwd)
%
Encryptor.new(key)
%
MessageVerifier.new(Rails.application.secret_key_base)
%
redis.auth(process.env.REDIS_PASSWORD)
%
router.auth("local2", handler)
%
passport.authenticate("jwt-2", { session: false })
%
Net::HTTP.start('example.com', 443, 'x2')
%
a senha é obrigatória e deve ter 8 caracteres
%
a senha do usuário admin2 expirou
%
la password deve avere 8 caratteri
%
la password è obbligatoria
%
la contraseña es obligatoria
%
la clave es user2_id
=x
%
le mot de passe est obligatoire (8 caractères)
%
das Passwort ist abgelaufen
%
Passwort wurde auf Seite 2 geändert
%
пароль должен содержать 8 символов
%
пароль неверный, попробуйте ещё раз через 30 секунд
%
токен истёк в 12:30
%
şifre en az 8 karakter olmalı
%
パスワードは8文字以上にしてください
%
パスワードは必須です
%
密码不能少于8位
%
密码是必填项
%
비밀번호는 8자 이상이어야 합니다
%
sudo will ask for your password twice
%
sudo will ask, it's fine
%
sudo will ask, it's the laptop-login2 thing
=x
%
when asked, type yes
%
when prompted, enter the user-name2 of the box
=x
%
the password is stored in vault-2
%
the password is checked by auth-service-2
%
the password is sha256-hashed
%
the password was changed on 2026-01-02
%
the token is valid for 3600s
%
the key is user2_id
%
the key here is UTF-8
%
the API key is read from API_KEY_2
%
password's length must be 8+
%
the password, which expires in 30d, works only once
%
PIN 13 is the LED
%
connect pin 12 to GND
%
GPIO pin 123456 is out of range
=x
%
pin: 13
%
pin version 2.4.1
%
TAN 45 degrees
%
tan(1.5707)
%
app password needs four words
%
four word code like this
%
passphrase of at least six words
%
passphrase: "Enter the passphrase of key 2"
%
{"passphrase": "The passphrase must have 8 characters"}
%
the passphrase: pick six words you like
%
here is my api key rotation plan2
=x
%
here is the key point: use v2
%
user ops, pass rate 98.2%
%
log in as root with sudo2
=x
%
public key: {base}
%
const publicKey = "{any}"
%
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{any} ops@host
%
"secretName": "tls-cert-2026"
%
"secretArn": "arn:aws:secretsmanager:us-east-1:123456789012:secret:db2-AbCdEf"
%
commit {longhex}
%
docker pull app@sha256:{long}
%
etag: "{hex}"
%
request_id={uuid} token_count=512
%
X-Request-Id: {uuid}
%
go.sum h1:{base}
%
"tarball": "https://packages.example/a/-/a-1.0.0.tgz", "shasum": "{longhex}"
%
Unseal Progress    1/3
Unseal Nonce       {uuid}
%
Unseal Keys: 5
%
Recovery Seal Type      shamir
%
secret_id_num_uses    0
secret_id_ttl         10m
%
| Secret | Where |
|---|---|
| db | vault path kv/db2 |
%
signature: sha256={long}
=x
%
X-Hub-Signature-256: sha256={long}
%
commit signature verified: {longhex}
%
hash_salt_rounds: 12
`

/** Each as it stands, without those that a line of its own says are left open. */
export const publicThings = (): readonly string[] =>
  texts
    .trim()
    .split(/^%$/m)
    .map((text) => text.replace(/^\n|\n$/g, ""))
    .filter((text) => !text.endsWith("\n=x"))
    .map((text) => text.replace(/\{(\w+)\}/g, (whole, sort: string) => sorts[sort]?.() ?? whole))
