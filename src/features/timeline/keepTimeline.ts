/** The timeline of a log that is asked many times a second: whoever watches keeps its connections, and opens others for another log. */
import { statSync } from "node:fs"
import Sqlite from "better-sqlite3"
import type { Steps } from "../../log/projection.ts"
import type { Asked } from "../../log/reader.ts"
import { keepStatements } from "../../log/sqlite/keepStatements.ts"
import { isBusy, isOfSqlite } from "../../log/sqlite/sqliteErrors.ts"
import { askTimeline, openTimeline } from "./catchUp.ts"

export interface KeptTimeline {
  /**
   * True once for all that was committed before; what is committed from here on is news again, and so is, once, that it cannot be told. It
   * reads a few bytes.
   */
  readonly hasNews: () => boolean
  /** What the question says, of all that is on the log; `askTimeline` with connections that are there. */
  readonly ask: <A>(question: (db: Asked) => A) => A
  readonly close: () => void
}

interface Connections {
  readonly ino: number
  readonly steps: Steps
  /** What is asked writes nothing. */
  readonly read: Asked
  readonly close: () => void
}

/** Whoever serves pages answers others meanwhile: what cannot be brought up to date now is so in a moment. */
const busyMs = 50
const perRound = 2000

const connect = (file: string, ino: number): Connections => {
  const steps = openTimeline(file, { busyMs, most: perRound })
  try {
    const db = keepStatements(new Sqlite(file, { readonly: true, fileMustExist: true }))
    return {
      ino,
      steps,
      read: { prepare: (sql) => db.prepare<unknown[]>(sql) },
      close: () => {
        db.close()
        steps.close()
      }
    }
  } catch (error) {
    steps.close()
    throw error
  }
}

export const keepTimeline = (file: string): KeptTimeline => {
  let kept: Connections | undefined
  let seen: unknown
  let isUntold = false
  let isClosed = false
  const letGo = (): void => {
    kept?.close()
    kept = undefined
    seen = undefined
  }
  /** Those of the log that stands there now; undefined where there is none. */
  const current = (): Connections | undefined => {
    const ino = statSync(file, { throwIfNoEntry: false })?.ino
    // A log that was put in another's place is counted from its own beginning.
    if (kept?.ino !== ino) letGo()
    if (ino !== undefined && !isClosed) kept ??= connect(file, ino)
    return kept
  }
  const asked = <A>(question: (db: Asked) => A): A => {
    const connections = current()
    if (connections === undefined) return askTimeline(file, question)
    const { read, steps } = connections
    try {
      if (steps.isBehind()) while (steps.step());
    } catch (error) {
      if (!isBusy(error)) throw error
      // There are no tables yet, and somebody else writes all the while.
      if (!steps.isMade()) return askTimeline(file, question)
    }
    return question(read)
  }
  return {
    hasNews: () => {
      try {
        const version = current()?.steps.version()
        isUntold = false
        if (version === undefined || version === seen) return false
        seen = version
        return true
      } catch (error) {
        // Asked again in a moment, by when whoever holds it may have let go.
        if (isBusy(error)) return false
        letGo()
        const isNew = !isUntold
        isUntold = true
        return isNew
      }
    },
    ask: (question) => {
      try {
        return asked(question)
      } catch (error) {
        if (isBusy(error) || !isOfSqlite(error)) throw error
        letGo()
        return askTimeline(file, question)
      }
    },
    close: () => {
      isClosed = true
      letGo()
    }
  }
}
