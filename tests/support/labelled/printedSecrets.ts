/** Made-up secrets in what programs print and are told: sessions of shells, announcements, codes, logs of statements, arguments. */
import { made, type Planted } from "./secrets.ts"

const hex = "0123456789abcdef"
const digits = "0123456789"
const lower = "abcdefghijklmnopqrstuvwxyz"

/** Where a text has one of these in braces, a secret of that sort stands. Made at run time, so that no file holds one. */
const sorts: Readonly<Record<string, () => string>> = {
  pw: () => `${made(4)}-${made(6)}!${made(4)}`,
  words: () => `${made(6, lower)} & ${made(4, lower)} | 4 > ${made(5, lower)}`,
  any: () => `${made(20)}7aB`,
  hex: () => `${made(30, hex)}a7`,
  long: () => `${made(62, hex)}a7`,
  upper: () => `${made(30, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}Q2NH4`,
  base: () => Buffer.from(made(32)).toString("base64"),
  uuid: () => [8, 4, 4, 4, 12].map((length) => made(length, hex)).join("-"),
  join: () => `${made(5, lower)}7.${made(15, lower + digits)}3`,
  groups: () => [4, 4, 4, 4].map((length) => made(length, lower)).join(" "),
  code: () => `7${made(4, "23456789")}1`,
  spaced: () => `7${made(2, "23456789")} ${made(2, "23456789")}1`,
  seed: () => `SUA${made(55, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}`,
  rescue: () => [0, 0, 0, 0].map(() => `${made(3, "ABCDEFGHJKLMNP")}7`).join("-")
}

const sessions = String.raw`
$ cat config/master.key\n{hex}\n$ git status
# cat /run/secrets/db\n{pw}\n# ls
root@h:~# head -1 /etc/mongod.keyfile\n{base}\n
% less ~/.vault_pass.txt\n{pw}\n
PS C:\srv> Get-Content C:\\nexus\admin.password\n{uuid}\nPS C:\srv> 
C:\srv>type C:\srv\admin.password\n{uuid}\n\nC:\srv>
user@host:~$ sudo cat /var/lib/jenkins/secrets/initialAdminPassword\n[sudo] password for user: \n{hex}\nuser@host:~$ exit
cat /etc/chef/encrypted_data_bag_secret\n{base}\nchef-client
>>> settings.SECRET_KEY\n'{any}'\n>>> 
irb(main):001:0> Rails.application.secret_key_base\n=> "{long}"\n
> process.env.API_KEY\n'{any}'\n
>>> secrets.token_hex(32)\n'{long}'\n
$ openssl rand -hex 16\n{hex}
$ openssl rand -base64 32 | tr -d '\\n'; echo\n{base}\n$ ls
$ head -c 24 /dev/urandom | base64\n{any}\n
$ pwgen 12 1\n{any}\n
$ php artisan key:generate --show\nbase64:{base}\n
$ python -c 'from django.core.management.utils import get_random_secret_key; print(get_random_secret_key())'\n{pw}\n
$ wg genkey\n{base}
$ wg genpsk | tee psk\n{base}
$ aws ssm get-parameter --name /a/b --with-decryption --query Parameter.Value --output text\n{pw}\n
$ aws secretsmanager get-secret-value --secret-id prod/db --query SecretString --output text\n{pw}\n
$ aws ecr get-login-password --region eu-west-1\n{base}\n
$ gcloud secrets versions access latest --secret=db\n{pw}
$ az keyvault secret show --vault-name v -n db --query value -o tsv\n{pw}\n
$ vault kv get -field=password secret/db\n{pw}\n
$ op read op://vault/db/password\n{pw}\n
$ bw get password github\n{pw}\n
$ pass show work/db\n{pw}\n
$ gopass show work/db\n{pw}\n
$ security find-generic-password -s x -w\n{pw}\n
$ secret-tool lookup a b\n{pw}\n
$ kubectl get secret db -o jsonpath='{.data.password}' | base64 -d\n{pw}$ ls
$ kubectl get secret db -o json | jq -r .data.password | base64 -d; echo\n{pw}\n
$ heroku config:get DATABASE_PASSWORD\n{pw}
$ pulumi config get dbPassword\n{pw}\n
$ pulumi config --show-secrets\nKEY                     VALUE\naws:region              us-west-2\nshop:dbPassword         {any}\n
$ terraform output -raw db_password\n{pw}\n
$ kubeadm token create\n{join}\n
$ consul keygen\n{base}\n
$ echo $DB_PASSWORD\n{pw}\n
$ printenv API_TOKEN\n{any}\n
$ jq -r .password conf.json\n{pw}\n
$ docker compose exec app cat /run/secrets/pw\n{pw}\n$ ls
$ ssh web01 'sudo cat /opt/rel/COOKIE'\n{upper}\n
$ cat master.key && ls\n{hex}\napp\n
(venv) me@x:~/p$ mix phx.gen.secret 32\n{any}\n
$ rails secret\n{long}\n
$ wp config get DB_PASSWORD\n{pw}\n
$ git config --get github.token\n{any}\n
$ doppler secrets get DB_URL --plain\n{pw}\n
$ argocd admin initial-password -n argocd\n{pw}\n\n This password must be only used for first time login.
$ node -e "console.log(require('crypto').randomBytes(32).toString('hex'))"\n{long}\n
$ docker swarm unlock-key -q\nSWMKEY-1-{any}{any}
$ openssl rand -base64 96\n{base}aaaaaaaaaaaaaaaaaaaa\nXp80ks/bebSbmd2r+Fjcq2CKXKJKXAlHw8KC4muofaQaaaaaaaaaaaaaaaaaaaa\nabcd==\n$ ls
`

