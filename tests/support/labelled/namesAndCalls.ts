/** Secrets that a name, a section, a call or a sentence announces, each as a tool, a file or a person writes it; made at run time, so that no file holds one. */
import { made, type Planted } from "./secrets.ts"

const lower = "abcdefghijklmnopqrstuvwxyz"
const digits = "0123456789"
const sorts: Readonly<Record<string, () => string>> = {
  pw: () => `${made(4)}-${made(4)}#${made(3)}`,
  slashed: () => `${made(4)}/${made(5)}&${made(3)}`,
  blanks: () => `Grey ${made(4, lower)} over ${made(2, digits)} ${made(6, lower)}`,
  words: () => `Linden-${made(5, lower)}-${made(2, digits)}-Hawser`,
  dotted: () => `heron.Cobalt-${made(2, digits)}`,
  any: () => made(40),
  short: () => made(20),
  hex: () => made(32, "0123456789abcdef"),
  longhex: () => made(40, "0123456789abcdef"),
  long: () => made(64, "0123456789abcdef"),
  base: () => `${made(42)}+=`,
  store: () => `${made(40)}+/${made(44)}==`,
  uuid: () => [8, 4, 4, 4, 12].map((length) => made(length, "0123456789abcdef")).join("-"),
  pin: () => `${made(3, "123456789")}${made(3, "456789")}`,
  four: () => [0, 0, 0, 0].map(() => made(4, lower)).join(" "),
  numbers: () => Array.from({ length: 64 }, (_, nth) => (nth * 89 + 41 * (nth % 7) + 201) % 256).join(","),
  bytes: () => `_${made(3)}#y\\xf4${made(2)}z\\n\\xec]/\\x9b${made(2)}`
}

