/** Made-up secrets as payloads of tools, password managers, argument lists, tables, dialogues and other languages write them. */
import { made, type Planted } from "./secrets.ts"

const lower = "abcdefghijklmnopqrstuvwxyz"

/** Where a text has one of these in braces, a secret of that sort stands. Made at run time, so that no file holds one. */
const sorts: Readonly<Record<string, () => string>> = {
  /** What a person chooses. */
  pw: () => `${made(5)}!${made(3)}_${made(4)}`,
  easy: () => `S${made(5, "abcdefghijklmnopqrstuvwxyz")}${made(4, "0123456789")}!`,
  /** Words that somebody joined. */
  dotted: () => `${made(5, lower)}.im.S${made(5, lower)}`,
  dashed: () => `S${made(6, lower)}-M${made(5, lower)}`,
  /** What a generator makes. */
  any: () => made(40),
  short: () => made(24),
  hex: () => made(32, "0123456789abcdef")
}

const texts: Readonly<Record<string, string>> = {
  "browser calls": `
await page.fill('#password', '{pw}');
await page.getByLabel("Password").fill("{pw}");
await page.locator('input[name="password"]').fill('{easy}')
page.get_by_placeholder("Password").fill("{pw}")
driver.find_element(By.ID, "password").send_keys("{pw}")
driver.findElement(By.name("passwd")).sendKeys("{easy}");
cy.get('#user_password').type('{pw}')
cy.get('[data-testid="password-input"]').type("{pw}{enter}")
await userEvent.type(screen.getByLabelText(/password/i), '{easy}')
fireEvent.change(getByLabelText("Password"), { target: { value: "{pw}" } })
fill_in "Password", with: "{easy}"
await $('#password').setValue('{pw}')
`,
  "objects in text": String.raw`
called browser_type with {"selector":"#password","text":"{pw}"}
{"text": "{easy}", "ref": "e12", "element": "Password field"}
{fields: [{name: "Password", type: "textbox", ref: "e4", value: "{pw}"}]}
ok\n{"label":"root password","type":"CONCEALED","value":"{easy}"}\ndone
{'Name': '/prod/db/x', 'Type': 'SecureString', 'Value': '{pw}', 'Version': 1}
"Type": "SecureString",\n      "Value": "{easy}",\n      "Version": 3
"SecretString": "{easy}"
{"key":"DEPLOY_THING","value":"{easy}","masked":true,"protected":false}
{"db_url": {"sensitive": true, "type": "string", "value": "{pw}"}}
`,
  "password managers": String.raw`
Fields:\n  username:    alice\n  password:    {pw}
Name: GitHub\nUsername: bob\nPassword: {easy}\nURI: https://github.com
{"id":"x","type":1,"name":"GitHub","login":{"username":"bob","password":"{pw}","totp":null}}
{"fields":[{"name":"recovery","value":"{easy}","type":1,"linkedId":null}]}
Title: Router\nUserName: admin\nPassword: {pw}\nURL: http://192.168.1.1
$ op item get router --fields password --reveal\n{pw}
$ pass show mail/bob\n{pw}
$ bw get password github\n{easy}
`,
  "argument lists": String.raw`
["--password", "{pw}"]
["--password","{easy}"]
args: ["-u", "root", "--password", "{easy}"]
CMD ["mysql", "-u", "root", "-p{pw}"]
["sshpass", "-p", "{easy}", "ssh", "bob@host"]
subprocess.run(["curl", "-u", "bob:{pw}", "https://example.com"])
spawn("sshpass", ["-p", "{pw}", "ssh", "host"])
exec.Command("redis-cli", "-a", "{easy}", "ping")
execFile('mysqldump', ['-uroot', '-p{pw}', 'app'])
Command::new("docker").arg("login").arg("-u").arg("bob").arg("-p").arg("{pw}")
args:\n  - --db-password\n  - {easy}\n  - --verbose
command:\n  - "redis-server"\n  - "--requirepass"\n  - "{pw}"
argv = ['tool', '--api-key', '{short}']
("--token", "{short}")
["docker","login","-u","bob","-p","{easy}","registry.example.com"]
`,
  tables: String.raw`
 id | username | password\n----+----------+-------------------\n  1 | alice    | {pw}\n(1 row)
+----+-------+-----------------+\n| id | user  | password        |\n+----+-------+-----------------+\n|  1 | alice | {pw}  |\n+----+-------+-----------------+
┌────┬───────┬────────────────┐\n│ id │ user  │ password       │\n├────┼───────┼────────────────┤\n│ 1  │ alice │ {easy} │\n└────┴───────┴────────────────┘
┃ Name  ┃ API key ┃\n┡━━━━━━━╇━━━━━━━━━┩\n│ prod  │ {any} │
-[ RECORD 1 ]-------\nid       | 1\nusername | alice\npassword | {pw}
*************************** 1. row ***************************\n      id: 1\npassword: {easy}
name,username,password,url\nGitHub,bob,{pw},https://github.com
folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp\n,,login,GitHub,,,0,https://github.com,bob,{easy},
"url","username","password","httpRealm"\n"https://a.example","bob","{pw}",""
user;passwort;ort\nbob;{easy};Bonn
NAME       USER    PASSWORD\nrouter     admin   {pw}
id  email              password_plain\n--  -----------------  ------------\n1   bob@example.com    {easy}
| Service | Passwort |\n|---|---|\n| NAS | {easy} |
id\tusername\tpassword\n1\tbob\t{pw}
`,
  colours: `
\x1b[32mpassword\x1b[0m: {pw}
\x1b[1mPassword:\x1b[0m \x1b[33m{easy}\x1b[0m
password=\x1b[36m{easy}\x1b[39m
\x1b[36mDB_PASSWORD\x1b[0m\x1b[37m=\x1b[0m\x1b[32m{easy}\x1b[0m
\x1b[38;5;208mapi_key\x1b[0m: \x1b[1;31m"{short}"\x1b[0m
{ password: \x1b[32m'{pw}'\x1b[39m }
"\x1b[34;1mpassword\x1b[0m": \x1b[32m"{easy}"\x1b[0m
`,
  blanks: String.raw`
password:\u00a0{easy}
Password\u00a0:\u00a0{pw}
pass\u200bword: {easy}
password:\u200b {pw}
\ufeffpassword={easy}
API\u00a0key: {short}
password:\u2003{pw}
password：{easy}
password＝{pw}
token:\u202f{short}
`,
  "words that somebody joined": `
11:02:51 DEBUG login attempt user=lena password={dotted} ip=10.4.4.2
server.ssl.key-store-password={dotted}
db_password={dotted}
Password:{dotted} SSLMode:disable
The user is lena and the password is {dashed}.
Das WLAN heißt Gast, das Passwort lautet {dashed}.
Le mot de passe est {dashed}, merci
Your login: jweber, password: {dotted} — please change it on first use.
`,
  "keys of a section": String.raw`
{"Jwt": {"Issuer": "https://id.example.com", "Key": "{any}"}}
jwt:\n  issuer: me\n  key: {any}
[offsite]\ntype = b2\nkey = {any}
pagerduty_configs:\n  - routing_key: {hex}
`,
  "commands and addresses": String.raw`
smbclient //fs01/share -U 'CORP\lena'%'{easy}' -c ls
npx wrangler secret put SOME_THING <<< "{short}"
kinit ines@EXAMPLE.COM <<< "{easy}"
curl https://api.example.com/weather?q=Kiel&appid={hex}&units=metric
user.setPassword("{easy}");
`,
  blocks: String.raw`
password:\n  {pw}
db:\n  password: >-\n    {easy}\n  port: 1
api_key: |\n  {short}\n
password: |-\n  {easy}\nuser: bob
secret_key = """\n{any}\n"""
password = '''{pw}'''
password = """\n{easy}"""
"password":\n    "{easy}"
password =\n  "{pw}"
DB_PASSWORD: &pw\n  {easy}
ENV DB_PASSWORD {easy}
ENV APP_SECRET {pw}
ARG NPM_TOKEN {short}
ENV API_KEY="{short}" \\\n    DB_PASS={easy}
<key>password</key>\n<string>{easy}</string>
`,
  calls: `
config.setPassword("{pw}");
new PostgreSQLContainer().withPassword("{easy}")
builder.password("{easy}").build()
.withUsername("bob").withPassword('{easy}')
client.setApiKey("{short}")
ds.set_password("{pw}")
options.UseSecret("{any}")
new UsernamePasswordCredentials("bob", "{easy}")
new NetworkCredential("bob", "{easy}")
new PasswordAuthentication("bob", "{pw}".toCharArray())
AwsBasicCredentials.create("AKIAQ3EGXAMPLEQWERTY", "{any}")
Credentials.basic("bob", "{easy}")
PlainCredentials('bob', '{easy}')
pika.PlainCredentials("bob", "{pw}")
Client('AC{hex}', '{hex}')
smtp.login("bob@example.com", "{easy}")
server.login('bob', '{pw}')
PlainAuthProvider(username="cassandra", password="{easy}")
connect(user='bob', password='{easy}', host='db')
mysqli_connect("localhost", "root", "{easy}", "app")
new PDO("mysql:host=localhost;dbname=app", "root", "{easy}")
http.basicAuth("bob", "{pw}")
req.SetBasicAuth("bob", "{easy}")
ClientSecretCredential(tenant, client, "{any}")
ssh.connect("host", username="bob", password="{easy}")
`,
  dialogues: String.raw`
220 ready\nUSER bob\n331 password required\nPASS {easy}\n230 logged in
> USER bob\n< 331 Please specify the password.\n> PASS {pw}\n< 230 Login successful.
+OK POP3 ready\nUSER bob\n+OK\nPASS {easy}\n+OK Logged in.
C: USER bob\nS: +OK\nC: PASS {pw}
a1 LOGIN bob {easy}\na1 OK logged in
A001 LOGIN "bob@example.com" "{pw}"
C: a01 LOGIN bob {easy}
127.0.0.1:6379> AUTH {easy}\nOK
redis> AUTH default {pw}\nOK
AUTH {any}\r\n
127.0.0.1:6379> CONFIG SET requirepass {easy}
HELLO 3 AUTH default {pw}
PASS {easy}\nNICK bob\nUSER bob 0 * :bob
/msg NickServ IDENTIFY {easy}
PRIVMSG NickServ :IDENTIFY bob {easy}
/oper bob {pw}
`,
  "other languages": `
Passwort: {easy}
Das Passwort lautet {easy}
Das Passwort für den Server ist {pw}.
mot de passe : {easy}
Le mot de passe est {pw}.
Mot de passe: {easy}
contraseña: {easy}
La contraseña es {easy}
contraseña del servidor: {pw}
Clave: {easy}
la clave es {pw}
senha: {easy}
A senha é {easy}
пароль: {easy}
Пароль от сервера: {pw}
Пароль — {easy}
密码: {easy}
密码：{pw}
密码是 {easy}
数据库密码为{easy}
パスワード: {easy}
パスワードは{pw}です
パスワードは「{easy}」です。
비밀번호: {easy}
비밀번호는 {pw} 입니다
hasło: {easy}
Hasło to {easy}
wachtwoord: {easy}
Het wachtwoord is {pw}
lösenord: {easy}
lösenordet är {easy}
adgangskode: {easy}
passord: {easy}
salasana: {easy}
heslo: {easy}
jelszó: {easy}
parola: {easy}
şifre: {easy}
mật khẩu: {easy}
סיסמה: {easy}
كلمة المرور: {easy}
κωδικός: {easy}
API-Schlüssel: {short}
clé API : {short}
clave de API: {short}
chave de API: {short}
密钥: {any}
API密钥：{any}
令牌：{short}
токен: {any}
ключ API: {short}
`,
  "beside other things": `
scott/{easy}@db.example.com:1521/ORCL
sqlplus scott/{easy}@ORCL
conn = cx_Oracle.connect("scott/{pw}@dbhost/orcl")
exp system/{easy}@orcl file=a.dmp
password: "‹redacted:password› {easy}"
password: correct {easy}
password = my {pw}
`
}

