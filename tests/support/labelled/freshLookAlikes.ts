/** Declarations, statements, commands, tables and forms without a secret in them; half of them were looked at only when all was done. */
const texts = String.raw`
password: string;
password?: string
token: string | undefined = undefined,
export interface Login { username: string; password: string }
function login(user: string, password: string): Promise<void> {
constructor(private readonly apiKey: string, private readonly secret: string) {}
const apiKey: string = process.env.API_KEY ?? "";
const token: string = await getToken()
let password: String = env::var("DB_PASSWORD").unwrap();
pub fn connect(password: &str, token: &str) -> Result<()> {
val apiKey: String = BuildConfig.API_KEY
private val password: String by lazy { prompt() }
def connect(user: str, password: str = "") -> None:
password: Optional[str] = None
api_key: str = Field(default="", description="The API key")
API_KEY: Final = os.environ["API_KEY"]
var apiKey string = os.Getenv("API_KEY")
type Config struct { Password string }
Password string ${"`"}json:"password"${"`"}
private static final String PASSWORD = "password";
private static final String TOKEN_HEADER = "X-Auth-Token";
public static final String API_KEY_PARAM = "api_key";
public string Password { get; set; } = "";
public string ApiKey { get; set; } = string.Empty;
static const char *token_type = "bearer";
char password[64] = "";
char password[MAX_LEN];
#define PASSWORD_MAX 128
#define TOKEN_SEPARATOR ","
#define API_KEY_LENGTH 32
#define SECRET_FILE "/etc/app/secret"
#define HAVE_PASSWORD_HASH 1
validates :password => true
:password => :string
{ :password => params[:password] }
field :password, String, required: true
attr_accessor :password, :token
password => hash(password)
.then(token => setToken(token))
password: &default_password
password: !Ref DatabasePassword
password: !Sub "${"$"}{DbPassword}"
password: !secret wifi_password
token: !vault |
password: !!null ~
{"password":{"type":"string","minLength":8}}
{"password":{"value":""}}
{"token":{"type":"keyword","value":"return"}}
{"token": {"value": "identifier", "line": 12}}
{"secret":{"name":"db-credentials","namespace":"prod"}}
{"secrets":["NPM_TOKEN","GH_TOKEN"]}
{"apiKey":{"type":"apiKey","in":"header","name":"X-API-Key"}}
{"password":{"value":"${"$"}{DB_PASSWORD}"}}
{"passwords": []}
variable "db_password" {\n  type      = string\n  sensitive = true\n}
variable "db_password" {\n  default = ""\n}
name,password_required,role\nbob,true,admin
user,password\nbob,${"$"}{PASSWORD}
user,password\n<user>,<password>
id,token_count,model\n1,2048,small
key,value\nlanguage,en\nregion,eu-west-1
| Option | Password | Default |\n| --- | --- | --- |\n| length | required | 12 |
| Variable | Secret | Description |\n|---|---|---|\n| DB | DB_PASSWORD | the database |
| Name | Token |\n|---|---|\n| semicolon | ; |\n| identifier | IDENT |
| Field | Type |\n|---|---|\n| password | string |\n| token | string |
| Feature | API key | OAuth |\n|---|---|---|\n| read | yes | yes |
| Token | Value |\n|---|---|\n| color-primary | #3366ff |\n| space-4 | 16px |
 Column | Type | Nullable\n--------+------+---------\n password | text | not null
| Secret | Used by |\n|---|---|\n| db-creds-v2 | api |\n| tls-cert-2024 | ingress |
**Password:** at least 12 characters
**Password**: required, see below
**Token:** the token of your account
- **API key**: create one in the settings
**Secret:** ${"`"}SECRET_KEY${"`"}
<label>Password</label> <input type="password" name="password" />
<th>Password</th><th>Role</th>
<td>Password</td><td>required</td>
<dt>Token</dt><dd>the token that was sent</dd>
<input type="password" placeholder="Your password" value="">
<input type="password" value="{{ password }}">
Content-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello
Content-Disposition: form-data; name="password"\r\n\r\n
.example.com\tTRUE\t/\tFALSE\t0\tlang\ten
.example.com\tTRUE\t/\tFALSE\t0\ttheme\tdark-mode
{"kty":"RSA","e":"AQAB","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx"}
{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}
{"d":"M10 20 L30 40 Z","fill":"none"}
CREATE USER app IDENTIFIED BY '${"$"}{DB_PASSWORD}';
CREATE USER app IDENTIFIED BY :password;
ALTER ROLE app PASSWORD NULL;
ALTER USER app IDENTIFIED WITH auth_socket;
ALTER TABLE users ADD COLUMN password text NOT NULL
CREATE TABLE users (id serial, password varchar(255), token text)
INSERT INTO users (name, password) VALUES ($1, $2)
INSERT INTO users (name, password) VALUES (?, ?);
INSERT INTO settings (key, value) VALUES ('theme', 'dark')
SELECT id, password FROM users WHERE token = $1
UPDATE users SET password = crypt($1, gen_salt('bf'))
SET PASSWORD FOR 'app'@'%' = ?;
cargo login
cargo login --help
wandb login --relogin
snyk auth
gh auth login --with-token < token.txt
doctl auth init
flyctl auth token
rabbitmqctl list_users
rabbitmqctl set_permissions -p / bob ".*" ".*" ".*"
nmcli dev wifi list
nmcli dev wifi connect Home password "$WIFI_PASSWORD"
mc alias set local http://127.0.0.1:9000 $KEY $SECRET
mc alias list
composer config -g github-oauth.github.com "$TOKEN"
composer config repositories.x vcs https://github.com/a/b
poetry config virtualenvs.in-project true
bundle config set --local path vendor/bundle
bundle config set without development:test
gh secret set NPM_TOKEN
gh secret set NPM_TOKEN --body "$NPM_TOKEN"
gh secret set NPM_TOKEN < token.txt
gh secret list --repo o/r
echo "$TOKEN" | gh secret set DEPLOY_KEY
cat token.txt | docker secret create db -
wrangler secret put API_TOKEN
aws ssm get-parameter --name /app/db --with-decryption
aws ssm put-parameter --name /app/url --value https://example.com --type String
aws ssm put-parameter --name /app/db --value "$DB" --type SecureString
aws secretsmanager get-secret-value --secret-id prod/db --query SecretString
aws secretsmanager create-secret --name x --secret-string file://secret.json
az keyvault secret show --vault-name v --name n
az keyvault secret set --vault-name v -n db --value "$VALUE"
kubectl create secret generic app --from-file=key=./key.pem
kubectl create secret generic app --from-literal=user=$USER
vault kv get -field=value secret/app
vault kv put secret/app value=@secret.txt
doppler secrets download --no-file
dotnet user-secrets init
dotnet user-secrets set "Smtp:Host" "smtp.example.com"
dotnet nuget push p.nupkg -k $NUGET_KEY
etcdctl get / --prefix --keys-only
etcdctl --user root get x
influx query -o org 'from(bucket:"b")'
docker run -t -i ubuntu bash
tail -A x; ls -X; tar -x -f a.tar
snmpwalk -v2c -c public 10.0.0.1
ipmitool -H 10.0.0.5 -U root -f pw.txt power status
sqlplus / as sysdba
net user
net use
setx PATH "C:\tools;%PATH%"
setx EDITOR vim
git config --global user.name "Ann Example"
git config credential.helper store
yarn config set registry https://registry.npmjs.org
bw unlock --passwordenv BW
bw sync
kinit -kt app.keytab app@EXAMPLE.COM
ConvertTo-SecureString $plain -AsPlainText -Force
ConvertTo-SecureString -String $env:PW -AsPlainText
auth=("user", password)
auth = (user, token)
HTTPBasicAuth(user, password)
DriverManager.getConnection(url, user, password)
const key = process.env.API_KEY ?? throwError("API_KEY is missing")
const token = req.headers["x-token"] || null
if (!password || !user) return
ENV['API_TOKEN'] || raise
ENV.fetch("API_TOKEN") { "test" }
getenv('API_SECRET') ?: null
expect "Password:"; send "$password\r"
the WIFI: 5 GHz
auth-user-pass /etc/openvpn/auth.txt
{"username":"bob","key":"name"}
{"id":"sdk-tools","uuid":"3f2b8c1e-4a5d-4e6f-8a7b-9c0d1e2f3a4b"}
api-3f2b8c1e is a short id
commit 3f2b8c1e4a5d6e7f8a9b0c1d2e3f4a5b6c7d8e9f
integrity sha512-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6QUJDREVGR0hJSktMTU5PUA==
use admin / user to log in
credentials: see the vault
the login is bob and the password is in the vault
user bob pass the test
Passwords are hashed with argon2id before they are stored.
.password-field { color: red; }
input[type="password"] { border: 1px solid #ccc; }
## Password reset\n\nA token is sent by mail.
Set a password: at least 12 characters, one digit.
throw new Error("Invalid password: must contain a digit")
it("rejects a wrong password", async () => {
t.string("password", 255).notNullable()
@Column({ name: "password" }) password!: string;
password!: string;
token?: string;
z.object({ password: z.string().min(8), token: z.string() })
passwordHash: sha256(password + salt)
const { token, password } = req.body
token = next(tokens)
for (const token of tokens) parse(token)
case TokenKind.Secret: return "secret"
"password": "Password", "secret": "Geheimnis"
"forgotPassword": "Forgot your password?"
  --password string   the password of the user (default "")
  -p, --password <password>  password to use
usage: login [-u USER] [-p PASSWORD] [--token TOKEN]
`

const unescaped = (line: string): string =>
  line.replace(/\\([nrt])/g, (_, c) => (c === "n" ? "\n" : c === "r" ? "\r" : "\t"))

/** In turn they go to one half or the other. */
export const freshLookAlikes = (half: 0 | 1): readonly string[] =>
  texts
    .trim()
    .split("\n")
    .filter((_, nth) => nth % 2 === half)
    .map(unescaped)
