/** Seals what one transaction appends, in that transaction: whoever else appends goes on from there, so the chain is one. */
import { statSync } from "node:fs"
import { dirname } from "node:path"
import type { Database } from "better-sqlite3"
import { digestKey } from "../../state/state.ts"
import { attempt } from "../attempt.ts"
import { bootId, openSealFile, readSealFile, type SealFile } from "../sealFile.ts"
import { keyName, noSeal, type SealedRow, sealKey, sealOf } from "../seals.ts"

export interface Sealer {
  /** What was just inserted, in order. Undone with its transaction. */
  readonly seal: (rows: readonly SealedRow[], now: number) => void
  /** It is on the log for good. */
  readonly committed: () => void
  readonly close: () => void
}

/** What befell the chain; docs/reference/state.md names the kinds. */
export const insertBreak = "INSERT INTO breaks (kind, first, last, at, note) VALUES (?, ?, ?, ?, ?)"

/** Whether the log still has what the file beside it says was its end. A batch that was emptied since is part of another's row. */
export const hasNewest = `SELECT 1 FROM seals
  WHERE (last = ? AND hex(seal) = upper(?)) OR (first <= ? AND last > ? AND anchor IS NOT NULL)`

const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino

export const makeSealer = (db: Database, log: string): Sealer => {
  // Facts are kept also where they cannot be sealed: doctor says what is wrong with the key.
  const installation = attempt(() => digestKey(dirname(log)))
  const key = installation && sealKey(installation)
  const newest = db
    .prepare<[], [number, Buffer]>("SELECT last, seal FROM seals ORDER BY last DESC LIMIT 1")
    .raw()
  const insert = db.prepare<unknown[]>("INSERT INTO seals (last, first, facts, seal) VALUES (?, ?, ?, ?)")
  const inode = inodeOf(log)
  let file: SealFile | undefined
  let isKnown = false
  let last = 0
  let latest: Buffer | undefined

  /** Once in each process: with which key it goes on, and whether its end is still there. Before anything new hides that. */
  const lookBack = (key: Buffer, end: number, first: number, now: number): void => {
    const say = db.prepare<unknown[]>(insertBreak)
    const began = db.prepare("SELECT note FROM breaks WHERE kind = 'began' ORDER BY id DESC LIMIT 1").pluck()
    const name = keyName(key)
    if (began.get() !== name) say.run("began", first, first, now, name)
    const told = attempt(() => readSealFile(log))
    if (told === undefined || told === "damaged") return
    const { boot, position, seal } = told
    if (db.prepare(hasNewest).get(position, seal, position, position) !== undefined) return
    say.run(boot === bootId() ? "cut" : "restart", Math.min(end + 1, position), position, now, seal)
  }

  return {
    seal: (rows, now) => {
      latest = undefined
      const [head] = rows
      const end = rows.at(-1)
      if (key === undefined || head === undefined || end === undefined) return
      const [before, seal] = newest.get() ?? [0, noSeal]
      if (!isKnown) lookBack(key, before, head.position, now)
      last = end.position
      latest = sealOf(key, seal, { first: head.position, last }, rows)
      insert.run(last, head.position, rows.length, latest)
    },
    committed: () => {
      isKnown = true
      // What goes into a log that was taken away is not what the next one has to have.
      if (latest === undefined || inodeOf(log) !== inode) return
      // A log that cannot say how far it went is still a log.
      attempt(() => {
        file ??= openSealFile(log)
        file.write(last, latest as Buffer)
      })
      latest = undefined
    },
    close: () => file?.close()
  }
}
