/** Reads the spool directory as what it is: files that others wrote, some of them torn, some not ours at all. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Draft } from "../../../events/Recorded.ts"
import { type RedactedDraft, redactDraft } from "../../redact/redact.ts"
import { isAlive } from "../../state/isAlive.ts"
import { spoolDirectory } from "./spoolWriter.ts"

export interface SpoolFile {
  readonly name: string
  readonly path: string
  readonly size: number
  readonly modifiedAt: number
  /** Its writer has not handed it over. */
  readonly open: boolean
}

/** A line that cannot become a fact. */
export interface Rejected {
  readonly file: string
  readonly line: number
  readonly reason: string
  readonly text: string
}

/** A line that can, and where it stood in case the log refuses it. */
export interface Spooled {
  readonly draft: RedactedDraft
  readonly file: string
  readonly line: number
  readonly text: string
}

export interface SpoolContent {
  /** As it was found: it may have been handed over since it was listed. */
  readonly found: SpoolFile
  readonly drafts: readonly Spooled[]
  readonly rejected: readonly Rejected[]
  /** Nothing more will come: the file can go once its facts are in the log. */
  readonly finished: boolean
}

const ours = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\.ndjson(?:\.open)?$/
/** However its process looks, an invocation of that age is over. */
const longest = 10 * 60_000

/** The spooled files in the order of their invocations. Links, foreign files and other names are not touched. */
export const listSpool = (state: string): readonly SpoolFile[] => {
  const directory = spoolDirectory(state)
  let names: string[]
  try {
    if (!lstatSync(directory).isDirectory()) return []
    names = readdirSync(directory)
  } catch {
    return []
  }
  const uid = process.getuid?.()
  return names
    .filter((name) => ours.test(name))
    .sort()
    .flatMap((name) => {
      const path = join(directory, name)
      const stat = lstatSync(path, { throwIfNoEntry: false })
      if (stat === undefined || !stat.isFile() || (uid !== undefined && stat.uid !== uid)) return []
      return [{ name, path, size: stat.size, modifiedAt: stat.mtimeMs, open: name.endsWith(".open") }]
    })
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""
const isMark = (value: unknown): boolean => value === null || typeof value === "string"
const marks = ["cause", "agent", "agentEvent", "event", "session", "project", "toolUseId"] as const

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** The last millisecond that a date can hold; whoever shows a later one fails. */
const latest = 8.64e15
/** `JSON.stringify` and whoever walks a fact recurse: from some thousand levels on they run out of stack. */
const deepest = 1000

const isDeep = (root: object): boolean => {
  let level: object[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === deepest) return true
    level = level.flatMap((value) =>
      Object.values(value).filter((member) => typeof member === "object" && member !== null)
    )
  }
  return false
}

/** Why a parsed line is no draft, or the draft. */
const asDraft = (value: unknown): Draft | string => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "not an object"
  const draft = value as Record<string, unknown>
  for (const key of ["id", "stream", "type"] as const) if (!isText(draft[key])) return `no ${key}`
  if (!uuid.test(draft["id"] as string)) return "id is no UUID"
  if (!Number.isSafeInteger(draft["schemaVersion"])) return "no schemaVersion"
  if (typeof draft["at"] !== "number" || !(Math.abs(draft["at"]) <= latest)) return "no time"
  for (const key of marks) if (!isMark(draft[key] ?? null)) return `${key} is no text`
  const { data } = draft
  if (typeof data !== "object" || data === null || Array.isArray(data)) return "no data"
  if ((data as { type?: unknown }).type !== draft["type"]) return "data of another type"
  const { id, stream, type, schemaVersion, at } = draft as unknown as Draft
  const {
    cause = null,
    agent = null,
    agentEvent = null,
    event = null,
    session = null,
    project = null,
    toolUseId = null
  } = draft as unknown as Draft
  return {
    id,
    stream,
    type,
    schemaVersion,
    at,
    cause,
    agent,
    agentEvent,
    event,
    session,
    project,
    toolUseId,
    data: data as Draft["data"]
  }
}

