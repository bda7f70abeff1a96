/** A log that this user may not write is not called damaged. */
import { chmodSync, mkdtempSync, readdirSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import { expect, it } from "vitest"
import { deniedAt, deniedBy } from "../../../src/log/denied.ts"
import { describeFinding, isSound, isUnseen } from "../../../src/log/verdict.ts"
import { verifyLog } from "../../../src/log/verify.ts"

const readOnly = Object.assign(new Error("attempt to write a readonly database"), { code: "SQLITE_READONLY" })
const folder = () => mkdtempSync(join(homedir(), "denied-"))

it("names the place that cannot be written, and what to do", () => {
  const file = join(folder(), "log.sqlite")
  expect(deniedAt(file, () => true)).toBeUndefined()
  expect(deniedBy(new Error("wrapped", { cause: readOnly }), file, (path) => path !== file)).toEqual({
    reason: `${file} cannot be written by this user`,
    remedy: `Make it writable (chmod u+w '${file}').`
  })
  expect(deniedBy(readOnly, file, () => false)?.reason).toContain(`${join(file, "..")} cannot be written`)
})

it("takes no other error of SQLite's for one of leave", () => {
  const corrupt = Object.assign(new Error("malformed"), { code: "SQLITE_CORRUPT" })
  expect(deniedBy(corrupt, join(folder(), "log.sqlite"), () => false)).toBeUndefined()
})

// Whoever may do everything is refused nothing.
it.skipIf(process.getuid?.() === 0)(
  "is not looked at, and not damaged, where nothing can be written beside it",
  () => {
    const place = folder()
    const file = join(place, "log.sqlite")
    const db = new Sqlite(file)
    db.pragma("journal_mode = WAL")
    db.exec("CREATE TABLE seals (first)")
    db.close()
    for (const name of readdirSync(place)) chmodSync(join(place, name), 0o400)
    chmodSync(place, 0o500)
    try {
      const verdict = verifyLog(file)
      expect(verdict.findings).toMatchObject([{ kind: "denied" }])
      expect(isUnseen(verdict)).toBe(true)
      expect(isSound(verdict)).toBe(false)
      expect(verdict.findings.map(describeFinding).join()).toMatch(
        /cannot be written by this user.*chmod u\+w/
      )
    } finally {
      chmodSync(place, 0o700)
    }
  }
)