const unescaped = (line: string): string =>
  line
    .replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\x1b/g, "\x1b")
    .replace(/\\([nrt])/g, (_, c) => (c === "n" ? "\n" : c === "r" ? "\r" : "\t"))

const filled = (place: string, text: string): Planted => {
  let secret = ""
  const written = text.replace(/\{(\w+)\}/g, (whole, sort: string) => {
    const value = sorts[sort]?.()
    secret = value ?? secret
    return value ?? whole
  })
  return [place, written, secret]
}

/** By kind, each text with the last secret in it. */
export const writtenSecrets = (): readonly Planted[] =>
  Object.entries(texts).flatMap(([kind, lines]) =>
    lines
      .trim()
      .split("\n")
      .map((line) => filled(kind, unescaped(line)))
  )

const payloads = String.raw`
{"selector":"#password","text":"{pw}"}
{"text":"{easy}","selector":"input[type=password]"}
{"fields":[{"name":"Username","type":"textbox","ref":"e1","value":"bob"},{"name":"Password","type":"textbox","ref":"e2","value":"{easy}"}]}
{"element":"Password input field","ref":"e12","text":"{pw}","submit":true}
{"ref":"password-field","value":"{easy}"}
{"label":"Password","value":"{easy}"}
{"placeholder":"Enter your password","value":"{pw}"}
{"id":"user_password","value":"{easy}"}
{"uid":"1_4","value":"{easy}","target":"textbox \"Password\""}
{"actions":[{"type":"fill","selector":"[name='passwd']","value":"{pw}"}]}
{"action":"type","locator":"//input[@id='password']","keys":"{easy}"}
{"steps":[["fill","#password","{pw}"]]}
{"method":"fill","args":["#password","{easy}"]}
{"function":"() => { document.querySelector('#password').value = '{pw}' }"}
{"id":"password","type":"CONCEALED","purpose":"PASSWORD","label":"password","value":"{pw}"}
{"fields":[{"id":"x1","type":"CONCEALED","label":"root","value":"{easy}"}]}
{"login":{"username":"bob","password":"{pw}","totp":"{short}"}}
{"fields":[{"name":"PIN of the vault","value":"{easy}","type":1}],"login":{"username":"bob"}}
{"Parameter":{"Name":"/prod/x","Type":"SecureString","Value":"{easy}","Version":1}}
{"Parameters":[{"Name":"/prod/a","Value":"{pw}","Type":"SecureString"}]}
{"ARN":"arn:aws:secretsmanager:eu-west-1:1:secret:x","Name":"x","SecretString":"{easy}"}
{"ARN":"arn:aws:secretsmanager:eu-west-1:1:secret:x","SecretString":"{\"username\":\"bob\",\"password\":\"{easy}\"}"}
{"command":"mysql","args":["-u","root","-p{pw}"]}
{"command":"sshpass","args":["-p","{easy}","ssh","host"]}
{"args":["--password","{easy}"]}
{"argv":["docker","login","-u","bob","-p","{pw}"]}
{"cmd":["redis-cli","-a","{easy}"]}
{"mcpServers":{"x":{"command":"npx","args":["-y","srv","--api-key","{short}"]}}}
{"key":"DEPLOY_THING","value":"{easy}","masked":true}
{"env":[{"type":"encrypted","key":"THING","value":"{easy}"}]}
{"question":"What is the password of the database?","answer":"{easy}"}
{"headers":[{"name":"X-Api-Key","value":"{short}"}]}
{"header":[{"key":"Authorization","value":"Bearer {short}"}]}
{"variables":[{"enabled":true,"secret":true,"key":"x","value":"{pw}"}]}
{"Jwt":{"Issuer":"https://id.example.com","Key":"{any}"}}
{"columns":["id","username","password"],"rows":[[1,"bob","{easy}"]]}
{"entries":[["password","{pw}"]]}
{"inputs":[{"id":"pg","type":"promptString","password":true,"value":"{easy}"}]}
{"password":{"_text":"{easy}"}}
{"passwords":{"bob":"{easy}"}}
{"new_password":"{easy}","confirm_password":"{easy}"}
{"Passwort":"{easy}"}
{"mot_de_passe":"{easy}"}
{"contraseña":"{easy}"}
{"пароль":"{easy}"}
{"密码":"{easy}"}
{"form":{"fields":{"Password":{"value":"{pw}"}}}}
{"password":"‹redacted:password› {easy}"}
`

