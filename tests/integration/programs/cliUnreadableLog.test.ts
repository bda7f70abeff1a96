/** The command line where the log cannot be read: what is refused is not done later on either, and a newer version's log is left alone. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import { command } from "../../support/command.ts"
import { bash, type Station, station } from "../../support/entrypoint.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"

const guard = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "guard", on: "tool.before", run: () => blockingFeedback("No.") })
`

let place: Station
let file: string
let whole: Buffer

const hooktape = (...args: readonly string[]) => command(place, ...args)
const blocks = async () => (await place.fire({ input: bash("true") })).stdout.includes("No.")
const isOn = async () => JSON.parse((await hooktape("hooks", "list", "--json")).stdout).hooks[0].enabled

/** Of the log and nothing beside it. */
const put = (bytes: Buffer): void => {
  for (const part of ["-wal", "-shm", ".seal"]) rmSync(file + part, { force: true })
  writeFileSync(file, bytes)
}

const newer = (): void => {
  const db = openPlainly(file)
  db.exec("PRAGMA user_version = 4; CREATE TABLE of_its_own (a); DELETE FROM recorded WHERE position = 2")
  db.pragma("wal_checkpoint(TRUNCATE)")
  db.close()
}

beforeAll(async () => {
  place = await station()
  file = join(place.state, "log.sqlite")
  place.putUser("hooks/guard.ts", guard)
  await place.build(true)
  await place.fire({ input: bash("true") })
  await place.facts()
  expect(await hooktape("log", "verify")).toMatchObject({ code: 0 })
  const db = openPlainly(file)
  db.pragma("wal_checkpoint(TRUNCATE)")
  db.close()
  whole = readFileSync(file)
}, 120_000)

beforeEach(() => put(whole))

const unreadable: readonly (readonly [string, () => void])[] = [
  ["garbage", () => put(Buffer.alloc(20_000, "no database at all"))],
  ["of a newer version", newer]
]

describe("while the log is", { timeout: 120_000 }, () => {
  it.each(unreadable)(
    "%s, a hook that could not be switched stays as it was, also afterwards",
    async (_, spoil) => {
      spoil()
      for (const word of ["enable", "disable"]) {
        const { code, stderr, stdout } = await hooktape("hooks", word, "guard")
        expect([code, stdout]).toEqual([1, ""])
        expect(stderr).toMatch(/^hooktape: /)
      }
      expect(await blocks()).toBe(true)
      put(whole)
      expect(await isOn()).toBe(true)
      expect(await blocks()).toBe(true)
      // And where it can be read, it is done.
      expect(await hooktape("hooks", "disable", "guard")).toMatchObject({ code: 0 })
      expect(await isOn()).toBe(false)
      expect(await hooktape("hooks", "enable", "guard")).toMatchObject({ code: 0 })
      expect(await blocks()).toBe(true)
    }
  )

  it("of a newer version, it is not looked at, not repaired, and not written", async () => {
    newer()
    const before = readFileSync(file)
    const verified = await hooktape("log", "verify")
    expect(verified).toMatchObject({ code: 1, stderr: "" })
    expect(verified.stdout).toBe(`✖ ${file} was written by a newer hooktape: update this one\n`)
    const repaired = await hooktape("log", "repair")
    expect(repaired).toMatchObject({ code: 1, stdout: "" })
    expect(repaired.stderr).toContain(
      "was written by a newer hooktape: update this one. Nothing was changed."
    )
    const started = await hooktape("host", "start")
    expect(started).toMatchObject({ code: 1, stdout: "" })
    expect(started.stderr).toContain(`the host is not started: ${file} was written by a newer hooktape`)
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(place.state).filter((name) => /damaged|repair/.test(name))).toEqual([])
  })
})

describe("what the log shows", { timeout: 120_000 }, () => {
  const shown = async () => (await hooktape("log", "--blocked")).stdout
  const edit = (sql: string): void => {
    const db = openPlainly(file)
    db.exec(sql)
    db.close()
  }

  it("is made of the facts again where somebody edited it, which verify finds", async () => {
    const before = await shown()
    expect(before).toContain("⛔ guard")
    expect((await hooktape("log", "verify")).stdout).toMatch(/^✔ the log is sound: [^\n]*\n$/)
    edit("UPDATE timeline_calls SET decision = NULL, outcome = 'silent', subject = 'echo hello'")
    expect(await shown()).toBe("")
    expect(JSON.parse((await hooktape("log", "verify", "--json")).stdout)).toMatchObject({
      ok: true,
      renewed: true
    })
    expect(await shown()).toBe(before)
    edit("DELETE FROM timeline_runs")
    const { code, stdout } = await hooktape("log", "verify")
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^! what "hooktape log" shows was not what the facts say, and is made anew of them\n✔ the log is sound/
      )
    ])
    expect(await shown()).toBe(before)
  })

  it("is made of them at once where it makes no sense", async () => {
    const before = await shown()
    edit("UPDATE timeline_calls SET outcome = 'exploded'")
    const { code, stderr, stdout } = await hooktape("log")
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toContain("⛔ guard")
    expect(await shown()).toBe(before)
  })
})
