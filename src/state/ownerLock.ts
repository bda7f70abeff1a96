/**
 * A lock for those who may have no SQLite: a folder that holds one file, named after the lock's owner. It is taken by one rename, which
 * succeeds only where the folder is missing or empty, and a dead owner is removed by its name, which nobody else ever has: of two
 * processes that find the owner dead at the same moment one gets the lock. Light: a hook's call asks for it.
 */
import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { isAlive } from "./isAlive.ts"
import { StateError } from "./state.ts"

export interface OwnerLock {
  /** Says that its owner is still at work. Throws where the lock is another's by now, or gone. */
  readonly renew: () => void
  readonly release: () => void
}

/** Longer than a build may take. An owner that was silent for longer is gone, whatever program has its process id by now. */
const staleMs = 2 * 60_000

const ownerName = /^([1-9]\d*)\.[0-9a-f]{12}$/

const succeeds = (act: () => void): boolean => {
  try {
    act()
    return true
  } catch {
    return false
  }
}

const entriesIn = (lock: string): readonly string[] => {
  try {
    return readdirSync(lock)
  } catch {
    // There is none, or no folder.
    return []
  }
}

const isOwnedBy = (lock: string, entry: string): boolean => {
  const pid = Number(ownerName.exec(entry)?.[1])
  try {
    // A time to come is as good as a time long gone: the clock was set back.
    return Math.abs(Date.now() - statSync(join(lock, entry)).mtimeMs) <= staleMs && isAlive(pid)
  } catch {
    return false
  }
}

/** Whether a process that lives has it. Asking changes nothing, and never fails. */
export const isOwned = (lock: string): boolean => entriesIn(lock).some((entry) => isOwnedBy(lock, entry))

const misplaced = (lock: string): StateError =>
  new StateError(lock, "kind", `${lock} is in the place of a lock: move it away`)

/** False where the lock has an owner, dead or alive. */
const putInPlace = (folder: string, lock: string): boolean => {
  try {
    renameSync(folder, lock)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "ENOTEMPTY" || code === "EEXIST") return false
    throw code === "ENOTDIR" ? misplaced(lock) : error
  }
}

/** False where one of them lives. Throws where something else lies in the folder, which is left alone. */
const removeDead = (lock: string): boolean => {
  const entries = entriesIn(lock)
  if (entries.some((entry) => isOwnedBy(lock, entry))) return false
  if (!entries.every((entry) => ownerName.test(entry))) throw misplaced(lock)
  for (const owner of entries) succeeds(() => unlinkSync(join(lock, owner)))
  return true
}

/**
 * Undefined where a process that lives has it, also this one. Throws where nothing can be written, and where something else is in its
 * place.
 */
export const takeOwnerLock = (lock: string): OwnerLock | undefined => {
  const nonce = process.getBuiltinModule("node:crypto").randomBytes(6).toString("hex")
  const owner = `${process.pid}.${nonce}`
  const aside = `${lock}.${nonce}.tmp`
  mkdirSync(dirname(lock), { recursive: true, mode: 0o700 })
  // By itself: where nothing can be written, `recursive` says that something is missing.
  mkdirSync(aside, { mode: 0o700 })
  try {
    writeFileSync(join(aside, owner), "", { mode: 0o600 })
    if (!putInPlace(aside, lock) && !(removeDead(lock) && putInPlace(aside, lock))) return undefined
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
  const own = join(lock, owner)
  return {
    renew: () => utimesSync(own, new Date(), new Date()),
    release: () => {
      // The folder stays where somebody has taken it since.
      if (succeeds(() => unlinkSync(own))) succeeds(() => rmdirSync(lock))
    }
  }
}