const announced = String.raw`
Unseal Key 1: {base}\nUnseal Key 2: x
Recovery Key 3: {base}
Initial Root Token: {uuid}
Password for the [elastic] user successfully reset.\nNew value: {pw}
2024 [Note] A temporary password is generated for root@localhost: w/kW>{any}
Please use the following password to proceed to installation:\n\n{hex}\n\nThis may also be found at: /x
Use this app password: {groups}\nPut it there
[upload-certs] Using certificate key:\n{long}\n
command and provide the following key:\n\n    SWMKEY-1-{any}{any}\n
docker swarm join --token SWMTKN-1-{any}{any} 10.0.0.1:2377
Key                   Value\n---                   -----\nsecret_id             {uuid}\nsecret_id_num_uses    0\n
SecretID:         {uuid}\nDescription: x
Secret ID    = {uuid}\n
{"data":{"secret_id":"{uuid}","secret_id_ttl":0}}
| API Key    | 7QKZ2VXM4TLW9RBN |\n| API Secret | {base} |\n
https://m.example/user/reset/1/1718630921/{any}9-x0Gv/login
https://m.example/reset/MQ/bxk3p2-{hex}/
https://a.example/password_reset/42/{hex}
-----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------
kubeadm join 10.0.0.5:6443 --token {join} \\\n\t--discovery-token-ca-cert-hash x
kubeadm init --token={join}
TOKEN                     TTL         EXPIRES\n{join}   23h         2024-05-01T00:00:00Z   authentication,signing
K10{long}::server:{hex}
Generated admin password:\n  {pw}\n
The admin password has been set to:\n\n    {pw}\n
Your new password is:\n{pw}
Save this token, it will not be shown again:\n\n  {hex}\n
Here is your API key:\n{base}\n
Password for user "admin": {pw}
Changed password for user kibana_system\nPASSWORD kibana_system = {pw}
 1) "requirepass"\n 2) "{pw}"
✅ Password for the elastic user (reset with ${"`"}bin/elasticsearch-reset-password -u elastic${"`"}):\n  {pw}
chpasswd:\n  list: |\n    ops:{pw}\n
          chpasswd:\n              list: |\n          -     ops:rotated\n          +     ops:{pw}\n        EOT
sql: UPDATE users SET password = ? WHERE id = ? [["password", "{pw}"], ["id", 3]]
insert into users (name, password) values (?, ?) -- params: ["bob", "{pw}"]
LOG:  execute <unnamed>: insert into users (email, password) values ($1, $2)\nDETAIL:  parameters: $1 = 'a@b.c', $2 = '{pw}'
`