/** The JSON of what a tool is sent, or answers. */
export const sentSecrets = (): readonly Planted[] =>
  payloads
    .trim()
    .split("\n")
    .map((line) => filled("payload", line))

const alike = String.raw`
await page.fill('#username', 'bob.smith2');
await page.getByLabel("Password").click();
expect(page.getByLabel("Password")).toHaveAttribute("type", "password");
cy.get('#password').should('have.attr', 'type', 'password2')
screen.getByText("Password", { exact: false })
fireEvent.change(getByLabelText("Name"), { target: { value: "Bob 123" } })
{"selector":"#password","text":""}
{"label":"Password","text":"Forgot your password?"}
{"id":"password","type":"password","label":"Password","placeholder":"At least 8 characters"}
{"name":"password","type":"string","description":"The user's password, at least 8 characters"}
{'Name': '/prod/db/x', 'Type': 'String', 'Value': 'db-1.example.com'}
{"key":"LOG_LEVEL","value":"debug2","masked":false}
{"sensitive": false, "type": "string", "value": "eu-west-1a"}
["--password", "--user"]
["--password-stdin", "docker2"]
["--token-file", "/run/token2"]
args: ["-p", "8080:80", "nginx2"]
spawn("mkdir", ["-p", "build2/out"])
subprocess.run(["tar", "-p", "-xf", "a1.tar"])
["cp", "-p", "file1", "file2"]
docker run -e MYSQL -p 3306:3306 mysql
 id | username | role\n----+----------+------\n  1 | alice1   | admin2
│ id │ user  │\n│ 1  │ alice2 │
option,password,meaning\nlength,required,at-least-8
NAME       READY   STATUS\nredis-pw   1/1     Running2
Token   Type    Line\nfoo1    ident   12\nbar2    ident   13
\x1b[32mPASS\x1b[0m src/password.test.ts (5.2 s)
PASS src/auth/token2.test.ts
PASS  tests/unit/login3.spec.js
--- PASS: TestLogin2 (0.00s)
PASS: TestPassword3
LOGIN FAILED for bob2
AUTH FAILED code 401
USER story 12 done
\x1b[1mpassword\x1b[0m must have 8 characters
password:\u00a0required
password：至少8个字符
密码长度必须为8到20个字符
密码错误，请重试
パスワードは8文字以上にしてください
パスワードを忘れた場合
비밀번호는 8자 이상이어야 합니다
Das Passwort muss mindestens 8 Zeichen haben
Das Passwort ist falsch
Passwort: mindestens 8 Zeichen
Mot de passe : 8 caractères minimum
Le mot de passe est incorrect
contraseña: mínimo 8 caracteres
La contraseña es obligatoria
A senha é obrigatória
Пароль: не менее 8 символов
Пароль должен содержать 8 символов
hasło: minimum 8 znaków
la clave es la paciencia
Clave: valor
clave primaria: id_usuario2
parola: minimo 8 caratteri
password:\n  type: string\n  minLength: 8
password:\n  description: at least 8 characters
password: |\n  The password of the user,\n  at least 8 characters.
token:\n  - ident2
password =\n  process.env.DB_PASSWORD2
ENV NODE_ENV production2
ENV TOKEN_TTL 3600s
ARG PASSWORD_FILE /run/secrets/pw1
form.setPasswordVisible("true2")
i18n.t("password.label2")
getPassword("db2")
validatePassword("short1")
t("password")
user.setPassword(newPassword2)
new UsernamePasswordCredentials(user1, pass1)
new Credentials(provider2, "eu-west-1")
logger.login("bob2", "ok")
assert.equal(login("bob", "page2"), true)
import/export@2.0.1/src
src/components/user1@2x.png
docs/guide@v2.example.com
npm/left-pad@1.3.0
password: string // at least 8 characters
password: at least 8 characters, one digit
Password reset link expires in 24h
const { password } = form.values2
The token ‹redacted:github-token› is in use since v2
Schlüssel: siehe Seite 12
Key: Value1
тип: строка1
токен: строка
密钥长度：256位
{ name: "password", label: "Passwort", rules: ["min8"] }
<input id="password" name="password" type="password" />
label: Password\nvalue: required
arn:aws:secretsmanager:eu-central-1:111122223333:secret:prod/orders/db-Xk29Qm
STRIPE_SECRET_KEY=sk_live_xxxxxxxxxxxxxxxxxxxxxxxx
ds.setPassword(env.getProperty("db.password"));
{"login":{"password":"Passwort","token":"Zugangscode","secret":"Geheimnis"}}
{"old_string":"<input type=\"text\" name=\"password\" />","new_string":"<input type=\"password\" />"}
password=config.database.Name
password=self.entry.Value
{ password: Schema.String }
password: PropTypes.string
password: user.Name
secret=java.lang.String
the password is case-sensitive.
The password is Base64-encoded, and the token is URL-safe.
Das Passwort ist Windows-spezifisch.
the password is read-only, write-only or none
routing_key: orders.eu1.created
"cache": {"key": "v1-linux-node20-5f3a9c"}
cache:\n  key: linux-build-9f8a7b6c5d4e3f2a
"jwt": {"key": "/etc/keys/jwt-2024-signing.pem"}
kubectl get secrets <<< "nothing2"
https://example.com/launch?appid=570940
`

