/** Rows as dumps and seeds write them: with quotes in texts, calls, comments between, and rows that cannot be read. */
import { describe, expect, it } from "vitest"
import { redactJsonText, redactText } from "../../../src/redact/redact.ts"

const [first, second, third] = ["Tr0ub4dor&3x", "Zx9kqLm2Pw", "Qw8rTz5yUi"] as const
const long = "x".repeat(40_000)

const rows: readonly (readonly [what: string, text: string])[] = [
  [
    "a quote behind a backslash",
    `INSERT INTO \`users\` (\`id\`,\`email\`,\`password\`,\`bio\`) VALUES (1,'a@x.io','${first}','it\\'s me'),(2,'b@x.io','${second}','ok');`
  ],
  [
    "a string that ends with a backslash",
    `INSERT INTO users (home, password) VALUES ('C:\\', '${first}'), ('D:\\', '${second}');`
  ],
  ["a call before it", `INSERT INTO users (email, made, password) VALUES ('a@x.io', NOW(), '${first}')`],
  ["a call at the beginning", `INSERT INTO users (id, password) VALUES (uuid_generate_v4(), '${first}')`],
  ["a call around it", `INSERT INTO users (id, password) VALUES (1, crypt('${first}', gen_salt('bf')))`],
  ["a digest of it", `insert into users (id, password) values (1, HASHBYTES('SHA2_256', N'${first}'))`],
  ["double quotes", `INSERT INTO users (bio, password) VALUES ("it's", "${first}"), ("(", "${second}")`],
  ["a long text", `INSERT INTO users (bio, password) VALUES ('${long}', '${first}'), ('b', '${second}')`],
  [
    "comments",
    `INSERT INTO users (id, password) VALUES (1, '${first}'), -- it's me\n (2, /* don't */ '${second}' -- isn't\n), /* can't */ (3, '${third}')`
  ],
  [
    "a row that does not close",
    `INSERT INTO users (id, password) VALUES (1, ('a',\n(2, '${first}'),\n(3, '${second}');`
  ],
  [
    "a row with a quote too many",
    `INSERT INTO users (id, bio, password) VALUES (1, 'it's', 'x'),\n(2, 'b', '${first}'),\n(3, 'c', '${second}');`
  ],
  [
    "a row that does not close in the statement before",
    `INSERT INTO users (id, password) VALUES (1, 'it's);\nINSERT INTO users (id, password) VALUES (2, '${first}');`
  ],
  ["a type behind it", `INSERT INTO users (id, password) VALUES (1, '${first}'::text), (2, E'${second}')`],
  [
    "a row that is cut off",
    `INSERT INTO users (id, password, bio) VALUES (1, '${first}', 'a'), (2, '${second}', 'and the`
  ],
  ["one column", `INSERT INTO users (password) VALUES ('${first}'), ('${second}')`],
  [
    "the lines of a diff",
    `+INSERT INTO users (id, password) VALUES\n+  (1, '${first}'),\n+  (2, '${second}'),\n-  (2, '${third}');`
  ],
  [
    "the lines of a listing",
    `    1→INSERT INTO users (id, password) VALUES\n    2→  (1, '${first}'),\n    3→  (2, '${second}');`
  ]
]

const writings: Readonly<Record<string, (text: string) => string>> = {
  "as text": redactText,
  "in a payload": (text) =>
    redactJsonText(JSON.stringify({ tool_response: { stdout: `done\n${text}\nok\n` } }))
}

describe.each(rows)("rows with %s", (_, text) => {
  it.each(Object.entries(writings))("keep no password, %s", (__, redacted) => {
    const told = [first, second, third].filter((secret) => text.includes(secret))
    expect(told.filter((secret) => redacted(text).includes(secret))).toEqual([])
  })
})

it.each([
  "INSERT INTO users (id, password) VALUES (1, NULL), (2, DEFAULT), (3, @password), (4, gen_random_uuid());",
  "INSERT INTO users (id, password) VALUES (1, (SELECT hash FROM other WHERE name = 'hunter22'));",
  "INSERT INTO users (id, password) VALUES (1, crypt($1, gen_salt('bf')))",
  "INSERT INTO posts (id, body) VALUES (1, 'password: it''s said (here)'), (2, 'b');",
  "INSERT INTO users (id, password) VALUES (1, hash_of(user.password))"
])("leaves %j as it is", (text) => {
  expect(redactText(text)).toBe(text)
})

it("reads many rows that end in a backslash in the time of as many others", () => {
  const rows = Array.from({ length: 6000 }, (_, nth) => `(${nth},'C:\\dir\\','${first}')`).join(",\n")
  // The runner's time-out ends what grows with the square of it.
  expect(redactText(`INSERT INTO users (id, path, password) VALUES\n${rows};`)).not.toContain(first)
})