const codes = String.raw`
Your verification code is: {code}
body="Dein Code lautet {code}. Gib ihn nicht weiter."
Ihr Bestätigungscode: {spaced}
Votre code de vérification est {code}
Tu código de verificación es {code}
Il tuo codice di verifica è {code}
Je verificatiecode is {code}
Twój kod weryfikacyjny: {code}
Ваш код подтверждения: {code}
您的验证码是{code}，5分钟内有效
認証コード：{code}
인증번호 [{code}]
{code} is your Google verification code
G-{code} is your Google verification code.
INFO otp for user 12: {code}
sent OTP {code} to +4917
use {code} as your login code
Your recovery code: {rescue}
`

const told = String.raw`
fly -t harbor login -c https://x -n p \\\n    -u ops -p {pw}\nlogging
security unlock-keychain -p '{pw}' ~/Library/Keychains/login.keychain-db
security import certs/dist.p12 -k build.keychain \\\n  -P {pw} -T /usr/bin/codesign
security set-key-partition-list -S apple-tool: -k {pw} build.keychain
security add-generic-password -a me -s x -w {pw}
./codecov -f coverage.xml -F unit -t {uuid}
iex --name a@b --cookie {any} --remsh x
erl -sname a -setcookie {any}
mix hex.organization auth tidewater --key {hex}
mvn deploy -Dgpg.passphrase='{words}' -B
snyk config set api={uuid}
wg set wg0 peer x preshared-key <(echo '{any}=')
wp config create --dbname=x --dbuser=y --dbpass={pw}
echo "{hex}" > config/master.key
printf '%s' '{pw}' | sudo tee /etc/app/db_password > /dev/null
cat > ~/.vault_pass_prod <<'EOF'\n{pw}\nEOF\nls
cat <<EOF > config/master.key\n{hex}\nEOF
tee /run/secrets/db_password <<EOF\n{pw}\nEOF
127.0.0.1:6379> ACL SETUSER queue on >{pw} ~bull:* +@all
redis-cli acl setuser q on '>{pw}' '~*'
fly secrets set MODE=slow STRIPE={any}
dotnet user-secrets set "Jwt:Key" "{any}"
rclone config create r sftp host h user u pass {pw}
choco apikey -k {uuid} -s https://x
vsce publish -p {any}
echo '{words}' | gh secret set X
echo "{words}" | docker login -u me --password-stdin
ansible-vault encrypt_string '{pw}' --name 'x'
mkpasswd -m sha-512 '{pw}'
openssl passwd -6 '{pw}'
slappasswd -s {pw}
sshpass -p '{words}' ssh me@h
PGPASSWORD='{words}' psql -h h
`

/** What is no line's end in a text of its own. */
const plain = (line: string): string =>
  line.replace(/(?<!\\)\\([nt])/g, (_, c) => (c === "n" ? "\n" : "\t")).replaceAll("\\\\", "\\")

const planted = (place: string, lines: string): readonly Planted[] =>
  lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Planted => {
      let secret = ""
      const text = plain(line).replace(/\{(\w+)\}/g, (whole, sort: string) => {
        const value = sorts[sort]?.()
        if (value === undefined) return whole
        secret = value
        return value
      })
      return [place, text, secret]
    })

export const printedSecrets = (): readonly Planted[] => [
  ...planted("session", sessions),
  ...planted("announcement", announced),
  ...planted("code", codes),
  ...planted("argument", told)
]