/** The draft that a line holds, or why it is none. */
export const parseLine = (line: string): Draft | string => {
  try {
    const draft = asDraft(JSON.parse(line))
    // Each level takes two characters.
    return typeof draft !== "string" && line.length > 2 * deepest && isDeep(draft.data)
      ? `nested deeper than ${deepest} levels`
      : draft
  } catch {
    return "not JSON"
  }
}

/** Of a plain file that is reached through no link. */
const bytesOf = (path: string): Buffer | undefined => {
  try {
    const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    try {
      return fstatSync(fd).isFile() ? readFileSync(fd) : undefined
    } finally {
      closeSync(fd)
    }
  } catch {
    return undefined
  }
}

const closed = (name: string): string => name.replace(/\.open$/, "")

/** What a file holds, under the name that it has by now: its writer may have handed it over since it was listed. */
export const spoolBytes = (
  file: SpoolFile
): { readonly found: SpoolFile; readonly bytes: Buffer } | undefined => {
  const handedOver = { ...file, name: closed(file.name), path: closed(file.path), open: false }
  for (const found of file.open ? [file, handedOver] : [file]) {
    const bytes = bytesOf(found.path)
    if (bytes !== undefined) return { found, bytes }
  }
  return undefined
}

/** The first line of a file with facts of many invocations: which process writes it. It is no fact. */
export const writerLine = (pid: number): string => `{"writer":${pid}}\n`

const writerIn = (line: string): number | undefined => {
  const [, pid] = /^\{"writer":([1-9]\d{0,9})\}$/.exec(line) ?? []
  return pid === undefined ? undefined : Number(pid)
}

/** As told by the first line, which the invocation's own process writes where it is no line about the writer. */
const writerOf = (line: string): number | undefined => {
  const told = writerIn(line)
  if (told !== undefined) return told
  const draft = parseLine(line)
  if (typeof draft === "string" || draft.type !== "INVOCATION_OPENED") return undefined
  const { pid } = draft.data as { pid?: unknown }
  return typeof pid === "number" && Number.isInteger(pid) && pid > 0 ? pid : undefined
}

/** A process of that id may be another one by now; after a day it is. */
const longestAlive = 24 * 60 * 60_000

/** Whether nothing more will be written. Asked before the reading that counts: what a dead writer left is all there is. */
const isOver = (file: SpoolFile, now: number, alive: (pid: number) => boolean): boolean => {
  if (!file.open) return true
  const [first = ""] = (bytesOf(file.path)?.toString("utf8") ?? "").split("\n", 1)
  const writer = writerOf(first)
  const age = now - file.modifiedAt
  if (writer === undefined) return age > longest
  return !alive(writer) || age > longestAlive
}

/** The facts of one file. The torn last line of a killed writer was never written; of a live one it is not yet. */
export const readSpoolFile = (
  file: SpoolFile,
  now: number,
  alive: (pid: number) => boolean = isAlive
): SpoolContent => {
  const isLeft = isOver(file, now, alive)
  const there = spoolBytes(file)
  // Gone: another reader was faster.
  if (there === undefined) return { found: file, drafts: [], rejected: [], finished: false }
  const { found, bytes } = there
  const finished = isLeft || !found.open
  const lines = bytes.toString("utf8").split("\n")
  const name = closed(file.name)
  const drafts: Spooled[] = []
  const rejected: Rejected[] = []
  lines.forEach((text, at) => {
    if (text === "" || (at === 0 && writerIn(text) !== undefined)) return
    const draft = parseLine(text)
    if (typeof draft !== "string") {
      drafts.push({ draft: redactDraft(draft), file: name, line: at + 1, text })
      return
    }
    const reason = text.includes("\ufffd") ? "not UTF-8" : draft
    rejected.push({ file: name, line: at + 1, reason, text })
  })
  return { found, drafts, rejected: finished ? rejected : [], finished }
}
