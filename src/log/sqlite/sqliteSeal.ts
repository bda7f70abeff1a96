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

/** What befell the chain: `began`, `cut`, `restart`, `unsealed`, `forgotten` or `repaired`. */
export const insertBreak = "INSERT INTO breaks (kind, first, last, at, note) VALUES (?, ?, ?, ?, ?)"

/** Whether the log still has what the file beside it says was its end. A batch that was emptied since is part of another's row. */
export const hasNewest = `SELECT 1 FROM seals
  WHERE (last = ? AND hex(seal) = upper(?)) OR (first <= ? AND last > ? AND anchor IS NOT NULL)`

const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino

const statements = (db: Database) => ({
  newest: db.prepare<[], [number, Buffer]>("SELECT last, seal FROM seals ORDER BY last DESC LIMIT 1").raw(),
  insert: db.prepare<unknown[]>("INSERT INTO seals (last, first, facts, seal) VALUES (?, ?, ?, ?)"),
  newestBreak: db.prepare<[], number | null>("SELECT max(id) FROM breaks").pluck(),
  began: db.prepare("SELECT note FROM breaks WHERE kind = 'began' ORDER BY id DESC LIMIT 1").pluck(),
  say: db.prepare<unknown[]>(insertBreak),
  sayLonger: db.prepare<unknown[]>(
    "UPDATE breaks SET last = ? WHERE id = (SELECT max(id) FROM breaks WHERE kind = 'unsealed') AND last = ?"
  )
})

export const makeSealer = (db: Database, log: string): Sealer => {
  const { began, insert, newest, newestBreak, say, sayLonger } = statements(db)
  const inode = inodeOf(log)
  let file: SealFile | undefined
  let key: Buffer | undefined
  /** What had befallen the chain when it went on under this key last, and when it is about to. */
  let settled: number | null | undefined
  let befallen: number | null = null
  let isEndKnown = false
  let last = 0
  let latest: Buffer | undefined

  const readKey = (): Buffer | undefined => {
    const installation = attempt(() => digestKey(dirname(log)))
    return installation && sealKey(installation)
  }

  /** Facts are kept also where they cannot be sealed: doctor says what is wrong with the key, and this that nobody put them in. */
  const noteUnsealed = (first: number, last: number, now: number): void => {
    if (sayLonger.run(last, first - 1).changes === 0) say.run("unsealed", first, last, now, "no key")
  }

  const goOnUnder = (key: Buffer, first: number, now: number): void => {
    const name = keyName(key)
    if (began.get() !== name) say.run("began", first, first, now, name)
  }

  /** Once in each process, before anything new hides it: whether its end is still there. */
  const lookBack = (end: number, now: number): void => {
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
      if (head === undefined || end === undefined) return
      befallen = newestBreak.get() ?? null
      // Read again where it could not be read, and where others went on under another: a host outlives a key that is made anew.
      const isSettled = key !== undefined && befallen === settled
      if (!isSettled) key = readKey()
      if (key === undefined) return noteUnsealed(head.position, end.position, now)
      const [sealedUpTo, seal] = newest.get() ?? [0, noSeal]
      if (!isSettled) goOnUnder(key, head.position, now)
      if (!isEndKnown) lookBack(sealedUpTo, now)
      last = end.position
      latest = sealOf(key, seal, { first: head.position, last }, rows)
      insert.run(last, head.position, rows.length, latest)
    },
    committed: () => {
      // What goes into a log that was taken away is not what the next one has to have.
      if (latest === undefined) return
      settled = befallen
      isEndKnown = true
      if (inodeOf(log) !== inode) return
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
