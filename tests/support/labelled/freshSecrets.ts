/** Made-up secrets in declarations, statements, commands, tables and forms; half of them were looked at only when all was done. */
import { made, type Planted } from "./secrets.ts"

/** Where a text has one of these in braces, a secret of that sort stands. Made at run time, so that no file holds one. */
const sorts: Readonly<Record<string, () => string>> = {
  /** What a person chooses. */
  pw: () => `${made(5)}!${made(3)}_${made(4)}`,
  word: () => `${made(6, "abcdefghijklmnopqrstuvwxyz")}${made(2, "0123456789")}`,
  /** What a generator makes. */
  any: () => made(40),
  short: () => made(24),
  hex: () => made(32, "0123456789abcdef"),
  sha: () => made(40, "0123456789abcdef"),
  long: () => made(64, "0123456789abcdef"),
  upper: () => made(44, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
  base: () => Buffer.from(made(32)).toString("base64url"),
  uuid: () => [8, 4, 4, 4, 12].map((length) => made(length, "0123456789abcdef")).join("-")
}

const texts = String.raw`
export const authToken: string = "{any}"
const dbPassword: string | undefined = '{pw}'
let apiKey: Readonly<string> = ${"`"}{any}${"`"};
  private readonly clientSecret: string = "{any}";
static accessToken?: string = '{any}'
public let apiSecret: String = "{any}"
var password: String? = "{pw}"
private const val API_TOKEN: String = "{any}"
val secretKey: String by lazy { "x" }; val apiKey: String = "{any}"
pub const SECRET_KEY: &'static str = "{any}";
let db_password: String = String::from("{pw}");
static API_TOKEN: &str = r"{any}";
API_KEY: Final[str] = "{any}"
db_password: str | None = '{pw}'
    token: Optional[str] = "{any}"
var apiKey string = "{any}"
const dbPassword string = "{pw}"
public static final String CLIENT_SECRET = "{any}";
private String dbPassword = new String("{pw}");
public const string ApiKey = "{any}";
internal static readonly string ConnectionPassword = @"{pw}";
string apiKey { get; set; } = "{any}";
static const char *api_key = "{any}";
const char wifi_password[] = "{pw}";
char password[64] = "{pw}";
std::string apiToken{"{any}"};
std::string api_token("{any}");
constexpr auto kApiKey = "{any}";
#define MQTT_PASSWORD "{pw}"
#  define API_TOKEN   "{any}"
#define WIFI_PASS "{pw}"
:api_key => "{any}",
{ "password" => "{pw}", user: "bob" }
config.secret_key_base = "{long}"
@password ||= "{pw}"
my $password = q{{pw}};
my $api_key => '{any}';
password <- "{pw}"
(setq my-api-key "{any}")
(def api-key "{any}")
:db-password "{pw}"
let apiKey = Some("{any}")
@api_key "{any}"
protected $password = '{pw}';
private string $apiToken = '{any}';
public ?string $clientSecret = "{any}";
password: &dbpass {pw}
password: !!str {pw}
token: !secret_plain "{any}"
  db_password: &default "{pw}"
password: >-\n  {pw}
{"credentials":{"password":{"stringValue":"{pw}"}}}
{"apiKey": {"value": "{any}", "type": "string"}}
{"db_password": {"sensitive": true, "type": "string", "value": "{pw}"}}
{"passwords": ["{pw}", "x"]}
{"tokens": {"default": "{any}"}}
{"secret": {"plaintext": "{any}"}}
password = { value = "{pw}" }
"admin_password": { "value": "{pw}" },
id,user,password\n1,alice,{pw}\n2,bob,other
name;passwort;ort\nAnna;{pw};Bonn
user\tpassword\nroot\t{pw}
name,url,username,password,note\nGitHub,https://github.com,bob,{pw},
email,api_key,created\nbob@example.com,{any},2026-01-01
"user","token"\n"bob","{any}"
| Service | User | Password |\n| --- | --- | --- |\n| db | admin | {pw} |
| Key | Secret |\n|:--|--:|\n| ci | {any} |
| Name | API key | Notes |\n|------|---------|-------|\n| maps | ${"`"}{any}${"`"} | prod |
Host | Password\n--- | ---\ndb1 | {pw}
 username | password \n----------+----------\n bob      | {pw}\n(1 row)
+------+----------------+\n| user | password       |\n+------+----------------+\n| root | {pw} |
**Password:** {pw}
**API key**: {any}
- **Token:** ${"`"}{any}${"`"}
__Password:__ {pw}
* *Password*: {pw}
<b>Password:</b> {pw}<br>
<td>Password</td>\n<td>{pw}</td>
<dt>API key</dt><dd><code>{any}</code></dd>
<input type="password" name="password" value="{pw}">
<input value="{pw}" type="password" id="pw">
Content-Disposition: form-data; name="client_secret"\r\n\r\n{any}\r\n--b
------W\r\nContent-Disposition: form-data; name="passwd"\r\nContent-Type: text/plain\r\n\r\n{pw}\r\n------W--
.example.com\tTRUE\t/\tTRUE\t1893456000\tsession_id\t{any}
#HttpOnly_app.example.com\tFALSE\t/\tTRUE\t0\tauth\t{any}
example.com\tFALSE\t/api\tFALSE\t1893456000\tXSRF-TOKEN\t{any}
{"kty":"EC","crv":"P-256","d":"{base}","x":"a","y":"b"}
{"kty": "OKP", "crv": "Ed25519", "x": "abc", "d": "{base}"}
{"kty":"RSA","e":"AQAB","d":"{base}","p":"{base}"}
{"kty":"oct","k":"{base}","alg":"HS256"}
-----BEGIN OpenVPN Static key V1-----\n{hex}\n{hex}\n-----END OpenVPN Static key V1-----
<tls-auth>\n-----BEGIN OpenVPN Static key V1-----\n{hex}\n</tls-auth>
CREATE USER app IDENTIFIED BY '{pw}';
CREATE USER 'app'@'localhost' IDENTIFIED WITH mysql_native_password BY '{pw}';
GRANT ALL ON x.* TO 'u'@'%' IDENTIFIED BY '{pw}'
ALTER USER system IDENTIFIED BY "{pw}";
ALTER ROLE app WITH LOGIN PASSWORD '{pw}';
CREATE ROLE app ENCRYPTED PASSWORD '{pw}' LOGIN
ALTER USER sa WITH PASSWORD = N'{pw}'
SET PASSWORD FOR 'app'@'%' = '{pw}';
SET PASSWORD = PASSWORD('{pw}');
CREATE LOGIN app WITH PASSWORD = '{pw}', CHECK_POLICY = OFF
INSERT INTO users (id, email, password) VALUES (1, 'a@b.c', '{pw}');
insert into api_clients(name, client_secret) values ('x', '{any}')
UPDATE users SET email='a@b.c', password='{pw}' WHERE id=2
CREATE SECRET s (TYPE S3, KEY_ID 'x', SECRET '{any}')
psql -c "CREATE USER bob PASSWORD '{pw}'"
cargo login {short}
cargo login --registry corp {any}
wandb login --relogin {sha}
wandb login {sha}
railway login --token {uuid}
snyk auth {uuid}
huggingface-cli login --token hf_{any}
pulumi login --access-token pul-{sha}
doctl auth init -t {long}
flyctl auth token {any}
sentry-cli login --auth-token {long}
rabbitmqctl add_user app {pw}
rabbitmqctl -n rabbit@h change_password app '{pw}'
sudo rabbitmqctl authenticate_user app {pw}
nmcli device wifi connect "Office 5G" password {pw}
nmcli con modify home wifi-sec.psk "{pw}"
wpa_passphrase "My Net" {pw}
mc alias set local http://127.0.0.1:9000 minioadmin {any}
mc alias set s3 https://s3.example.com {short} {any} --api S3v4
mc config host add m http://h {short} {any}
composer config -g github-oauth.github.com {any}
composer config --global gitlab-token.gitlab.example.com {short}
composer config --auth http-basic.repo.example.com bob {pw}
poetry config pypi-token.pypi {any}
poetry config http-basic.corp bob {pw}
bundle config set --global gems.example.com bob:{short}
bundle config https://gems.example.com bob:{short}
gh secret set API_TOKEN --body "{any}"
gh secret set -b '{pw}' DB_PASS --repo o/r
gh secret set DB_PASS <<< '{pw}'
echo "{any}" | gh secret set DEPLOY_KEY
printf '%s' '{any}' | wrangler secret put API
echo {any} | vercel env add STRIPE production
echo -n '{pw}' | docker secret create db_pass -
printf '{pw}' | podman secret create x -
echo '{pw}' | gcloud secrets versions add db --data-file=-
echo '{pw}' | kinit bob@EXAMPLE.COM
echo -n {pw} | cryptsetup open /dev/sda2 root -
aws ssm put-parameter --name /app/db --type SecureString --value {pw}
aws ssm put-parameter --overwrite --value "{any}" --name /x --type SecureString
aws secretsmanager create-secret --name x --secret-string "{pw}"
aws secretsmanager put-secret-value --secret-id x --secret-string '{any}'
aws cognito-idp admin-set-user-password --user-pool-id p --username u --password {pw} --permanent
aws rds modify-db-instance --db-instance-identifier d --master-user-password {pw}
az keyvault secret set --vault-name v -n db --value "{pw}"
az webapp config appsettings set -g g -n n --settings DB_PASSWORD={pw}
az sql server create -u admin -p {pw} -n s
kubectl create secret generic app --from-literal=api={any}
kubectl create secret docker-registry r --docker-username=u --docker-password={pw}
vault kv put -mount=secret app value={any}
vault write auth/approle/login role_id=x secret_id={uuid}
doppler secrets set STRIPE_KEY {any}
dotnet user-secrets set "Smtp:Password" "{pw}"
dotnet nuget push p.nupkg --api-key {short} -s https://x
eas secret:create --name X --value {any}
etcdctl --user=root:{pw} get /x
etcdctl --endpoints h --user root:{pw} member list
influx write -t {any}== -b bucket
influx query --token {any} 'x'
ipmitool -I lanplus -H 10.0.0.5 -U root -P {pw} chassis status
snmpget -v3 -l authPriv -u u -a SHA -A {pw} -x AES -X x h
sqlplus system/{pw}@//db:1521/x
xfreerdp /v:host /u:bob /p:'{pw}'
net user bob {pw} /add
net use x: \\srv\share {pw} /user:bob
setx OPENAI_KEY "{any}"
set -gx GITHUB_TOKEN {any}
setenv API_SECRET {any}
git config --global github.token {any}
yarn config set npmAuthToken {any}
bw unlock "{pw}" --raw
bw login bob@example.com {pw}
expect -c 'spawn su; expect "Password:"; send "{pw}\r"'
$s = ConvertTo-SecureString '{pw}' -AsPlainText -Force
ConvertTo-SecureString -String "{pw}" -AsPlainText
New-LocalUser bob -Password (ConvertTo-SecureString "{pw}" -AsPlainText -Force)
curl -u "{hex}:{hex}" https://api.example.com
requests.post(url, auth=('bob', '{pw}'))
HTTPBasicAuth("bob", "{pw}")
DriverManager.getConnection("jdbc:postgresql://h/d", "app", "{pw}")
os.environ.get("API_KEY") or "{any}"
const key = process.env.API_KEY ?? "{any}";
ENV['API_TOKEN'] || '{any}'
env("DB_PASSWORD", "{pw}")
getenv('API_SECRET') ?: '{any}'
trello token: ATTA{long}
wandb: wandb_v1_{any}{any}
RunPod key rpa_{upper} for the pod
the SDK key is sdk-{uuid}
mobile mob-{uuid} ok
LaunchDarkly api-{uuid}
set it to signkey-prod-{long}
signkey-branch-{long} and signkey-test-{long}
use admin / {pw} to log in
credentials: root:{pw}
la contraseña es {pw}
the login is bob and the password {pw}
user bob pass {pw}
Username: bob\nPassword: {pw}
WIFI:T:WPA;S:Guests;P:{pw};;
variable "db_password" {\n  type = string\n  default = "{pw}"\n}
param sqlPassword string = '{pw}'
auth-user-pass\nbob\n{pw}
{"username":"bob","key":"{hex}"}
algoliasearch("APP1234567", "{hex}")
new ethers.Wallet("0x{long}")
traefik.http.middlewares.a.basicauth.users=bob:{pw}
<Pass encoding="base64">{base}</Pass>
`

const unescaped = (line: string): string =>
  line.replace(/\\([nrt])/g, (_, c) => (c === "n" ? "\n" : c === "r" ? "\r" : "\t"))

/** In turn they go to one half or the other. */
export const freshSecrets = (half: 0 | 1): readonly Planted[] =>
  texts
    .trim()
    .split("\n")
    .map(unescaped)
    .flatMap((text, nth): Planted[] => {
      let secret = ""
      const written = text.replace(/\{(\w+)\}/g, (whole, sort: string) => {
        const value = sorts[sort]?.()
        secret = value ?? secret
        return value ?? whole
      })
      return nth % 2 === half ? [[`line ${nth + 1}`, written, secret]] : []
    })
