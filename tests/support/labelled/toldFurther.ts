/** Secrets told some words behind what they are, or in forms whose own words say little: samples and what looks like them, made up. */

type Sample = readonly [kind: string, text: string, secret: string]

const bytes = "0x9d, 0x11, 0xf3, 0x4e, 0xa8, 0x72, 0x0c, 0xd5, 0x66, 0xb9, 0x2f, 0x81, 0xe4, 0x37, 0x5a, 0xc0"
const numbers = "157, 17, 243, 78, 168, 114, 12, 213, 102, 185, 47, 129, 228, 55, 90, 192"
const hex = "b4d81f6c2a7e093f5ce1a6d8247b90f3"
const loud = hex.toUpperCase()
const made = "q7Rz4LmW9xTc2VbN8yHd5KsP"

export const toldFurther: readonly Sample[] = [
  [
    "passwords in sentences",
    "I moved the box, the password for the backup user is now Regenbogen&Tasse3.",
    "Regenbogen&Tasse3"
  ],
  [
    "passwords in sentences",
    "le mot de passe du serveur de test, c'est maintenant Fromage@Pain12",
    "Fromage@Pain12"
  ],
  [
    "passwords in sentences",
    "Das Kennwort der alten Datenbank lautet jetzt Nebel-Turm-Katze-9.",
    "Nebel-Turm-Katze-9"
  ],
  [
    "passwords in sentences",
    "la contraseña del router nuevo es Caracol+Verde8, cámbiala luego",
    "Caracol+Verde8"
  ],
  ["passwords in sentences", "a senha do banco de testes é Girassol_Azul77", "Girassol_Azul77"],
  ["passwords in sentences", "hasło do panelu to Wiewiorka#Dab5, zmień je potem", "Wiewiorka#Dab5"],
  ["passwords in sentences", "пароль от тестовой базы теперь Ромашка-Лес-42", "Ромашка-Лес-42"],
  ["passwords in sentences", "het wachtwoord van de printer is nu Molen_Brug_88", "Molen_Brug_88"],
  ["passwords in sentences", "yeni sunucunun şifresi Lale.Bahcesi_51, lütfen dene", "Lale.Bahcesi_51"],
  ["passwords in sentences", "検証環境のパスワードは「momiji-Kawa31」です", "momiji-Kawa31"],
  ["passwords in sentences", "测试库的密码是Lotus-Pond_66，请连接", "Lotus-Pond_66"],
  [
    "passwords in sentences",
    "The password Mrs Olsen sent me this morning for the share: Tiger-Lily-Pond-3\nPlease mount it.",
    "Tiger-Lily-Pond-3"
  ],
  ["passwords in sentences", "sshd: auth failed for ole (given password: laks&dild)", "laks&dild"],
  [
    "passwords in sentences",
    '{"text":"Das Passwort hat der Kunde geschickt: Moor-Eiche-Wind-7\\nBitte testen"}',
    "Moor-Eiche-Wind-7"
  ],
  ["passwords in sentences", "the pw on the staging box was Walnuss!Brot44", "Walnuss!Brot44"],
  ["keys in sentences", `flash this AES key (hex) ${loud} into slot two`, loud],
  ["keys in sentences", `il token dell'API di prova è ${hex}, usalo pure`, hex],
  [
    "keys in sentences",
    `Base URL is https://lms.example.edu, access token 9~${made}aB3, course 12`,
    `9~${made}aB3`
  ],
  ["keys in sentences", `the encryption key for the archive is ${hex}`, hex],
  ["keys in sentences", `der API-Schlüssel für die Karte lautet ${made}`, made],
  ["keys in sentences", `la clave de la API es ${made}`, made],
  ["keys in sentences", `{"devEui": "AA55", "nwkSKey": "${loud}"}`, loud],
  ["keys in sentences", `x {\\"netKey\\": \\"${loud}\\"}`, loud],
  ["keys in sentences", `токен для бота ${made}`, made],
  [
    "keys in sentences",
    `>>> Fernet.generate_key()\\\\nb'${made}J3kLmN0pQrStUvWxY2='`,
    `${made}J3kLmN0pQrStUvWxY2=`
  ],
  [
    "keys in sentences",
    "FooTool key: 5b0d6a7e-91c3-4f28-8d5a-c2e7f3b16094 , activation mail ops@example.org",
    "5b0d6a7e-91c3-4f28-8d5a-c2e7f3b16094"
  ],
  [
    "licence keys",
    "> (Get-Thing).OriginalKey\n7QKX2-M9TRB-4HWCV-XP38D-6FNJG\n",
    "7QKX2-M9TRB-4HWCV-XP38D-6FNJG"
  ],
  ["licence keys", 'Kit.activate(license: "R4TWQ-8HXKM-29VBC-D6PNJ-F3Y7G")', "R4TWQ-8HXKM-29VBC-D6PNJ-F3Y7G"],
  [
    "licence keys",
    "LicenseService: validating K7Q2XM-4RTW9B-HC83VN-P6DJ5F against the server",
    "K7Q2XM-4RTW9B-HC83VN-P6DJ5F"
  ],
  [
    "licence keys",
    "editor -batchmode -serial E3-7KQX-M9TR-4HWC-XP38-6FNJ -quit",
    "E3-7KQX-M9TR-4HWC-XP38-6FNJ"
  ],
  ["licence keys", "Seriennummer Ihrer Lizenz: 8HX4-KM29-VB7C-D6PN", "8HX4-KM29-VB7C-D6PN"],
  ["licence keys", '{"text": "your activation code: T4WQ8-HXK29-VB7CD"}', "T4WQ8-HXK29-VB7CD"],
  [
    "licence keys",
    '{"text": "product key\\nQ2XM4-RTW9B-HC83V-NP6DJ-5FK7G\\n"}',
    "Q2XM4-RTW9B-HC83V-NP6DJ-5FK7G"
  ],
  ["licence keys", `"blob": "K7Q2XM4RTW-eyJ${made}${made}"`, `K7Q2XM4RTW-eyJ${made}${made}`],
  ["codes", "Le code que la banque m'a envoyé est 318 904", "318 904"],
  ["codes", "my sister texted me 718294, type it in", "718294"],
  ["codes", "De voordeur heeft pincode 6391. Zet het in de app.", "6391"],
  ["codes", "mail says 7H2K-QX4M is your sign-in code for the shop", "7H2K-QX4M"],
  ["codes", "Typing the sign-in code 7H2K-QX4M now.", "7H2K-QX4M"],
  ["codes", 'const DISARM_CODE = "583026";', "583026"],
  ["codes", "El código que me llegó es 640 215", "640 215"],
  ["codes", "the code that just came in is 905 387.", "905 387"],
  ["codes", "kod z banku to 518 306", "518 306"],
  ["codes", "The gate code is 7315, go in quietly", "7315"],
  ["bytes", `const SIGNING_SEED: [u8; 16] = [\n    ${numbers},\n];`, numbers],
  ["bytes", `+const uint8_t boot_key[16] = {\n+    ${bytes}\n+};`, bytes],
  ["bytes", `var linkKey = [16]byte{\n\t${bytes},\n}`, bytes],
  [
    "bytes",
    `private static final byte[] MESH_KEY = {\n  ${bytes.replaceAll("0x", "(byte) 0x")} };`,
    bytes.replaceAll("0x", "(byte) 0x")
  ],
  ["bytes", `auto secret = std::array<uint8_t, 16>{${bytes}};`, bytes],
  ["bytes", `static const u8 root_key[] PROGMEM = { ${bytes} };`, bytes],
  [
    "bytes",
    "nvs: ns=mesh key=appkey type=blob len=16 val=9d 11 f3 4e a8 72 0c d5 66 b9 2f 81 e4 37 5a c0",
    "9d 11 f3 4e a8 72 0c d5 66 b9 2f 81 e4 37 5a c0"
  ],
  [
    "bytes",
    "I (88) app: master key: 9d 11 f3 4e a8 72 0c d5 66 b9 2f 81 e4 37 5a c0",
    "9d 11 f3 4e a8 72 0c d5 66 b9 2f 81 e4 37 5a c0"
  ],
  [
    "settings",
    '/interface wireless security-profiles set 0 wpa2-pre-shared-key="Heu.Wagen-31"',
    "Heu.Wagen-31"
  ],
  ["settings", "config wifi-iface\n\toption ssid 'Alm'\n\toption key 'roterKrug8'\n", "roterKrug8"],
  ["settings", "{\"out\":\"\\toption ssid 'Alm'\\n\\toption key 'roterKrug8'\\n\"}", "roterKrug8"],
  ["settings", "switch_pass: dreiHasen&Fuchs\nvlan: 7", "dreiHasen&Fuchs"],
  ["settings", 'public class Up {\n  private static final String PWD  = "péniche&Quai44";', "péniche&Quai44"],
  ["settings", 'const FTP_PWD = "bateau;Lavoir5"', "bateau;Lavoir5"],
  ["settings", '{"mqtt":{"user":"scheune","pass":"korn&blume"}}', "korn&blume"],
  ["settings", "the guest wifi is called Pier and the key is crab cake 42, print both", "crab cake 42"],
  ["settings", 'Wi-Fi pass "ziegenpeter9" for guests', "ziegenpeter9"],
  ["settings", "mot de passe wifi: tarte aux pommes 21", "tarte aux pommes 21"],
  ["settings", `rclone sync . b2:bk --b2-account 0012 --b2-key K00${made}`, `K00${made}`],
  [
    "other places",
    "INSERT INTO users (email, password_plain) VALUES ('a@b.example', 'zimtstern31');",
    "zimtstern31"
  ],
  [
    "other places",
    "#0 Db.php(9): PDO->__construct('mysql:host=db1...', 'web', 'Stockente_12b')",
    "Stockente_12b"
  ],
  ["other places", "#3 x.php(9): ftp_login(Resource id #4, 'edi', 'Stockente!blau')", "Stockente!blau"],
  ["other places", '{"name":"cookie","value":"lang=de; app_session=' + made + '"}', made],
  ["other places", '{"kind":"Secret","stringData":{"RELAY":"' + made + '","REGION":"eu-west-1"}}', made],
  ["other places", 'x {\\"kind\\":\\"Secret\\",\\"stringData\\":{\\"RELAY\\":\\"' + made + '\\"}}', made],
  [
    "other places",
    `cookie s:${made}8dJf0a.Zq${made}${hex.slice(0, 8)}`,
    `${made}8dJf0a.Zq${made}${hex.slice(0, 8)}`
  ],
  ["other places", `https://cdn.example.com/a/b.png?ex=66aa&is=66ab&hm=${hex}${hex}`, `${hex}${hex}`],
  ["other places", `wallet: entropy=${hex} fingerprint a1`, hex],
  [
    "other places",
    "On my sheet:\n1. abandon\n2. ability\n3. brave\n4. about\n5. above\n6. carpet\n7. absorb\n8. dance\n9. absurd\n10. eagle\n11. access\n12. fabric\n",
    "8. dance"
  ]
]

