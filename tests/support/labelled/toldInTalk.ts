/** Secrets told in talk: codes in sentences of many languages, answers to a question, names in other languages, beside what looks alike. Made up. */

type Sample = readonly [kind: string, text: string, secret: string]

const hex = "5e0c91b7d24f68a3b1d97c04e62f8a15"
const hex40 = "5e0c91b7d24f68a3b1d97c04e62f8a15c7d2094b"
const made = "Vn7KqTz3XwLp9RbYc2HdMs5G"

export const toldInTalk: readonly Sample[] = [
  ["passwords in other words", "I logged in with the password `Tr0mbone!9` from your note.", "Tr0mbone!9"],
  [
    "passwords in other words",
    "created the user `reporting` with the password `Pistazie-44` and granted SELECT",
    "Pistazie-44"
  ],
  [
    "passwords in other words",
    "I changed the db password from Autumn2023! to Winter2024!, update it",
    "Autumn2023!"
  ],
  [
    "passwords in other words",
    "I changed the db password from Autumn2023! to Winter2024!, update it",
    "Winter2024!"
  ],
  [
    "passwords in other words",
    "rotate the db password from xK9mQ2vL7pRt to Zt4nW8cYb1Hs everywhere",
    "xK9mQ2vL7pRt"
  ],
  ["passwords in other words", "identifiants : utilisateur = deploy, mdp = Ch0colat!", "Ch0colat!"],
  ["passwords in other words", "PGPASS=hFsL8PYDJTdGO3", "hFsL8PYDJTdGO3"],
  ["passwords in other words", 'await page.fill("#pass", "Zuckerwatte!8");', "Zuckerwatte!8"],
  ["codes in sentences", "die PIN von der Garage ist 482917, bitte eintragen", "482917"],
  ["codes in sentences", "TAN für Ihre Zahlung von 219,50 EUR an AT..1180 lautet 640183.", "640183"],
  ["codes in sentences", "Portkoden till sommarhuset är 7391, glöm inte låsa", "7391"],
  ["codes in sentences", "Larmkoden är 2468 och överfallskoden 9753", "9753"],
  ["codes in sentences", "telefonun PIN'i de 6047 oldu", "6047"],
  ["codes in sentences", "Dørkoden på kontoret er 5820", "5820"],
  ["codes in sentences", "il codice dell'allarme è 90417", "90417"],
  ["codes in sentences", "Le code du portail est 4471B, sonnez sinon", "4471B"],
  ["codes in sentences", "el código de la puerta es 3862", "3862"],
  ["codes in sentences", "kod do bramy to 5079, nikomu nie podawaj", "5079"],
  ["codes in sentences", "код от домофона 7264, заходи", "7264"],
  ["codes in sentences", "de alarmcode van het magazijn is 8153", "8153"],
  ["codes in sentences", "7316 is the pin for the test terminal", "7316"],
  ["codes in sentences", "4-digit PIN of the SIM: 8046", "8046"],
  ["codes in sentences", "DEBUG sms-2fa issued code=718204 for=+4915100000 ttl=120", "718204"],
  ["codes in sentences", "el PIN de la tarjeta SIM es 5193 y el PUK 60418273", "60418273"],
  [
    "codes in fields",
    '{"fields": [{"name": "Code uit de app", "type": "textbox", "value": "530718"}]}',
    "530718"
  ],
  ["codes in fields", '{"label": "Código SMS", "value": "904417"}', "904417"],
  ["codes in fields", '{"name":"Bestätigungscode","ref":"e12","text":"228041"}', "228041"],
  ["codes in fields", '{"element": "Kod z SMS-a", "ref": "e3", "text": "662190"}', "662190"],
  ["codes in fields", '{"placeholder": "Code de sécurité", "value": "7718"}', "7718"],
  ["codes in fields", '{"label": "TAN eingeben", "value": "419027"}', "419027"],
  ["codes in fields", '{"name": "PIN-kod", "value": "4802"}', "4802"],
  ["codes in fields", '{"name": "Код из приложения", "value": "391846"}', "391846"],
  ["answers", "Assistant: What is the sudo password?\nUser: BrickLantern!", "BrickLantern!"],
  ["answers", "Assistant: Please enter the 6-digit code from your phone.\nUser: 418 702", "418 702"],
  ["answers", "Assistant: Wie lautet das Passwort für den Router?\nNutzer: Zaunkoenig7", "Zaunkoenig7"],
  [
    "answers",
    "Claude: Which value should the `X-Api-Secret` header have?\nMarta: one sec\nMarta: pQ7mZxW2LkV9tRb4",
    "pQ7mZxW2LkV9tRb4"
  ],
  ["answers", "[bot] ¿Cuál es la contraseña del panel?\n[ines] Nube%Gris", "Nube%Gris"],
  ["answers", "AI: I need the API token to go on.\nHuman: k3Jx90aLmQ27ty", "k3Jx90aLmQ27ty"],
  ["answers", "Assistant: Could you tell me the PIN?\n\nUser: 5518\n\nAssistant: Thanks.", "5518"],
  ["answers", "**Assistant:** What's the passphrase of the key?\n**User:** mossy#Gate", "mossy#Gate"],
  [
    "answers",
    '{"role":"assistant","content":"What is the admin password?"},{"role":"user","content":"Copper?Kettle"}',
    "Copper?Kettle"
  ],
  ["names of other languages", `CLE_CARTE='${hex40}'`, hex40],
  ["names of other languages", `KLUCZ_POGODA="${hex}"`, hex],
  ["names of other languages", `адрес https://x.example/api, ключ доступа ${hex}, склад 2`, hex],
  ["names of other languages", `la clé d'accès ${hex} pour le partenaire`, hex],
  ["names of other languages", `Oto sekret aplikacji (testowy!): ${made}`, made],
  [
    "names of other languages",
    "inloggen met jan@x.example, wachtwoord %GouwzeeKaas% en dan",
    "%GouwzeeKaas%"
  ],
  ["names of other languages", "usuario: ana, y 2210Sevilla!Gato es la contraseña.", "2210Sevilla!Gato"],
  ["names of other languages", "Waldsee!Mond44 ist das neue Passwort für den Pi", "Waldsee!Mond44"],
  ["names of other languages", "Canal_77Nord! est le mot de passe du NAS", "Canal_77Nord!"],
  ["names of other languages", "it's lena, and I use Badger_4410!! for everything", "Badger_4410!!"],
  ["names of other languages", "ich nehme Dachs_4410!! für alles", "Dachs_4410!!"],
  ["settings", `public const string AcmeAuth = "${hex}";`, hex],
  ["settings", `AcmeAuth: '${hex}',`, hex],
  ["settings", "import pyotp\nSEED = 'KQ3TLMX2VB5ZNCDE'\nprint(pyotp.TOTP(SEED).now())", "KQ3TLMX2VB5ZNCDE"],
  ["settings", `send a header X-Depot-Auth with the value ${hex}${hex.slice(0, 16)} please`, hex],
  [
    "settings",
    "use this: PHPSESSID=8k2vd0qmpl5s7hgtr3x9waeb41; the site is up",
    "8k2vd0qmpl5s7hgtr3x9waeb41"
  ],
  ["settings", '{"headers": [["Authorization", "Basic bGVuYTpIYWZlbiE4OA=="]]}', "bGVuYTpIYWZlbiE4OA=="],
  ["settings", `{"file":"config/master.key","text":"${hex}\\n","lines":1}`, hex],
  ["settings", `{"path": "/run/secrets/signing.key", "content": "${hex}"}`, hex],
  [
    "settings",
    "License info\nSerial : 40718-55291-70366-18843-92057\nExpires: never",
    "40718-55291-70366-18843-92057"
  ],
  [
    "settings",
    "Lizenz: Pro\nCode   : 7b0e-91cd-44fa-08d2-e6a5-13bc\nPlätze: 5",
    "7b0e-91cd-44fa-08d2-e6a5-13bc"
  ],
  [
    "settings",
    "solana config set --keypair <(echo '3mVtXyRk8PqWcZbN5sLdF7gH2jU9aE4nBvT6rQxYwKzM1oCpDfGiJhS8uA3eRtXcVbNm5LkPq7WzYs2HdFgJ4aUe')",
    "3mVtXyRk8PqWcZbN5sLdF7gH2jU9aE4nBvT6rQxYwKzM1"
  ],
  [
    "settings",
    "Ana: apunto las palabras de la cartera\nAna: abeja lienzo torre nube pacto ronda vapor ciego hueso lince prisa zorro\nAna: ya",
    "abeja lienzo torre"
  ],
  [
    "settings",
    "la phrase de récupération du wallet :\nabandon cerise lundi maison notice ouvrage panda renard soleil tulipe velours zèbre",
    "cerise lundi maison"
  ],
  ["values that are converted", `const AES_KEY = Buffer.from("${hex}${hex}", "hex")`, `${hex}${hex}`],
  [
    "values that are converted",
    'var signingKey = []byte("8gW-Rchm27hZq3+D*X.5%qqMlu5iG~7Y")',
    "8gW-Rchm27hZq3+D*X.5%qqMlu5iG~7Y"
  ],
  ["values that are converted", `SECRET_KEY = bytes.fromhex("${hex}")`, hex],
  ["values that are converted", `$secret_key = hex2bin('${hex}');`, hex],
  ["values that are converted", `let api_key = String::from("${made}");`, made],
  ["values that are converted", `var jwtSecret = Encoding.UTF8.GetBytes("${made}");`, made],
  ["values that are converted", `const jwtSecret = new TextEncoder().encode("${made}")`, made],
  ["values that are converted", `ENCRYPTION_KEY = base64.b64decode("${made}")`, made],
  ["values that are converted", `let clientSecret = SecretString::from(String::from("${made}"))`, made],
  [
    "values that are converted",
    'proxy_set_header Authorization "Basic bWFyaW9uOkhhcnp0YW5uZS01NTE=";',
    "bWFyaW9uOkhhcnp0YW5uZS01NTE="
  ]
]