/** What looks like these and holds no secret. */
export const printedLookAlikes = (): readonly string[] =>
  String.raw`
$ cat config/master.key\ncat: config/master.key: No such file or directory\n$ git rev-parse HEAD\n{hex}00000000\n
$ sha256sum master.key\n{long}  master.key\n
$ cat master.key | sha256sum\n{long}  -\n
$ cat wg/public.key\n{base}\n
$ wg pubkey < private.key\n{base}\n
$ cat src/token.ts\nexport const a1B2 = 3\n
$ git rev-parse HEAD\n{hex}00000000\n
$ uuidgen\n{uuid}\n
$ openssl rand -hex 16 > x.key\n$ git log -1 --format=%H\n{hex}00000000
$ kubectl get secret\nNAME   TYPE  DATA AGE\ndb-creds-x2k4 Opaque 1 3d\n
$ kubectl get secret db -o jsonpath='{.metadata.uid}'\n{uuid}\n
$ kubectl get secret -o name\nsecret/db-creds-x2k4m\n
$ aws secretsmanager list-secrets --query 'SecretList[].Name' --output text\nprod/db1\n
$ aws ssm get-parameter --name /a --query Parameter.Version --output text\n123456\n
$ vault kv get -field=username secret/db\nsvc_app1\n
$ vault kv list secret/\nKeys\n----\ndb1-prod\n
$ heroku config:get NODE_ENV\nproduction1\n
$ terraform output -raw vpc_id\nvpc-0a1b2c3d4e5f\n
$ echo $HOSTNAME\nweb01-a1b2c3\n
$ cat tokens.txt\nIDENT\nNUMBER\nSTRING_2\n
$ head -c 32 /dev/urandom | sha256sum\n{long}  -\n
$ pass git log\n9f86d081 init\n
# cat the token into place\nabc123def\n
# head of the token table\nToken1\n
$ cat token_count.txt\n128\n
$ npm config get registry\nhttps://registry.npmjs.org/\n
$ jq -r .version package.json\n1.2.3-beta4\n
$ docker inspect --format '{{.Id}}' web\n{long}\n
$ type password\n-bash: type: password: not found
$ ssh-keygen -lf id.key\n256 SHA256:abc me@h (ED25519)\n
$ openssl rand -out x.key 32\n$ md5sum x.key\n{hex} x.key
$ cat token.sha256\n{long}\n
$ kubectl create secret generic a --from-literal=p=$(openssl rand -hex 16)\nsecret/a created\n
Unseal Progress 1/3\nUnseal Nonce  {uuid}
secret_id_accessor    {uuid}
secret_id_num_uses    0\nsecret_id_ttl         24h
The following key:\n\n  config/master.key\n
Using certificate key:\n  /etc/x.pem
New value: {hex}
verification code is required
error code: 482913
zip code is 94107
status code 500123
the code is 482913 lines long
product code: 482913
Your order number is 482913
Build 482913 is your latest
OTP length: 123456
VERIFICATION_CODE_LENGTH = 6
otp expired after 300000 ms
SHA256 key fingerprint:\n  {hex}
public key:\n  {base}
checksum key:\n {hex}
Idempotency key: {uuid}
cache key:\n{hex}
Please enter the following password to proceed:\n\nPassword:
Set the token:\n  export TOKEN=...
SecretId: prod/db/password
https://a.example/reset/settings/general
KEY  VALUE\nregion  us-west-2\nreplicas  3
UPDATE users SET name = ? WHERE id = ? [["name", "Bob7x!"], ["id", 3]]
fly -t harbor login -c https://x -p
security import certs/dist.p12 -k build.keychain -T /usr/bin/codesign
security find-generic-password -s x -w
security find-identity -p codesigning -v
curl --cookie "theme=dark" https://x
mvn -DskipTests -Dversion='1 2 3'
echo "no secret" > notes.txt
echo "$TOKEN" > token
cat > token.ts <<'EOF'\nexport const a1 = 2\nEOF
cat > public.key <<EOF\n{any}\nEOF
ACL SETUSER q on nopass ~* +@all
fly secrets set MODE=production1
sort --key 2 -t, file
aws s3api get-object --bucket b1 --key path/to/file123.txt out
expo start -p 8081
pytest -k test_login_with_token_12345 -x
`
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => plain(line).replace(/\{(\w+)\}/g, (whole, sort: string) => sorts[sort]?.() ?? whole))
