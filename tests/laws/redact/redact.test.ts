/** What holds for every text: redacting twice is redacting once, JSON stays JSON, and time grows with length alone. */
import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { redact, redactJsonText, redactText } from "../../../src/redact/redact.ts"
import { redactLiterals } from "../../../src/redact/redactJson.ts"
import { findSecrets } from "../../../src/redact/secretPatterns.ts"
import { maybeSecret, maybeSecretJson } from "../../../src/redact/suspicion.ts"
import { aboutAll } from "../../../src/redact/topics.ts"
import { seed } from "../../support/arbitrary.ts"
import { freshSecrets } from "../../support/labelled/freshSecrets.ts"
import { namedTexts } from "../../support/labelled/namesAndCalls.ts"
import { printedSecrets } from "../../support/labelled/printedSecrets.ts"
import { publicThings } from "../../support/labelled/publicThings.ts"
import { harmlessTexts, secretTexts } from "../../support/log/secretCases.ts"

const piece = FastCheck.oneof(
  FastCheck.constantFrom(...secretTexts.map(([text]) => text), ...harmlessTexts),
  FastCheck.constantFrom(
    ...[...freshSecrets(0), ...freshSecrets(1), ...printedSecrets()].map(([, text]) => text)
  ),
  FastCheck.constantFrom(...namedTexts().map(([, text]) => text), ...publicThings()),
  FastCheck.constantFrom(
    " ",
    "\n",
    '"',
    "'",
    "\\",
    ":",
    "=",
    "password",
    "token: ",
    "://",
    "@",
    "-----",
    "‹",
    "›",
    "Bearer "
  ),
  FastCheck.string({ maxLength: 12 })
)
const text = FastCheck.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""))
const key = FastCheck.oneof(
  FastCheck.constantFrom("password", "Authorization", "token", "api_key", "a", "__proto__"),
  FastCheck.string({ maxLength: 8 })
)
const { value } = FastCheck.letrec<{ value: unknown }>((tie) => ({
  value: FastCheck.oneof(
    { depthSize: "small" },
    text,
    text.map((nested) => JSON.stringify({ nested, password: nested })),
    FastCheck.double({ noNaN: true }),
    FastCheck.integer(),
    FastCheck.constantFrom(null, true, false),
    FastCheck.array(tie("value"), { maxLength: 4 }),
    FastCheck.array(FastCheck.tuple(key, tie("value")), { maxLength: 4 }).map((entries) =>
      JSON.parse(
        `{${entries.map(([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(member)}`).join(",")}}`
      )
    )
  )
}))

const check = <A>(arbitrary: FastCheck.Arbitrary<A>, holds: (given: A) => void) =>
  FastCheck.assert(FastCheck.property(arbitrary, holds), { numRuns: 600, seed })

describe("the first look", () => {
  it("lets no secret by that would be found", () =>
    check(text, (one) => {
      let found = false
      const whole = { parts: [{ start: 0, end: one.length }], mayHoldTokens: true, topics: aboutAll }
      findSecrets(
        one,
        () => {
          found = true
          return false
        },
        whole
      )
      if (!found) return
      expect(maybeSecret(one)).toBe(true)
      const written = JSON.stringify({ one })
      const escaped = written.replace(/[k:/@]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)
      for (const json of [written, escaped, written.replaceAll("/", "\\/"), JSON.stringify(written)])
        expect(maybeSecretJson(json)).toBe(true)
    }))

  it.each(secretTexts)("stops at %j", (secret) => {
    expect(maybeSecret(secret)).toBe(true)
  })
})

describe("redacting", () => {
  it("twice is once, for text", () => {
    check(text, (given) => {
      const once = redactText(given)
      expect(redactText(once)).toBe(once)
    })
  })

  it("twice is once, for JSON, which stays JSON", () => {
    check(value, (given) => {
      const once = redactJsonText(JSON.stringify(given))
      expect(() => JSON.parse(once)).not.toThrow()
      expect(redactJsonText(once)).toBe(once)
    })
  })

  it("a value and its JSON come to the same", () => {
    check(value, (given) => {
      const fact = { type: "NOTE", given: JSON.parse(JSON.stringify(given)) }
      expect(JSON.parse(redactJsonText(JSON.stringify(fact)))).toEqual(
        JSON.parse(JSON.stringify(redact(fact)))
      )
    })
  })

  it("leaves JSON without secrets byte for byte as it was", () => {
    check(FastCheck.json(), (given) => {
      const spaced = JSON.stringify(JSON.parse(given), null, 2)
      expect(redactJsonText(spaced)).toBe(spaced)
    })
  })

  const starts = [
    'password="',
    "eyJ",
    "eyJhbGciOi.",
    "ghp_",
    "-----BEGIN PRIVATE KEY-----\n",
    "://a:",
    "Bearer ",
    "token: ",
    'secret=\\"',
    "AKIA",
    "--token ",
    "password='a",
    "key: ",
    "-",
    "a@b",
    '"password" : ',
    "pass:",
    "pass:pass=",
    "token=",
    "authorization:",
    "t-",
    "_eyJ",
    "a_eyJhbGciOi.",
    `://${"‹".repeat(900)} `,
    "-----BEGIN PRIVATE KEY-----\nname: foo, type: bar, ",
    "mysql -p",
    "mysql mysql -pa:1 ",
    "ls mysql -pa ",
    'mysql "\'" -p$ ',
    "curl -u a:$ ",
    'curl \\a" -u a:b ',
    "docker login 'x -p a ",
    "redis-cli;-a b -a c ",
    "htpasswd -nb a b",
    "curl -ssssssssu ",
    'mongosh "-p ',
    "_authToken "
  ]
  it.each(starts)("takes ten times as long for ten times as much of %j, not a hundred times", (start) => {
    const time = (length: number) => {
      const given = start.repeat(length / start.length)
      const before = process.cpuUsage().user
      redactText(given)
      redactJsonText(JSON.stringify({ given }))
      return process.cpuUsage().user - before
    }
    time(5000)
    const short = Math.max(time(10_000), 1000)
    const ratio = () => time(100_000) / short
    const once = ratio()
    // A collection of what earlier tests left may fall into one measurement.
    expect(once < 45 ? once : Math.min(once, ratio())).toBeLessThan(45)
  })

  const header = "-----BEGIN PRIVATE KEY-----\n"
  it.each([
    ["headers that do not end", header + "ab: ".repeat(40)],
    [
      "headers that do not end, after one that does",
      `${header}Proc-Type: 4,ENCRYPTED\n${"name: foo, ".repeat(40)}`
    ],
    [
      "headers with a type in them",
      `${header}Proc-Type: 4,ENCRYPTED\nname: foo, type: bar${", nr".repeat(400)}`
    ],
    ["escaped line ends", header + "\\n\\r".repeat(400)],
    ["line numbers", header + "1:22\t333→".repeat(400)]
  ])("reads a key with %s in one way only", (_, given) => {
    const start = process.cpuUsage().user
    for (let n = 0; n < 100; n++) redactText(given)
    expect(process.cpuUsage().user - start).toBeLessThan(1_000_000)
  })
})