/** What is written alike and is none. */
export const toldFurtherLookAlikes: readonly string[] = [
  // Of passwords.
  "The password policy requires Argon2id with 64 MB.",
  "password hashing is PBKDF2-SHA512 since v2.3",
  "the password field is called loginForm.password2",
  "The password is stored in config/Secrets-2.yaml",
  "Set the password to something with 12 characters!",
  "le mot de passe est obligatoire depuis v2.1",
  "Das Passwort wird in Zeile-42 geprüft",
  "Das Kennwort steht in der Datei: settings-2024.json",
  "La contraseña se guarda en: /etc/app/Config-2",
  "パスワードは8文字以上です。",
  "密码是必填项，长度8到20",
  "password changed on: 2024-11-05",
  "contraseña: mínimo 8 caracteres",
  "The passphrase is read from $PASS_PHRASE2",
  "the pw column is Users.Pw2",
  "the password is UTF-8 encoded",
  "passwords: never, tokens: only the last 0",
  "my password: see below!",
  // Of keys.
  "cache key d41d8cd98f00b204e9800998ecf8427e not found",
  "The key of the object is 5d41402abc4b2a76b9719d911017c592.json in the bucket",
  `token bucket refilled for ${hex}`,
  `the public key is ${loud}`,
  `primary key: ${loud}`,
  `"cacheKey": "${loud}"`,
  `"itemKey": "${hex}"`,
  "kernel key: 4a9e8fa9da322ab8d0314507688d75883ddc30a9",
  "key fingerprint is SHA256:n1Hrmi7Td5uv2VV0ukjR3+BOzZAEuMHenR9eGoxNsTU",
  `the token's sha256 is ${hex}${hex}`,
  "getTokenFromAbstractUserFactoryBean2ForTests(key)",
  "Cache restored from key: Linux-node-modules-d9b177767218254ce76d4b7130834cb5831e6b3f0ca5c3cbdcb696452e7d4baf",
  "Cache saved with key: deps-v2-d9b177767218254ce76d4b7130834cb5831e6b3f0ca5c3cbdcb696452e7d4baf",
  // Of licences.
  "part number 4XA7-K2M9-QQ81 and serial port COM3",
  "UUID 3B7BDCAF-8BCB-49B2-A600-0A861064F8D2 license",
  "MAC 00-1B-44-11-3A-B7-22-11 serial",
  "serial: 2024-0001-0002-0003",
  "ABCDE-FGHIJ-KLMNO-PQRST-UVWXY",
  "XXXXX-XXXXX-XXXXX-XXXXX-XXXXX is the form of a licence key",
  "LICENSE-APACHE-2-0-TEXT-FILE-2024",
  "license: see docs/LICENSE-2024-PART-0002-0003",
  "order 8HX4-KM29-VB7C-D6PN with the new license",
  "build 20240-11050-12345-00001-99999",
  // Of codes.
  "exit code is 137 502",
  "The error code is 404123",
  "zip code is 902101",
  "status code: 200 300",
  "le code postal est 750 012",
  "she texted me 5 times",
  "she texted me 2024 pictures",
  "the code is 100 200 lines long",
  "pincode field is required",
  "GPIO pin 4817 does not exist",
  "the code of the product is 2024",
  // Of bytes.
  `const uint8_t scan_keys[16] = {${bytes}};`,
  `const publicKey = [${numbers}]`,
  `static const uint8_t key_hash[16] = { ${bytes} };`,
  "key rows = [4, 5, 18, 19]",
  "keyCodes: [65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80]",
  `const pixels = [${numbers}]`,
  "key=items type=u32 val=7",
  "secret: [1, 2, 3]",
  "seed = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
  "00000000  9d 11 f3 4e a8 72 0c d5  66 b9 2f 81 e4 37 5a c0",
  // Of settings and other places.
  'PWD = "/srv/app"',
  "option key '1'",
  "option key_index 'abcdefgh'",
  "render_pass: depth-only",
  "second_pass: opaque-2",
  'user_pass: "{{ vault_user_pass }}"',
  "the wifi code is in module 12",
  "wifi: the password is required",
  "#0 Db.php(9): PDO->__construct('mysql:host=db1...', 'web', Object(SensitiveParameterValue))",
  `--cache-key Linux-node-${hex}`,
  "--sort-key created_at2",
  "https://x.example/a.png?hm=12&is=3&ex=4",
  "entropy=0.9321",
  '"stringData": {"REGION":"eu-west-1","HOST":"db.internal"}',
  "sessions: s:1.5 and s:2.0",
  "1. open\n2. the\n3. door\n4. and\n5. walk\n6. in\n7. then\n8. close\n9. it\n10. with\n11. your\n12. hand",
  // Changed before.
  "curl -u username:password https://api.example.com/v1/ping",
  "postgres://user:password@localhost:5432/db",
  'password = getpass.getpass("Database password: ")\nname = "x"',
  "-Passwords are kept in the config file.\n+Passwords are kept in the keyring.",
  'DB = {"NAME": "shop", "PASSWORD": os.environ["PGPASSWORD"], "HOST": "db"}'
]