const texts = String.raw`
## names
config.pepper = '{long}'
%
Devise.setup do |config|
  config.pepper = "{hex}"
end
%
PASSWORD_PEPPER={hex}
%
"pepper": "{any}"
%
smtpPass: '{slashed}',
%
SMTP_PASS={slashed}
%
mailPass = "{blanks}"
%
  relay_pass: {slashed}
%
WEBHOOK_HMAC={longhex}
%
  - WEBHOOK_HMAC={longhex}
%
HASHIDS_SALT={any}
%
HASHIDS_SALT: "{words}"
%
config :app, AppWeb.Endpoint,
  live_view: [signing_salt: "{short}"]
%
signing_salt: "{short}",
encryption_salt: "{short}"
%
SESSION_SALT={hex}
%
hashids.salt={short}
%
encrypt:
  key: {words}
%
spring:
  application:
    name: config
encrypt:
  key: "{words}"
%
    'crypt' => [
        'key' => '{hex}'
    ],
%
return [
    'encryption' => [
        'key' => '{hex}',
        'cipher' => 'AES-256-CBC'
    ],
%
session:
  name: sid
  key: {hex}
%
{"cookie": {"name": "sid", "key": "{any}"}}
%
[session]
name = sid
key = {any}
%
alter user 'a'@'%' identified by 'It''s-{short}'
%
cookie: { key: '{hex}', secure: true }
%
"cosmos": {"endpoint": "https://shop.documents.azure.com:443/", "key": "{store}"}
%
"CosmosDb": {
    "Endpoint": "https://shop.documents.azure.com:443/",
    "Key": "{store}",
    "Database": "shop"
}
%
storage:
  account: shopfiles
  key: {store}
%
[
  {
    "creationTime": "2026-02-02T11:20:43.118309+00:00",
    "keyName": "key2",
    "permissions": "FULL",
    "value": "{store}"
  }
]
%
{"keyName":"RootManageSharedAccessKey","permissions":["Listen","Send"],"value":"{store}"}
%
{"id": "Gcd-kQm", "name": "beat", "expiration": 1750000000000, "encoded": "{base}"}
%
{"id":"VuaCf","api_key":"x","encoded":"{any}=="}
%
            storePassword "{words}"
            keyAlias "upload"
%
    keyPassword '{pw}'
%
set :db_password, "{dotted}"
%
set :deploy_token, '{any}'
%
set :smtp_password, '{pw}'
%
      NEO4J_AUTH: neo4j/{words}
%
NEO4J_AUTH=neo4j/{pw}
%
      - NEO4J_AUTH=neo4j/{words}
%
BASIC_AUTH=ops:{words}
%
HTTP_AUTH: "admin:{pw}"
%
FLOWER_BASIC_AUTH: ops:{dotted}
%
ADMIN_CREDENTIALS=admin:{words}
%
CREATE ROLE feed LOGIN
  CONNECTION LIMIT 20
  PASSWORD 'jx-{short}''Larder_9';
%
ALTER USER app WITH PASSWORD '{short}''x';
%
SET PASSWORD FOR 'app'@'%' = '{pw}''q';
%
chpasswd:
  list: |
    ops:{dotted}
    root:RANDOM
  expire: false
%
          chpasswd:
              list: |
          -     ops:rotated
          +     ops:{words}
        EOT
%
chpasswd <<'EOF'
deploy:{words}
EOF
%
;; /etc/pgbouncer/userlist.txt
"app_rw" "{slashed}"
%
cat /etc/pgbouncer/userlist.txt
"stats" "md5abc"
"app" "{words}"
%
[smtp.eu.mailgun.org]:587    postmaster@mg.harbor.example:{any}
%
[mail.example.com]:submission ops@example.com:{words}
%
smtp.example.com:587 relay:{pw}
%
# ipsec.secrets
203.0.113.7 %any : PSK "{words}"
%
: PSK "{dotted}"
%
%any 10.0.0.1 : PSK 0s{base}
%
gw1 : XAUTH "{pw}"
%
username admin privilege 15 password 7 070C285F4D06485744
=070C285F4D06485744
%
 password 7 1511021F07257A767B
=1511021F07257A767B
%
enable secret 5 $1$mERr$hx5rVt7rPNoS4wqbXKX7m0
=$1$mERr$hx5rVt7rPNoS4wqbXKX7m0
%
enable secret {words}
%
username ops secret 0 {words}
%
snmp-server community {words} RO
%
rocommunity {words} 10.0.0.0/8
%
set snmp community {words} authorization read-only
%
tacacs-server key 7 0822455D0A16544541
=0822455D0A16544541
%
level=ERROR msg="pool init failed" dsn="host=db.svc port=5432 user=ingest password={dotted} dbname=ingest sslmode=disable"
%
time=10:11 level=warn conninfo="user=app password={words} host=10.0.0.1"
%
ParameterKey=DbPassword,ParameterValue={words}
%
{"ParameterKey": "MasterUserPassword", "ParameterValue": "{words}"}
%
[{"ParameterKey":"ApiToken","ParameterValue":"{any}"}]
%
{"columns": ["id", "user", "password"], "rows": [[1, "ops", "{words}"]]}
%
{"columns":[{"name":"id"},{"name":"api_token"}],"rows":[[7,"{any}"]]}
%
{"fields":["name","secret_key"],"values":[["web","{any}"]]}
%
{"name": "sessionid", "value": "{hex}", "domain": ".example.com", "httpOnly": true}
%
[{"domain":"example.com","name":"connect.sid","path":"/","value":"s%3A{any}"}]
%
cookies=[{'name': 'PHPSESSID', 'value': '{short}', 'domain': 'example.com'}]
%
secretGenerator:
  - name: notifier
    literals:
      - WEBHOOK_HMAC={longhex}
      - LOG_LEVEL=info
%
$ cat ~/.config/solana/id.json
[{numbers}]
%
accounts: ["0x{long}"]
%
      accounts: ['{long}'],
%
networks: { sepolia: { url, accounts: ["{long}"] } }
%
DB_PASSWORD=a9&{short}|x
%
MYSQL_PASSWORD=x7>{short}(k
%
password: {pw}|{short}
%
NEXTAUTH_SECRET=p0(&{short}
%
-Dgpg.passphrase='{blanks}'
%
mvn -Dgpg.passphrase="{blanks}" deploy
%
mvn -Dgpg.passphrase='Herons sing at 7 under the bridge' deploy
=Herons sing at 7 under the bridge
%
spring.mail.password={blanks}
%
ftpPass: {blanks}
%
"vpnPass": "{blanks}"
%
  BACKUP_PASS: '{slashed}'
%
sessionSecretSalt: {any}
## calls
var store = sessions.NewCookieStore([]byte("{any}"))
%
store := cookie.NewStore([]byte("{hex}"))
%
sessions.NewFilesystemStore("", []byte("{words}"))
%
securecookie.New([]byte("{hex}"), nil)
%
csrf.Protect([]byte("{hex}"))
%
Key::from(hex::decode("{long}{long}").unwrap().as_slice())
%
let key = Key::from(b"{long}");
%
EncodingKey::from_secret(b"{words}")
%
DecodingKey::from_secret("{any}".as_ref())
%
return jwt.sign({ sub: userId, scopes }, '{any}', {
%
const t = jwt.sign(payload, "{words}")
%
jwt.verify(token, '{words}')
%
jsonwebtoken.sign({ id }, "{any}", { expiresIn: '1h' })
%
jwt.encode({"sub": uid}, "{words}", algorithm="HS256")
%
payload = jwt.decode(token, '{any}', algorithms=["HS256"])
%
JWT.encode(payload, '{words}', 'HS256')
%
@signer Joken.Signer.create("HS256", "{any}")
%
.signWith(SignatureAlgorithm.HS256, "{any}")
%
Jwts.parser().setSigningKey("{words}".getBytes())
%
Keys.hmacShaKeyFor("{any}".getBytes(StandardCharsets.UTF_8))
%
Algorithm.HMAC256("{words}")
%
token.SignedString([]byte("{words}"))
%
JWT::encode($payload, '{any}', 'HS256');
%
ActiveSupport::SecurityUtils.secure_compare(pass, '{dotted}')
%
Rack::Utils.secure_compare(password, "{words}")
%
hmac.compare_digest(token, "{any}")
%
if (password === '{words}') {
%
return pass == "{dotted}"
%
if request.form["password"] == "{words}":
%
if [ "$PASSWORD" != "{words}" ]; then
%
"{words}".equals(password)
%
username == "ops" && password == "{words}"
%
app.secret_key = b'{bytes}'
%
app.secret_key = b"{bytes}"
%
crypto.createHmac('sha256', '{words}').update(body)
%
createHmac("sha1", "{any}")
%
hmac.new(b"{words}", body, hashlib.sha256)
%
hash_hmac('sha256', $data, '{words}')
%
OpenSSL::HMAC.hexdigest('SHA256', '{words}', data)
%
hmac.New(sha256.New, []byte("{words}"))
%
new SecretKeySpec("{words}".getBytes(), "HmacSHA256")
%
new HMACSHA256(Encoding.UTF8.GetBytes("{words}"))
%
new SymmetricSecurityKey(Encoding.UTF8.GetBytes("{words}"))
%
IssuerSigningKey = new SymmetricSecurityKey(Encoding.ASCII.GetBytes("{any}"))
%
$db = new mysqli('localhost', 'app', '{dotted}', 'shop');
%
mysqli_connect("db", "root", "{words}", "shop")
%
mysql_connect('db', 'root', '{blanks}');
%
req.SetBasicAuth("ops", "{words}")
%
client.SetBasicAuth(user, "{dotted}")
%
DBI->connect("dbi:Pg:dbname=shop", "app", q({words}))
%
my $dbh = DBI->connect($dsn, $user, q{{slashed}}, { RaiseError => 1 });
%
DBI->connect($dsn, 'app', '{words}')
%
smtp.login("ops@example.com", "{words}")
%
server.login(USER, '{dotted}')
%
imap.login("a@example.com", "{pw}")
%
requests.get(url, auth=("ops", "{dotted}"))
%
auth=HTTPBasicAuth('ops', '{words}')
%
new NetworkCredential("ops", "{words}")
%
new PDO("mysql:host=db;dbname=shop", "app", "{dotted}");
%
new PDO($dsn, 'app', '{blanks}')
%
ssh.connect(host, username="ops", password="{words}")
%
ssh.connect("10.0.0.1", 22, "ops", "{words}")
%
app.use(cookieParser('{words}'))
%
cookieParser(["{any}"])
%
app.use(session({ secret: '{words}', resave: false }))
%
cookieSession({ keys: ['{words}'] })
%
cookieSession({ name: 's', keys: ["{any}", "{short}"] })
%
Fernet(b'{base}')
%
cipher = Fernet("{base}")
%
AES.new(b'{hex}', AES.MODE_GCM)
%
AES.new("{short}".encode(), AES.MODE_CBC, iv)
%
createCipheriv('aes-256-cbc', '{hex}', iv)
%
CryptoJS.AES.encrypt(text, '{words}')
%
openssl_encrypt($data, 'AES-256-CBC', '{words}', 0, $iv)
%
aes.NewCipher([]byte("{hex}"))
%
sql.Open("postgres", "host=db user=app password={dotted} dbname=shop")
%
sql.Open("mysql", "app:{words}@tcp(db:3306)/shop")
%
conn.simple_bind_s("cn=admin,dc=example", "{words}")
%
ldap_bind($ds, 'cn=admin', '{dotted}')
%
Auth::attempt(['email' => $e, 'password' => '{words}'])
%
basic_auth "ops", "{words}"
%
http_basic_authenticate_with name: "ops", password: "{words}"
%
request.basic_auth('ops', '{words}')
%
use Rack::Auth::Basic do |u, p|
  u == 'ops' && p == '{words}'
end
%
my $password = q({words});
%
$pass = qq|{words}|;
%
my ($user, $password) = qw(ops {words});
%
char pass[] = {'H','u','7','-','k','Q','z','9'};
='H','u','7','-','k','Q','z','9'
%
const std::string password = R"({words})";
%
password := ${"`"}{slashed}${"`"}
%
passphrase = <<~EOS
  {words}
EOS
%
$secret = <<<'EOT'
{any}
EOT;
%
const k = '{longhex}' // deployer key
%
accounts: [
  // deployer key
  "0x{long}"
]
%
# stripe webhook secret
WH = "{any}"
%
'{words}' == params[:password]
%
"{any}" # stripe webhook secret
%
$redis->auth('{words}');
%
r.auth("{words}")
%
redis.createClient({ url, password: "{words}" })
%
ConnectionFactory(user, "{words}")
%
factory.setPassword("{words}")
%
pika.PlainCredentials('ops', '{words}')
%
cassandra: PlainTextAuthProvider('ops', '{words}')
%
.withCredentials("ops", "{words}")
%
driver = GraphDatabase.driver(uri, auth=("neo4j", "{words}"))
%
neo4j.auth.basic("neo4j", "{words}")
%
AuthTokens.basic("neo4j", "{words}")
%
DriverManager.getConnection(url, "app", "{words}")
%
psycopg2.connect("dbname=shop user=app password={words}")
%
pymysql.connect(host="db", user="app", passwd="{words}")
%
pymysql.connect("db", "app", "{words}", "shop")
%
MySQLdb.connect('db', 'app', '{words}', 'shop')
%
ftp.login("ops", "{words}")
%
Net::FTP.open('h', 'ops', '{words}')
%
Net::SSH.start('h', 'ops', password: '{words}')
%
ssh.Password("{words}")
%
smtp.PlainAuth("", "ops@example.com", "{words}", "smtp.example.com")
%
new UsernamePasswordCredentials("ops", "{words}")
%
.httpBasic("ops", "{words}")
%
.auth("ops", "{words}")
%
.auth().basic("ops", "{words}")
%
KeyStore.getInstance("JKS").load(in, "{words}".toCharArray());
%
PBEKeySpec("{words}".toCharArray(), salt, 1000, 256)
%
zip.setpassword(b"{words}")
%
ZipFile.open(f, "r", pwd=b"{words}")
%
Encryptor.new("{hex}")
%
ActiveSupport::MessageVerifier.new('{any}')
%
ActiveSupport::MessageEncryptor.new("{hex}")
%
URLSafeTimedSerializer("{words}")
%
Sidekiq::Web.use Rack::Session::Cookie, secret: '{words}'
%
Plug.Session, store: :cookie, signing_salt: "{short}"
%
passport.use(new BasicStrategy((u, p, d) => d(null, u === 'ops' && p === '{words}')))
## prose
a senha agora é {words}, não conta pra ninguém
%
a senha do servidor é {pw}
%
A senha nova ficou {words}
%
la password è {words}
%
la chiave API che mi hanno dato è {any}
%
la nuova password del router è {pw}
%
la contraseña es {words}
%
usa la contraseña {pw} para entrar
%
la clave de la API que me dieron es {any}
%
le mot de passe est {words}
%
le mot de passe du serveur, c'est {words}
%
la clé API qu'on m'a donnée est {any}
%
das Passwort ist jetzt {words}
%
das Kennwort für den Server wurde auf {words} geändert
%
Passwort lautet {pw}
%
lösenordet är {words}
%
adgangskoden er nu {words}
%
passordet er {words}
%
salasana on {words}
%
het wachtwoord is nu {words}
%
hasło to {words}
%
nowe hasło do serwera to {words}
%
пароль {words}
%
пароль от базы {words}
%
новый пароль теперь {words}
%
пароль до сервера: {words}
%
токен для бота {any}
%
şifre artık {words}
%
yeni parola {words} oldu
%
パスワードは {words} です
%
新しいパスワードは「{words}」です
%
APIキーは{any}です
%
密码是{words}
%
数据库密码改成了 {words}
%
AccessKey Secret 是 {any}
%
비밀번호는 {words} 입니다
%
API 키는 {any} 입니다
%
sudo will ask, it's {words}
%
if it asks for a password it's {words}
%
when sudo prompts, type {words}
%
ssh asks for the passphrase, that's {words}
%
the root pw is now {words}
%
db password changed to {words} this morning
%
The PIN is {pin}
%
PUK {pin}{pin}
%
my SIM's PUK: {pin}{pin}
%
PIN code {pin}
%
use this app password: {four}
%
app password is {four}
%
Google gave me the app password {four}
%
App-Passwort: {four}
%
SMTP_PASSWORD="{four}"
%
GMAIL_APP_PASSWORD={four}
%
passphrase is "correct lamp {words}"
%
the passphrase: {blanks}
%
the wifi password is {words}, same for guests
%
password's {words}
%
the password, {words}, works only from the office
%
my token is {any}
%
here's the key: {any}
%
here is my api key {any}
%
I set the password of the box to {words}
%
log in as root with {words}
%
login: ops, password: {words}
%
creds: ops / {words}
%
user ops, pass {words}
%
wachtwoord: {words}
%
a chave de API é {any}
%
il PIN è {pin}
%
kod PIN to {pin}
%
ПИН-код {pin}
%
PIN kodu {pin}
%
mật khẩu là {words}
%
kata sandi: {words}
%
heslo je {words}
%
parola este {words}
%
jelszó: {words}
`

export interface Named {
  readonly kind: string
  readonly text: string
  readonly secret: string
}

const sampleOf = (kind: string, template: string): Named => {
  // Where the secret is no made-up value, a line of its own says it.
  const [body = "", told] = template.split(/\n=(?=[^\n]*$)/)
  let secret = told ?? ""
  const text = body.replace(/\{(\w+)\}/g, (whole, sort: string) => {
    const value = sorts[sort]?.()
    if (told === undefined) secret = value ?? secret
    return value ?? whole
  })
  return { kind, text, secret }
}

export const namedSecrets = (): readonly Named[] =>
  texts
    .trim()
    .split(/^## /m)
    .filter((section) => section !== "")
    .flatMap((section) => {
      const [kind = "", ...lines] = section.split("\n")
      return lines
        .join("\n")
        .split(/^%$/m)
        .map((template) => sampleOf(kind, template.replace(/^\n|\n$/g, "")))
    })

/** As the laws read them. */
export const namedTexts = (): readonly Planted[] =>
  namedSecrets().map(({ kind, text, secret }) => [kind, text, secret])