/** What only looks alike, beside each kind. */
export const otherLookAlikes = (): readonly string[] => alike.trim().split("\n").map(unescaped)

/** What tools are sent that is no secret. */
export const sentLookAlikes: readonly unknown[] = [
  { selector: "#username", text: "bob.smith2" },
  { selector: "#password", action: "click" },
  { element: "Password field", ref: "e2", slowly: true },
  { fields: [{ name: "Username", type: "textbox", ref: "e1", value: "bob2024" }] },
  { label: "Password", text: "Forgot your password?" },
  { placeholder: "Enter your password", id: "e12" },
  {
    id: "password-reset",
    title: "Reset your password in 3 steps",
    text: "Open the settings, then click Reset 2"
  },
  { name: "password", type: "string", description: "At least 8 characters", required: true },
  { Name: "/prod/host", Type: "String", Value: "db-1.example.com" },
  { key: "LOG_LEVEL", value: "debug2", masked: false },
  { question: "Which password hash do we use?", answer: "argon2id" },
  { question: "Should the token be stored in the keychain?", answer: "Yes, in keychain2" },
  { command: "mkdir", args: ["-p", "build2/out"] },
  { command: "docker", args: ["run", "-p", "8080:80", "nginx2"] },
  { args: ["--password-file", "/run/secrets/db2"] },
  { args: ["--token-limit", "4096"] },
  { todos: [{ id: "1", content: "Rotate the password of db2", status: "pending" }] },
  { id: "token-parser-2", content: "Fix the token parser for v2", status: "done" },
  { pattern: "password", path: "src/auth2", output_mode: "content" },
  { path: "src/password2.ts", content: "export const minLength = 8\n" },
  { file_path: "src/login/password.ts", old_string: "length < 8", new_string: "length < 12" },
  { columns: ["id", "username"], rows: [[1, "bob2024"]] },
  { properties: { password: { type: "string", title: "Password", default: "" } } },
  { name: "password", value: "" },
  { type: "hidden", name: "page", value: "page2of3" },
  { name: "tokenizer", value: "bpe-50k" },
  { title: "Password policy", text: "Passwords have 12 characters" },
  { text: "The password page is done", id: "msg_1" },
  { query: "password manager comparison 2026", max: 5 },
  { target: "password-service", content: "v2.3.1" },
  { name: "get_secret", input: { path: "kv/app2" } },
  { type: "tool_use", id: "toolu_1", name: "read_password_policy", input: { text: "section 2" } }
]
