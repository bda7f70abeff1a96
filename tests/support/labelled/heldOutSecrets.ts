/** Made-up secrets as they come up in sources, shells and files, written when the finders were done: what was missed then is said in the docs. */
import { made, type Planted } from "./secrets.ts"

const hex = "0123456789abcdef"
const sorts: Readonly<Record<string, () => string>> = {
  pw: () => `${made(4)}-${made(4)}#${made(3)}`,
  pass: () => `${made(6, "abcdefghijklmnopqrstuvwxyz")}${made(3, "0123456789")}!`,
  any: () => made(36),
  short: () => made(20),
  hex: () => made(32, hex),
  long: () => made(64, hex),
  base: () => Buffer.from(made(30)).toString("base64"),
  uuid: () => [8, 4, 4, 4, 12].map((length) => made(length, hex)).join("-")
}

const texts = String.raw`
export DATABASE_PASSWORD={pw}
DB_PASS="{pass}" npm start
REDIS_URL=redis://default:{short}@cache:6379/0
JWT_SECRET: {long}
  admin_password: "{pw}"
const stripeSecret: string = "{any}";
let token: String = "{any}".to_string();
private apiSecret: string = '{any}';
public readonly dbPassword: string = "{pw}";
val clientSecret: String = "{any}"
var apiToken = "{any}"
password := "{pw}"
var dbPass string = "{pw}"
API_SECRET: str = "{any}"
self.password: str = "{pw}"
#define SSH_PASSWORD "{pw}"
#define AUTH_TOKEN "{hex}"
private final String password = "{pw}";
static final String SECRET_KEY = "{base}";
public const string AccessToken = "{any}";
String apiKey = "{any}";
NSString *apiToken = @"{any}";
:secret => '{any}',
:token => "{hex}"
'api_key' => "{any}",
$config['password'] = '{pw}';
$dbPassword = "{pw}";
define("API_SECRET", "{any}");
api_secret <- "{any}"
local password = "{pw}"
password: &root {pw}
auth_token: !!str {hex}
{"secretKey": {"value": "{any}"}}
{"dbPassword":{"type":"secret","value":"{pw}"}}
{"user":{"name":"bob","password":"{pw}"}}
{"passwords": ["{pw}"]}
[{"name":"API_TOKEN","value":"{any}"}]
host,port,user,password\ndb1,5432,app,{pw}\n
login,secret\nann,{any}
name\tapi_token\nci\t{any}
| Env | Password |\n|---|---|\n| staging | {pw} |
| Client | Client secret |\n| :-- | :-- |\n| web | ${"`"}{any}${"`"} |
**Admin password:** {pw}
- **Secret key**: ${"`"}{any}${"`"}
**Token:** {hex}
<tr><th>Password</th><td>{pw}</td></tr>
Content-Disposition: form-data; name="api_key"\r\n\r\n{any}\r\n
Content-Disposition: form-data; name="password"\r\n\r\n{pass}\r\n--x--
shop.example.com\tFALSE\t/\tTRUE\t1999999999\tsessionid\t{short}
HTTP/2 200\r\nset-cookie: session={any}; Secure\r\n
GET /x HTTP/1.1\r\nCookie: auth_token={any}\r\n
> Authorization: Bearer {any}
> X-Api-Key: {any}
{"kty":"EC","crv":"P-384","d":"{any}","x":"q","y":"r"}
-----BEGIN OpenVPN Static key V1-----\n{long}\n-----END OpenVPN Static key V1-----
CREATE USER reporting IDENTIFIED BY '{pw}';
CREATE USER reporting WITH PASSWORD '{pw}';
ALTER ROLE reporting PASSWORD '{pass}';
ALTER USER 'root'@'localhost' IDENTIFIED BY '{pw}';
SET PASSWORD FOR root@localhost = PASSWORD('{pw}');
INSERT INTO accounts (login, password, role) VALUES ('ann', '{pw}', 'admin');
UPDATE accounts SET password = '{pw}' WHERE login = 'ann';
cargo login {any}
wandb login {hex}{short}
rabbitmqctl add_user ann {pw}
rabbitmqctl change_password ann '{pw}'
nmcli d wifi connect Cafe password '{pw}'
mc alias set prod https://s3.example.com {short} {any}
composer config http-basic.packages.example.com ann {pw}
composer config gitlab-token.gitlab.com {short}
gh secret set DEPLOY --body {any}
gh secret set DEPLOY -b "{any}"
aws ssm put-parameter --name /db --value '{pw}' --type SecureString
aws secretsmanager update-secret --secret-id db --secret-string '{pw}'
az keyvault secret set --vault-name kv --name db --value {pw}
etcdctl --user admin:{pw} put a b
influx ping -t {any}
mysql -u root -p'{pw}' shop
psql "postgresql://app:{pw}@db/shop"
mongodump --uri "mongodb://app:{pass}@db/shop"
curl -u "ann:{pw}" https://api.example.com/me
curl -H "X-Auth-Token: {any}" https://api.example.com
curl -d "grant_type=password&password={pass}" https://id.example.com/token
docker login -u ann -p {pw} registry.example.com
sshpass -p {pw} ssh ann@host
helm install app chart --set auth.password={pw}
kubectl create secret generic db --from-literal=password={pw}
vault kv put secret/db password={pw}
zip -e -P {pass} out.zip file
openssl rsa -in key.pem -passin pass:{pw}
smbclient //srv/share -U ann%{pw}
export PGPASSWORD='{pw}'; psql -h db
echo '{pw}' | sudo -S true
echo "{any}" | gh secret set TOKEN
ansible_become_password: {pw}
spring.datasource.password={pw}
bolt token ATTA{long}
key wandb_v1_{any}{any}
rpa_{any}
sdk-{uuid}
signkey-prod-{long}
the password is {pw}
Password for the staging box: {pw}
Das Passwort ist {pw}
please use {pw} as the password
my token: {any}
`

const unescaped = (line: string): string =>
  line.replace(/\\([nrt])/g, (_, c) => (c === "n" ? "\n" : c === "r" ? "\r" : "\t"))

export const heldOutSecrets = (): readonly Planted[] =>
  texts
    .trim()
    .split("\n")
    .map(unescaped)
    .map((text, nth): Planted => {
      let secret = ""
      const written = text.replace(/\{(\w+)\}/g, (whole, sort: string) => {
        const value = sorts[sort]?.()
        secret = value ?? secret
        return value ?? whole
      })
      return [`line ${nth + 1}`, written, secret]
    })
