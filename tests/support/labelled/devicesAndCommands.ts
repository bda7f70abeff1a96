// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of a shell
/** Secrets in settings of devices and services, in words that a person chose for a member, on commands' standard input, and as positional arguments. */

/** Kind, text, secret. */
export type Row = readonly [kind: string, text: string, secret: string]

const yaml = (line: string): string => `service:\n  port: 25\n  ${line}\n  host: db.lan\n`

export const deviceSecrets: readonly Row[] = [
  ["chosen words of YAML", yaml("password: barley-pudding"), "barley-pudding"],
  ["chosen words of YAML", yaml("adminPassword: QhxWmLpRtZ"), "QhxWmLpRtZ"],
  ["chosen words of YAML", yaml("password: lunarOtter"), "lunarOtter"],
  ["chosen words of YAML", "wifi_password: badgers-in-winter\nlatitude: 50.1\n", "badgers-in-winter"],
  [
    "blocks of YAML",
    "options:\n  passphrase: >-\n    thistle harbour\n    copper window\n  port: 22\n",
    "copper window"
  ],
  ["blocks of YAML", "stringData:\n  password: |-\n    when we reach Ulm\n  x: 1\n", "when we reach Ulm"],
  ["beside a user", 'auth: { user: "shop@mill.example", pass: "terre-Neige-4" }', "terre-Neige-4"],
  ["beside a user", "auth: { user: 'orders@mill.example', pass: 'Rope+Ladder' },", "Rope+Ladder"],
  ["network devices", "tacacs-server host 10.2.0.9 key Opal-Garnet-31", "Opal-Garnet-31"],
  ["network devices", "hostname r1\nradius-server key mon0Wednesday\n", "mon0Wednesday"],
  ["network devices", "crypto isakmp key Bridge2Bergen address 198.51.100.7", "Bridge2Bergen"],
  ["network devices", "snmp-server community plumjam-ro RO", "plumjam-ro"],
  [
    "network devices",
    'set security ike policy p pre-shared-key ascii-text "depot.yard.riga"',
    "depot.yard.riga"
  ],
  ["network devices", "enable password Lapwing7\n!", "Lapwing7"],
  ["settings of servers", "listen stats\n    stats auth lookout:9rkW2cvnB0xe\n", "9rkW2cvnB0xe"],
  ["settings of servers", "    user watch insecure-password onlyPeeking\n", "onlyPeeking"],
  [
    "settings of servers",
    "sv_setsteamaccount 48A1C2550EE9BD0A576BF79E893D1D70",
    "48A1C2550EE9BD0A576BF79E893D1D70"
  ],
  ["settings of servers", 'roadwarrior : EAP "Anvil!Coyote"', "Anvil!Coyote"],
  ["settings of servers", "rootpw --plaintext hideTheKeys", "hideTheKeys"],
  ["standard input", "sudo -S systemctl restart cups <<< 'Teapot_31'", "Teapot_31"],
  ["standard input", "vncpasswd -f <<< nelken8y > ~/.vnc/passwd", "nelken8y"],
  [
    "standard input",
    'helm registry login r.example --username ci --password-stdin <<<"Quay+Side9"',
    "Quay+Side9"
  ],
  ["standard input", "vncviewer -passwd <(echo vncPeek7 | vncpasswd -f) 10.0.3.8:1", "vncPeek7"],
  ["arguments of commands", 'bw unlock --raw "nine herons juggle" > s', "nine herons juggle"],
  ["arguments of commands", "oathtool --totp -b TDQRWXNI5MGOZFWC", "TDQRWXNI5MGOZFWC"],
  ["arguments of commands", "slmgr /ipk M583F-G98BR-W7TYB-FFRQY-6950K", "M583F-G98BR-W7TYB-FFRQY-6950K"],
  [
    "arguments of commands",
    "schtasks /Create /TN n /TR c.cmd /RU OFFICE\\svc_job /RP 0ttersAreUp",
    "0ttersAreUp"
  ],
  ["arguments of commands", "java -jar agent.jar -credentials builder:Termite3", "Termite3"],
  [
    "arguments of commands",
    "mount -t cifs //fs/m /mnt -o username=media,password=CornPopper,vers=3.0",
    "CornPopper"
  ],
  ["arguments of commands", "ncftpput -u web -p 'Muffin$8' ftp.example / i.html", "Muffin$8"],
  [
    "arguments of calls",
    'let r = client.post(u).bearer_auth("dTXkyIJExXBdVR7mCbFpb2xL1hWMPfHQ").send();',
    "dTXkyIJExXBdVR7mCbFpb2xL1hWMPfHQ"
  ],
  ["arguments of calls", 'req.SetBasicAuth("ops", "BadgerBadger")', "BadgerBadger"],
  ["arguments of calls", 'client.get(url).basic_auth("otto", Some("pause.pause")).send()', "pause.pause"],
  ["arguments of calls", 'new NetworkCredential("svc_report", "Slicer!Table", "OFFICE")', "Slicer!Table"],
  ["arguments of calls", "ldap_bind($ldap, 'CN=reader,DC=int,DC=example', 'Graue Stunde');", "Graue Stunde"],
  ["arguments of calls", '.withUser("m").password("{noop}Tray0Service").roles("ADMIN")', "Tray0Service"],
  [
    "statements of SQL",
    "UPDATE mysql.user SET authentication_string=PASSWORD('Scone.9') WHERE User='m';",
    "Scone.9"
  ],
  [
    "statements of SQL",
    "CREATE DATABASE LINK s CONNECT TO s IDENTIFIED BY cellar_Imp USING 'O2';",
    "cellar_Imp"
  ],
  [
    "codes of devices",
    'alarm_control_panel:\n  - platform: manual\n    name: Hut\n    code: "490617"\n    arming_time: 30\n',
    "490617"
  ],
  ["codes of devices", 'alarm_code: "6938"\n', "6938"],
  [
    "licence keys",
    "Register it offline with key E3W4S-O16NB-07KXO-HFV2Z-VNX9G",
    "E3W4S-O16NB-07KXO-HFV2Z-VNX9G"
  ],
  [
    "licence keys",
    "Product: Draw 11\nSerial: DQS12-8KR4V-R6MZD-3XW8H-TC7JN\n",
    "DQS12-8KR4V-R6MZD-3XW8H-TC7JN"
  ],
  ["files of accounts", "userPassword:: R3VsYXNjaGthbm9uZS0z\n", "R3VsYXNjaGthbm9uZS0z"]
]

