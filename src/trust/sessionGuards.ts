/**
 * The guards that a session began with, one small file for each session: whatever happens to files and branches, and wherever the
 * session's directory moves, it does not lose them before it ends. Light: every hook call asks.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { fileKey } from "../state/fileKey.ts"
import type { Guard } from "../state/manifest.ts"

export interface SessionGuards {
  readonly version: 1
  readonly session: string
  /** When its first guarded call was made, milliseconds since 1970. */
  readonly began: number
  readonly guards: readonly Guard[]
  /** Names of guards whose loss was told. */
  readonly told?: readonly string[]
  /** When it was said to be over, milliseconds since 1970. */
  readonly ended?: number
}

export const sessionsFolder = (state: string): string => join(state, "trusted", "sessions")

const fileOf = (state: string, session: string): string =>
  join(sessionsFolder(state), `${fileKey(session)}.json`)

const parsed = (text: string): SessionGuards | undefined => {
  try {
    const read = JSON.parse(text) as SessionGuards
    // Of a newer version too: what a session began with it keeps, as far as that can be read.
    return read.version >= 1 && Array.isArray(read.guards) ? read : undefined
  } catch {
    return undefined
  }
}

export const readSession = (state: string, session: string): SessionGuards | undefined => {
  const file = fileOf(state, session)
  // Most sessions have no guards: the error of a missing file would cost each of their calls more than the look.
  if (!existsSync(file)) return undefined
  try {
    const found = parsed(readFileSync(file, "utf8"))
    return found?.session === session ? found : undefined
  } catch {
    return undefined
  }
}

/** Whole or not at all; two first calls of one session write the same. */
export const writeSession = (state: string, guards: SessionGuards): void => {
  const file = fileOf(state, guards.session)
  const aside = `${file}.${process.pid}.tmp`
  mkdirSync(sessionsFolder(state), { recursive: true, mode: 0o700 })
  writeFileSync(aside, JSON.stringify(guards), { mode: 0o600 })
  renameSync(aside, file)
}

/** Anybody can say that it is over, the model too: what is called in its name afterwards has its guards all the same, until it begins anew. */
export const endSession = (state: string, session: string, now: number): void => {
  const there = readSession(state, session)
  if (there !== undefined && there.ended === undefined) writeSession(state, { ...there, ended: now })
}

/** One that begins anew, without guards. */
export const dropSession = (state: string, session: string): void =>
  rmSync(fileOf(state, session), { force: true })

/** Those of all sessions of which somebody may still call. */
export const allSessions = (state: string): readonly SessionGuards[] => {
  const folder = sessionsFolder(state)
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => parsed(readFileSync(join(folder, name), "utf8")) ?? [])
  } catch {
    return []
  }
}

/** Sessions that nobody has heard of for so long are over, whatever became of them. */
export const forgetSessions = (state: string, before: number): void => {
  const folder = sessionsFolder(state)
  try {
    for (const name of readdirSync(folder)) {
      if (statSync(join(folder, name)).mtimeMs < before) rmSync(join(folder, name), { force: true })
    }
  } catch {
    // There are none.
  }
}

const covers = (there: Guard, { digest, events, name, owner, source }: Guard, began: number): boolean => {
  if (there.name !== name) return false
  if (there.digest === digest) return true
  // What its user trusted since then, or wrote into their own hooks, is their word on it.
  const isMeant = owner === "user" || there.trustedAt > began
  return isMeant && there.source === source && events.every((event) => there.events.includes(event))
}

/** What of a session's guards these do not have. */
export const missingFrom = (there: readonly Guard[], { began, guards }: SessionGuards): readonly Guard[] =>
  guards.filter((guard) => !there.some((one) => covers(one, guard, began)))
