/** Files on the disk that a database's client is told to run. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { classifyLooking, isCleared } from "../../../src/features/guard/look.ts"

const home = realpathSync(mkdtempSync(join(tmpdir(), "guard-files-")))
const project = join(home, "app")
mkdirSync(join(project, "db"), { recursive: true })
afterAll(() => rmSync(home, { recursive: true, force: true }))
const write = (name: string, text: string) => writeFileSync(join(project, name), text)
write("drop.sql", "-- anew\nBEGIN;\nDROP TABLE IF EXISTS users;\nCREATE TABLE users (id int);\nCOMMIT;\n")
write("db/seed.sql", "insert into users values (1); -- then DROP TABLE users\n")
write("empty.sql", "truncate orders;")
write("large.sql", `${"insert into t values (1);\n".repeat(10_000)}DROP TABLE t;\n`)
write("wipe.js", "db.users.deleteMany({})\n")
write("flush.txt", "FLUSHALL\n")
write("read.sql", "select 1;\n")
// Text that a clone may bring to keep whoever reads it busy.
write("busy.sql", `WITH ${"UPDATE a ".repeat(6500)}`)
write("busy.txt", "\n".repeat(59_000))
execFileSync("mkfifo", [join(project, "pipe.sql")])

const place = { project, cwd: project, home }
const judge = async (command: string) =>
  (await classifyLooking(command, place, async () => undefined))?.rule ?? null

describe("a file that a database's client is told to run", () => {
  it.each([
    "psql -f drop.sql app",
    "psql app -fdrop.sql",
    "psql --file=drop.sql app",
    "cd db && psql -f ../drop.sql app",
    "mysql app < empty.sql",
    "cat db/seed.sql drop.sql | psql app",
    "sed s/users/people/ drop.sql | psql app",
    "sqlite3 app.db < drop.sql",
    "sqlite3 app.db '.read drop.sql'",
    "mysql -e 'source drop.sql' app",
    "psql app -c '\\i drop.sql'",
    "docker exec -i db psql -U me app < drop.sql",
    "cat drop.sql | docker compose exec -T db psql app",
    "ssh db.example psql app < drop.sql",
    "mongosh app wipe.js",
    "redis-cli < flush.txt",
    "psql -f large.sql app",
    "psql -f db/seed.sql app && psql -f drop.sql app"
  ])("is looked into: %s", async (command) => {
    expect(isCleared(command, place)).toBe(false)
    expect(await judge(command)).toBe("databases")
  })

  it.each([
    "psql -f read.sql app",
    "psql -f db/seed.sql app",
    "psql -f not-there.sql app",
    "psql -f pipe.sql app",
    "psql -f db app",
    "psql -f busy.sql app",
    "redis-cli < busy.txt",
    "psql -f drop.sql app_test",
    "ssh db.example 'psql -f drop.sql app'",
    "pg_dump app > drop.sql",
    "cat drop.sql",
    "grep -c TABLE drop.sql",
    "mysql app < /dev/stdin",
    "psql -f - app"
  ])("passes where it loses nothing, or is none: %s", async (command) => {
    expect(await judge(command)).toBe(null)
  })

  it("is asked about by what it does", async () => {
    const verdict = await classifyLooking("psql -f drop.sql app", place, async () => undefined)
    expect(verdict).toMatchObject({ action: "ask", reason: "`psql` reads a file that drops a table." })
  })
})