describe("looking everywhere", () => {
  const pieces = [
    "a=",
    ":",
    "<a ",
    "<a ",
    '"',
    "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=\n",
    "QUJDREVGR0hJSktM",
    "?a=b&",
    "x://y?k=v&",
    "abandon ability ",
    "\\u003d",
    "%25",
    "&amp;",
    "token=",
    "token ",
    "password is ",
    "password for a b ",
    'name="a" ',
    '"name": "password", ',
    "name:",
    "<password>",
    "<password ",
    "Cookie: a=b; ",
    "machine a login b ",
    "a:1234:b:c:",
    "*:*:",
    "\\n",
    `-----END ${"PRIVATE"} KEY-----`,
    "://",
    "://a:b",
    "x://a:b@@",
    "set password ",
    "Digest a=b, ",
    "mysql -p ",
    " -p",
    "kind: Secret\n a: ",
    "$5$",
    " ",
    "\n",
    "a.",
    "a-",
    "AccountKey=;",
    "/",
    "MIIEpAIBA",
    'key":',
    '"value":"a",',
    'random_password"result":"',
    "a_live_",
    "1:",
    "bearer ",
    "| chpasswd ",
    "echo a:b ",
    "vault login ",
    "authorization: a ",
    "ssh-",
    "CREATE USER a PASSWORD ",
    "IDENTIFIED BY ",
    "a,password\n",
    "| a | password |\n",
    "insert into a (password) values ",
    'form-data; name="password"',
    "a\tTRUE\t/\tTRUE\t1\ta\t",
    '{"kty":"a","d":"',
    "password: &a ",
    "password: string ",
    "password {",
    "**Password:** ",
    "<td>Password</td>",
    "gh secret set a ",
    "aws ssm put-parameter ",
    "cargo login --a b ",
    "nmcli a ",
    "mc alias set ",
    "rabbitmqctl --a ",
    "use a / b1 to log in ",
    "secret",
    "secret_",
    "token",
    "api_key",
    "a_password",
    "seed phrase ",
    '"private_key": [',
    "secretKey=[1,2,",
    "1,2, ",
    "password: a[",
    "--user a:b1",
    " -u ",
    "://a/reset/",
    "://a/magic/a",
    "/password/",
    '{"kty":',
    '"kty":"}",',
    "'password' => 'a|b:",
    "regex:|",
    '"passwords":["a B1',
    "az vm a ",
    "docker build --secret id=a ",
    "echo a1 | vercel env add a ",
    "jwt.sign(a, ",
    "new mysqli('a', ",
    "secure_compare(pass, '",
    "AES.new(b",
    "AES.new(",
    "hmac.new(q(",
    "hash_hmac('a',q{",
    "cookieSession({ keys: ['a',",
    "password === ",
    "pass == 'a1",
    "'a' == password ",
    '"a1b2c3".equals(password) ',
    '"a1b2c3".toCharArray() ',
    "' // the deploy key",
    "// a key\n",
    "u == 'a' && p == ",
    "password = qw(a ",
    "password = <<EOS\n",
    "char pass[] = {'a',",
    "basic_auth a, ",
    "PASSWORD=a1&",
    "my PIN for a b is ",
    "password abcd efgh ",
    "abcd efgh ",
    "sudo asks, it's ",
    "here is the key ",
    "password's a1 ",
    "passphrase: a b1 C ",
    "la senha de a b ",
    "пароль a ",
    "\nPASSWORD=a1|b",
    "crypt: {",
    "'crypt' => [ 'key' => ",
    "storage:\n a: b\n key: a1",
    "chpasswd\na:b1\n",
    '\n"a" "b1',
    "[a]:587 b:c1 ",
    ': PSK "a',
    "password 7 0A",
    "snmp-server community a1",
    'accounts: ["',
    "solana [1,",
    '{"name":"sessionid","value":"',
    '{"keyName":"a","value":"',
    "$ cat a.key\n",
    "$ cat a.key ",
    "$ ",
    "# kubectl get secret a ",
    "% openssl rand 1; ",
    "> a.secret_key\n",
    "cat a.key\n",
    "C:\\",
    "PS ",
    "echo a1b2 > a.key ",
    "cat > a.key <<EOF\n",
    "<<EOF\n",
    "cat > a.key <<< a1b2 ",
    "password for a: ",
    "password: \n",
    "Unseal Key 1: ",
    "secret_id ",
    "TOKEN  TTL ",
    "chpasswd:\n list: |\n a:b1c2\n",
    "verification code ",
    "verification code is 1234 ",
    "1234 is your ",
    "update a set password = ? ",
    "insert into a (password) values (?) [[",
    "$1 = 'a', ",
    "ACL SETUSER a >b1c2 ",
    "fly secrets set A=a1b2 ",
    "A_PASSWORD='a ",
    "preshared-key <(echo "
  ]
  it.each(pieces)("takes no more than its length of %j", (piece) => {
    const time = (length: number): number => {
      const given = piece.repeat(length / piece.length)
      const from = process.cpuUsage().user
      findSecrets(given, () => true, {
        parts: [{ start: 0, end: given.length }],
        mayHoldTokens: true,
        topics: aboutAll
      })
      return process.cpuUsage().user - from
    }
    time(10_000)
    // Four times as long takes four times as long; what looks at each pair of places, sixteen times.
    const isLinear = () => time(256 * 1024) / Math.max(time(64 * 1024), 20_000) < 9
    // A machine may pause in one try: then two more have to agree.
    expect(isLinear() || (isLinear() && isLinear())).toBe(true)
  })

  const quoted = "'a'"
  /** What begins once, goes on for as long as it is given and may end with what is needed to look at all of it. */
  const grown: readonly (readonly [what: string, head: string, filler: string, tail: string])[] = [
    ["strings of an INSERT", "INSERT INTO t (id, password) VALUES (", quoted, ""],
    ["contractions in an INSERT", "INSERT INTO t (key, body) VALUES (1, 'I ", "don''t ", "\n')"],
    ["tuples of an INSERT", "insert into t (id, password) values ", `(${quoted}, ${quoted}),`, "("],
    ["tuples of another width", "insert into t (id, password) values ", "('a','b','c'),", ""],
    ["tuples that do not close", "insert into t (id, password) values ", "('a','b'),(", ""],
    ["strings that do not close", "insert into t (id, password) values ", "('a','b),\n", ""],
    ["statements that do not close", "", "insert into t (id, password) values (", ""],
    ["brackets in a tuple", "insert into t (id, password) values ", "(", ""],
    ["comments between tuples", "insert into t (id, password) values ", "/*a*/ --b\n", "('a','b')"],
    ["comments that do not close", "insert into t (id, password) values ", "(/*", ""],
    ["quotes of a cell", "insert into t (id, password) values (1, ", "'a' ", ")"],
    ["backslashes of a cell", "insert into t (id, password) values (1, '", "\\'", "')"],
    ["backslashes", "password=a1b2c3d4", "\\", ""],
    ["emphasis in a table", "user,password\n", `a${"_".repeat(2000)}b,${"_".repeat(2000)}c\n`, ""],
    ["blanks in a table", "user,password\n", `x${" ".repeat(3900)}y,b\n`, ""],
    ["quotes in a table", "user,password\n", `${" ".repeat(1900)}${"''".repeat(950)},b\n`, ""],
    ["members without a value", "", `password:{${"id: ".repeat(90)}\n`, ""],
    ["members parted by blanks", "", `password={${"type = a name = b ".repeat(20)}\n`, ""],
    ["types of keys", '{"', '"kty"}', ""],
    ["addresses at a login", "", `bw login ${"a@".repeat(100)} `, ""],
    ["names of users", "", `sqlplus ${"a".repeat(300)} `, ""],
    ["whose password it is", "", `set password ${"password for     ".repeat(14)}\n`, ""],
    ["digits before a name", "", `${"1".repeat(250)} token `, ""],
    ["arguments of a connection", "", `getConnection(        ${" a".repeat(90)}`, ""],
    ["rules of a form", "'password' => '", "a|regex:", "'"],
    ["types of keys amid backslashes", "{", `"kty${"\\".repeat(100)}"`, "}"],
    ["bytes of a key", "secretKey = [", "1, 200,", "]"],
    ["blanks between bytes", "secretKey = [", `1,${" ".repeat(39)}`, "]"],
    ["parts of a link", "https://a.example/", "reset/", ""],
    ["words of a message", '"passwords":["', "aB1 ", '"]'],
    ["names in a setting", "", `echo a1 | vercel env add ${"a".repeat(300)}\n`, ""],
    ["arguments of a call", "jwt.sign(", "a, ", ""],
    ["strings of a call", "jwt.sign(", "'a', ", ""],
    ["brackets of a call", "jwt.sign(", "(", ""],
    ["calls within calls", "", "jwt.sign(", ""],
    ["sessions without keys", "", "cookieSession({ a: 'b' }) ", ""],
    ["keys of a session", "cookieSession({ keys: [", "'a1b2c3d4e5', ", "]})"],
    ["words of a remark", "'a1b2c3d4e5f6a7b8' // ", "key ", "\n"],
    ["characters of a password", "char pass[] = {", "'a',", "}"],
    ["escaped characters", "secret_key = b'", "\\xf4", "'"],
    ["words of a list", "password) = qw(", "a ", ")"],
    ["accounts of a list", "chpasswd:\n list: |", "\n a:b1", ""],
    ["bytes of a wallet", "solana [", "200, 1, ", "]"],
    ["keys of a wallet", 'accounts: ["', `${"a1".repeat(32)}", "`, '"]'],
    ["words before a password", "CREATE ROLE ", "a ", "PASSWORD 'a1'"],
    ["quotes in a password", "CREATE ROLE a PASSWORD '", "''", "'"],
    ["lines below a prompt", "$ cat a.key\n", "a b\n", ""],
    ["blanks below a prompt", "$ cat a.key\n", " ", ""],
    ["pipes of a command", "$ cat a.key ", "| tr a b ", "\nabc"],
    ["quotes of a command", "$ cat a.key ", "'a' ", "\nabc"],
    ["words of a command", "$ vault read ", "a -field ", "\nabc"],
    ["lines of a command", "$ cat a.key \\\n", "a \\\n", "\nabc"],
    ["lines of a document", "cat > a.key <<EOF\n", "a1b2\n", ""],
    ["members of a list", "chpasswd:\n  list: |\n", "    a:b1c2\n", ""],
    ["columns of a statement", "insert into a (password) values (?) [", '"a", ', "]"],
    ["words before a code", "verification code ", "a ", "1234"],
    ["options of a setting", "", `${"config --a ".repeat(9)} password abcdef `, ""]
  ]
  it.each(grown)("takes no more than its length of %s", (_, head, filler, tail) => {
    const time = (length: number): number => {
      const given = head + filler.repeat(Math.max(1, length / filler.length)) + tail
      const from = process.cpuUsage().user
      findSecrets(given, () => true, {
        parts: [{ start: 0, end: given.length }],
        mayHoldTokens: true,
        topics: aboutAll
      })
      return process.cpuUsage().user - from
    }
    // A text that takes twice as long for each piece more would never end at full length.
    for (const length of [60, 70, 80, 200]) expect(time(length)).toBeLessThan(100_000)
    time(10_000)
    // Four milliseconds for each kilobyte are ten times what the slowest of these takes.
    const long = Math.min(time(256 * 1024), time(256 * 1024))
    expect(long).toBeLessThan(1_000_000)
    const isLinear = (most = time(256 * 1024)) => most / Math.max(time(64 * 1024), 20_000) < 9
    expect(isLinear(long) || (isLinear() && isLinear())).toBe(true)
  })

  it.each([
    ["names grown together in a manifest", "kind: Secret\n", "secret"],
    [
      "names grown together behind a letter that is two in lower case",
      "\u0130 token: abc123def456\n",
      "secret"
    ],
    ["words that name a phrase", "", "seed phrase "],
    ["words that name a phrase, parted by backslashes", "", `seed${"\\".repeat(1000)}`],
    ["backslashes behind a word that names a phrase", "seed phrase ", "\\"]
  ])("takes no more than its length of a whole text with %s", (_, head, filler) => {
    const time = (length: number): number => {
      const given = head + filler.repeat(length / filler.length)
      const from = process.cpuUsage().user
      redactText(given)
      return process.cpuUsage().user - from
    }
    // At full length, what looks at each pair of places would take minutes.
    expect(time(10_000)).toBeLessThan(400_000)
    expect(Math.min(time(256 * 1024), time(256 * 1024))).toBeLessThan(1_000_000)
    const isLinear = () => time(256 * 1024) / Math.max(time(64 * 1024), 20_000) < 9
    expect(isLinear() || (isLinear() && isLinear())).toBe(true)
  })

  const users = '{"username":"a","id":1},'
  it.each([
    ["objects with a user", '{"password":"hunter2hunter2","users":[', users, "{}]}"],
    ["objects of any kind", '{"password":"hunter2hunter2","username":"a","list":[', '{"id":1},', "{}]}"],
    ["objects before a key", '{"list":[', '{"id":1},', '{"kty":"RSA"}],"password":"hunter2hunter2"}'],
    ["keys beside each other", '{"password":"hunter2hunter2","list":[', '{"kty":"oct","k":"{"},', "{}]}"],
    ["objects that close at the end", '{"username":"a","password":"hunter2hunter2","a":', '{"a":', ""]
  ])("takes no more than its length of JSON with %s", (_, head, filler, tail) => {
    const time = (length: number): number => {
      const count = Math.ceil(length / filler.length)
      const close = tail === "" ? `1${"}".repeat(count + 1)}` : tail
      const given = head + filler.repeat(count) + close
      const from = process.cpuUsage().user
      redactLiterals(given, {
        mark: (kind) => kind,
        key: (key) => key,
        string: (text) => text,
        number: () => undefined,
        bytes: () => undefined
      })
      return process.cpuUsage().user - from
    }
    time(10_000)
    const isLinear = () => time(256 * 1024) / Math.max(time(64 * 1024), 20_000) < 9
    expect(isLinear() || (isLinear() && isLinear())).toBe(true)
  })
})
