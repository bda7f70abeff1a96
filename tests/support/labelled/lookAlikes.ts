/** Texts of daily work that hold no secret, though they look as if they might. The random ones are made at run time. */
import { made } from "./secrets.ts"

const hex = "0123456789abcdef"
const uuid = (): string => [8, 4, 4, 4, 12].map((length) => made(length, hex)).join("-")
const encoded = (length: number): string =>
  made(length, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

const generated = (): string[] => [
  uuid(),
  `request ${uuid()} took 34 ms`,
  `session_id=${uuid()}`,
  `{"id":"${uuid()}","session":"${uuid()}"}`,
  `commit ${made(40, hex)}`,
  `${made(7, hex)} Fix the token parser`,
  `index ${made(7, hex)}..${made(7, hex)} 100644`,
  `git checkout ${made(40, hex)}`,
  `HEAD is now at ${made(9, hex)} Reset the password form`,
  `Merge commit '${made(40, hex)}'`,
  `"integrity": "sha512-${encoded(86)}=="`,
  `"integrity": "sha1-${encoded(27)}="`,
  `integrity="sha384-${encoded(64)}"`,
  `resolved "https://registry.example.com/a/-/a-1.0.0.tgz#${made(40, hex)}"`,
  `image: nginx@sha256:${made(64, hex)}`,
  `docker pull alpine@sha256:${made(64, hex)}`,
  `digest: sha256:${made(64, hex)}`,
  `${made(64, hex)}  file.tar.gz`,
  `md5 ${made(32, hex)}`,
  `ETag: "${made(32, hex)}"`,
  `etag=W/"${made(24, hex)}"`,
  `cache-key: linux-node-${made(64, hex)}`,
  `key: \${{ runner.os }}-\${{ hashFiles('**/package-lock.json') }}`,
  `build_key=main-${made(40, hex)}`,
  `background: url(data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${encoded(200)})`,
  `<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">`,
  `//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozfQ`,
  `-----BEGIN CERTIFICATE-----\n${encoded(64)}\n${encoded(64)}\n-----END CERTIFICATE-----`,
  `-----BEGIN PUBLIC KEY-----\n${encoded(64)}\n-----END PUBLIC KEY-----`,
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${encoded(43)} me@host`,
  `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ${encoded(120)} me@host`,
  `SHA256:${encoded(43)} me@host (ED25519)`,
  `traceparent: 00-${made(32, hex)}-${made(16, hex)}-01`,
  `X-Request-Id: ${uuid()}`,
  `span_id=${made(16, hex)} trace_id=${made(32, hex)}`,
  `main.${made(8, hex)}.js`,
  `/assets/index-${made(8)}.css`,
  `pod/web-${made(9, hex)}-x7k2p`,
  `deployment-${made(10, hex)} Running 0 3d`,
  `arn:aws:iam::123456789012:role/deploy-${made(8, hex)}`,
  `vpc-${made(17, hex)} subnet-${made(17, hex)}`,
  `i-${made(17, hex)} is running`,
  `toolu_${made(24)}`,
  `call_${made(24)}`,
  `msg_${made(24)}`,
  `chatcmpl-${made(29)}`,
  `req_${made(24)}`,
  `cus_${made(14)}`,
  `https://example.com/watch?v=${made(11)}&t=480s`,
  `https://example.com/p?h=480&w=640&s=1`,
  `https://example.com/p?hash=${made(8, hex)}`,
  `https://cdn.example.com/a.js?v=${made(20, hex)}`,
  `https://example.com/issues?id=${uuid()}&s=open`,
  `https://example.com/docs/d/${made(44)}/edit`,
  `https://github.com/o/r/commit/${made(40, hex)}`,
  `0x${made(40, hex)}`,
  `color: #${made(6, hex)}; --accent: #${made(8, hex)}`,
  `"fileHash": "${made(32, hex)}"`,
  `h1:${encoded(43)}=`,
  `checksum = "${made(64, hex)}"`
]

const written = `
API_KEY=YOUR_API_KEY
api_key: your-api-key-here
OPENAI_API_KEY=sk-...
export TOKEN=${"$"}{TOKEN}
password: ${"$"}{DB_PASSWORD}
password: ${"$"}{{ secrets.DB_PASSWORD }}
token: <token>
curl -H "Authorization: Bearer $TOKEN" https://example.com
curl -H "Authorization: Bearer <your token>" https://example.com
curl -u "$USER:$PASS" https://example.com
mysql -u root -p app
mysql -u root -p$MYSQL_PASSWORD app
docker run -p 8080:80 nginx
docker login -u me --password-stdin
ssh -p 2222 me@host
psql postgres://me:$PGPASSWORD@localhost/app
postgres://user:password@localhost/app
redis://localhost:6379/0
const token = process.env.TOKEN
const password = process.env.DB_PASSWORD ?? ""
password = os.environ["DB_PASSWORD"]
password = getpass.getpass()
token = request.headers.get("authorization")
const token = await getToken(user)
const apiKey = config.get("apiKey")
interface User { name: string; password: string }
password: string
token?: string | undefined
password: z.string().min(8)
password: { type: "string", required: true }
def login(username, password):
function check(password: string, secret: Buffer): boolean {
if (password === confirmPassword) return
if token == nil {
return { token, password }
this.token = token
self.password = password
token := r.Header.Get("X-Token")
String password = null;
private String password;
<input type="password" name="password" />
<label for="password">Password</label>
placeholder="Enter your password"
The token is refreshed every hour.
The password is stored as a hash.
The secret is in the vault.
Your password must be at least 12 characters long.
The password is required and must match the confirmation.
The API key is missing from the request.
The key is to write small functions.
A token is a string of characters that the lexer returns.
Is the password correct? It was yesterday.
the token was revoked by the user
The login is broken since Monday.
The pin is on the back of the board.
Tokens: 1234 in, 567 out
max_tokens=4096
max_tokens: 200000
input_tokens: 12345, output_tokens: 678
"usage": {"input_tokens": 3120, "cache_read_input_tokens": 99182}
tokens used: 45,210
token count: 12345
token_type: bearer
"token_type": "Bearer"
next_page_token: null
csrf_token()
primary key (id)
PRIMARY KEY AUTOINCREMENT
foreign key: user_id
key: value
key=name
sort_key=created_at
keyCode: 13
onKeyPress={handleKeyPress}
<li key={item.id}>
key="user-list-item"
public_key: id_ed25519.pub
partition_key = "tenant_id"
--key-file /etc/ssl/private/server.key
ssl_certificate_key /etc/nginx/ssl/server.key;
IdentityFile ~/.ssh/id_ed25519
private_key_path: ./keys/dev.pem
authorization: required
Authorization code flow with PKCE
author: Jane Doe <jane@example.com>
auth: oauth2
auth-method: none
"auth": true
Set-Cookie: theme=dark; Path=/
Cookie: lang=en; consent=true
cookies: accept
session=true
sessionTimeout: 3600
passed: 12, failed: 0
pass: 34 tests
PASS tests/unit/redact.test.ts
bypass=true
compass: north
pathname: /reset-password
GET /users/password/new 200 in 12ms
POST /api/token 401 12 - 3 ms
rm -rf node_modules && npm ci
tar -xzf archive.tar.gz -C /opt
grep -rn "password" src --include=*.ts
rg -p secret src/
git log -p --since=2.weeks
mkdir -p src/secrets
cp -p token.ts src/log/token.ts
npm install --save-dev vitest@3.2.7
"version": "1.2.3-beta.4+build.567"
node v22.11.0 on linux-x64
10.0.0.1:5432
localhost:5432:app
src/log/secretNames.ts:12:5: error TS2322
src/log/redact.ts:120:34 - warning
at Object.<anonymous> (/app/src/token.ts:10:15)
Error: invalid token at position 12
SyntaxError: Unexpected token } in JSON at position 42
error: password authentication failed for user "postgres"
Error: secret "db-credentials" not found
secretName: db-credentials
secretKeyRef:
imagePullSecrets: regcred
kubectl get secret db-credentials -o yaml
aws secretsmanager get-secret-value --secret-id prod/db
vault kv get secret/app
vault login -method=oidc
op read op://vault/item/password
gh auth token
gh secret set NPM_TOKEN
npm token list
.btn{color:#fff;padding:0 4px}.pass{color:red}
!function(e,t){var n=t.token,r=e.key;return n===r?e:t}(window,document)
var a=function(b){return b.password=b.secret||c};
import { findTokens } from "./secretTokens.ts"
export const secretName = (name: string): SecretName | undefined => {
type Token = { kind: "word"; start: number; end: number }
enum TokenKind { Word, Space, Number }
case "password": return "text"
t("auth.password.label")
i18n.key = "user.password.reset"
password.length < 8
hash(password, salt)
bcrypt.compare(password, user.passwordHash)
jwt.verify(token, publicKey)
expect(token).toBe("abc")
assert password != ""
Contact: security@example.com
me@example.com:~/project$ ls
12:34:56 INFO token refreshed for user 42
user=42 action=login ip=10.0.0.7
the quick brown fox jumps over the lazy dog while the cat sleeps
please add the new word list below and keep the order that you find there
`

export const harmlessLookAlikes = (): readonly string[] => [
  ...generated(),
  ...written.split("\n").filter((line) => line !== "")
]