/** What is written alike and holds none. */
export const deviceLookAlikes: readonly string[] = [
  yaml("password: required"),
  yaml("password: see-the-vault"),
  yaml("existingSecret: shop-database"),
  "const input = {\n  user: name,\n  password: typedValue\n}\n",
  "interface Login {\n  user: string\n  password: PlainText\n}\n",
  "auth: { user: settings.user, pass: settings.pass }",
  "options:\n  passphrase: >-\n    ${BACKUP_PASSPHRASE}\n  port: 22\n",
  "  password: |-\n    The password of the database must have\n    twelve characters.\n",
  "tacacs-server host 10.2.0.9 key <key>",
  "crypto key generate rsa modulus 2048",
  "the key exchange with radius-server took 3 s",
  "snmp-server community <string> RO",
  "stats auth is enabled: see the manual",
  "the stats auth line takes user:password",
  "git log --author=login=branch",
  "vncpasswd -f > ~/.vnc/passwd",
  'sudo -S systemctl restart cups <<< "$SUDO_PASS"',
  'helm registry login r.example --password-stdin <<< "$TOKEN"',
  'printf \'%s\\n%s\\n\' "$PW" "$PW" | smbpasswd -s -a scan',
  'bw unlock --raw "$BW_PASSWORD"',
  "bw unlock --check",
  "bw unlock --passwordenv BW_PASSWORD",
  "oathtool --totp -b $SEED",
  "slmgr /ipk <product key>",
  "slmgr /dlv",
  "mount -t cifs //fs/m /mnt -o credentials=/root/.smb,vers=3.0",
  "java -jar agent.jar -credentials credentials.xml:main",
  "client.get(url).bearer_auth(&token)",
  'req.SetBasicAuth("user", "password")',
  "req.SetBasicAuth(user, pass)",
  'client.basic_auth("user", Some(password))',
  "alarm_code: !secret alarm_code",
  'code: "404000"',
  'error:\n  code: "390518"\n  message: no row\n',
  "#define ADMIN_PIN 13",
  "the key A1B2C-D3E4F is in the box",
  "Serial: 0123456789",
  "CREATE USER m IDENTIFIED BY VALUES 'x';",
  "userPassword::",
  "2026-03-02 WARN AuthService - invalid password for user id=77102 (attempt 1/3)",
  '{"login.password":"Passwort","login.token":"Einmalcode","settings.secret":"Geheimnis"}',
  "stash@{0}: WIP on auth-tokens: 2e3f4a5 check the length of keys",
  "JWT_SECRET=change-me",
  "DATABASE_URL=postgresql://USER:PASSWORD@HOST:5432/DBNAME"
]