export const toldInTalkLookAlikes: readonly string[] = [
  'const key = Buffer.from("not hex at all", "utf8")',
  'const API_KEY = String(process.env["API_KEY"])',
  'const SECRET = decode("SECRET_NAME")',
  "the Basic Authentication2 scheme of RFC 7617",
  '{"settings.secret":"シークレットは一度だけ表示されます","login.token":"ワンタイムコードを入力"}',
  "kubectl create secret generic db --from-file=password=./db-password.txt",
  "JWT_SECRET=please-generate-it-with-a-tool\nAPI_SECRET=replace-with-your-secret",
  "github.com/zalando/go-keyring v0.2.6 h1:kCOyyCVqetaCvHsnOVn5QupvJ70VoubIELjXG9DrCCw=",
  `{"thinking": "The password field {x} is masked.", "signature": "${made}+${made}/${made}=="}`,
  "a { --color-secret: #3adb4745; --password: #fff; }",
  "el código postal es 28013",
  "der Fehlercode ist 104512",
  "Statuskod är 4041 i loggen",
  "kod pocztowy to 30100",
  "the exit code is 1370",
  "код ошибки 104512",
  "la contraseña es obligatoria",
  "Assistant: Do you have a password manager?\nUser: yes",
  "Assistant: What is the password policy?\nUser: 8-characters",
  "Assistant: Which password field do you mean?\nUser: LoginForm.tsx",
  "Assistant: Should I reset the token?\nUser: no, later",
  "Assistant: What is the name of the key?\nUser: user_id",
  '{"name": "Postcode", "value": "90210"}',
  '{"name": "Fehlercode", "value": "104512"}',
  '{"name": "code", "value": "40001"}',
  '{"file": "config/public.key", "text": "see docs"}',
  '["Content-Type", "application/json"]',
  "const isAuth = 'required'",
  "use this hook for everything",
  "el código de la función es largo y las palabras de la lista son muchas para un texto que cuenta algo bonito",
  "Math.tan(1234) and the tan 123456",
  "the code 404 was returned 1200 times",
  "SEED = 42",
  "pin 4711 of the board",
  'const storageKey = "acme.theme.preference";',
  'export const LOCAL_STORAGE_KEY = "cart_items_v2";',
  "mutation Login($email: String!, $password: String!) {",
  "changePassword(oldPassword: String!, newPassword: String!): Boolean!",
  "query Me($token: ID!, $secret: String!) {",
  "change the password from DB_PASS to DB_PASSWORD2 in the code",
  "I changed the password library from 3.1.0 to 4.0.0",
  "bypass=true compass=Nord9",
  'token0 = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"',
  'pass2 = "render_depth_2"',
  'auth2: "some-value-12345"',
  'cache_key_v2 = "user:profile:12345abcdef"',
  "udp=1234 gdp: 100"
]
