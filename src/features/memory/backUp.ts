/** Keeps a copy of what was said in a session: compressed, bounded, private, for so many sessions and so long. */
import { createHash, randomUUID } from "node:crypto"
import {
  closeSync,
  createReadStream,
  createWriteStream,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync
} from "node:fs"
import { extname, join } from "node:path"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { redactJsonText } from "../../redact/redact.ts"
import { privateDirectory } from "../../state/state.ts"
import { transcriptProblem } from "../transcripts/transcriptProblem.ts"

export interface BackUp {
  readonly state: string
  readonly session: string
  /** The agent's own file. */
  readonly transcript: string
  /** Of the transcript, before it is compressed: of a longer one the end is kept. */
  readonly mostBytes: number
  readonly mostSessions: number
  readonly mostDays: number
}

export interface BackedUp {
  readonly file?: string
  /** Bytes of the transcript that are in it. */
  readonly bytes?: number
  readonly skipped?: string
  /** How many older ones were removed. */
  readonly removed: number
}

export const backupsFolder = (state: string): string =>
  privateDirectory(join(privateDirectory(join(state, "backups")), "sessions"))

/** Readable where it can be, and never a path: a session's id is the agent's. */
const backupStem = (session: string): string => {
  const plain = session.replace(/[^\w-]/g, "_").slice(0, 80)
  return `${plain}-${createHash("sha256").update(session).digest("hex").slice(0, 8)}`
}

/** Whether a file of the backups' folder is one of this session. */
export const isBackupOf = (session: string, name: string): boolean =>
  name.startsWith(`${backupStem(session)}.`)

export const backupName = (session: string, transcript: string): string => {
  const ending = /^\.\w{1,8}$/.test(extname(transcript)) ? extname(transcript) : ".txt"
  return `${backupStem(session)}${ending}.gz`
}

const day = 86_400_000
const unfinished = ".tmp"
/** A copy that takes longer was left half done. */
const longestMs = 3_600_000

/** The newest stay. Returns how many went. */
const retain = (folder: string, { mostDays, mostSessions }: BackUp, now: number): number => {
  const files = readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((file) => {
      const stat = lstatSync(file, { throwIfNoEntry: false })
      return stat?.isFile() ? [{ file, at: stat.mtimeMs }] : []
    })
    .sort((a, b) => b.at - a.at)
  const [half, whole] = [true, false].map((isHalf) =>
    files.filter(({ file }) => file.endsWith(unfinished) === isHalf)
  ) as [typeof files, typeof files]
  for (const { at, file } of half) if (now - at > longestMs) rmSync(file, { force: true })
  const old = whole.filter(({ at }, nth) => nth >= mostSessions || now - at > mostDays * day)
  for (const { file } of old) rmSync(file, { force: true })
  return old.length
}

const endsLine = (file: string, at: number): boolean => {
  const descriptor = openSync(file, "r")
  try {
    const byte = Buffer.alloc(1)
    return readSync(descriptor, byte, 0, 1, at) === 1 && byte[0] === 10
  } finally {
    closeSync(descriptor)
  }
}

/**
 * The transcript's lines with the secrets in them replaced: transcripts are JSON, a value a line, or plain text. The first line of
 * an end may be half of one, and is then plain text.
 */
async function* redactedLines(file: string, start: number, end: number): AsyncGenerator<string> {
  const input = createReadStream(file, { start, end, encoding: "utf8" })
  // What a key's lines or a list of settings mean shows only beside their neighbours.
  let pending: string[] = []
  let size = 0
  let first = true
  const next = (text: string): string => {
    const joined = first ? text : `\n${text}`
    first = false
    return joined
  }
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (/^\s*[{[]/.test(line) && line.length > 1) {
      if (size > 0) yield next(redactJsonText(pending.join("\n")))
      pending = []
      size = 0
      yield next(redactJsonText(line))
      continue
    }
    pending.push(line)
    size += line.length + 1
    if (size > longestPart) {
      yield next(redactJsonText(pending.join("\n")))
      pending = []
      size = 0
    }
  }
  if (size > 0) yield next(redactJsonText(pending.join("\n")))
  if (endsLine(file, end)) yield "\n"
}

/** Lines that are no values are redacted together, so many characters at a time. */
const longestPart = 256 * 1024

export const backUp = async (wanted: BackUp, now: number): Promise<BackedUp> => {
  const { mostBytes, session, state, transcript } = wanted
  const folder = backupsFolder(state)
  const skipped = transcriptProblem(transcript)
  if (skipped !== undefined) return { skipped, removed: retain(folder, wanted, now) }
  const { size } = statSync(transcript)
  const file = join(folder, backupName(session, transcript))
  // Of its own: a work that was ended half-way leaves its file, and another may be at the same session's.
  const aside = `${file}.${randomUUID().slice(0, 8)}${unfinished}`
  const start = Math.max(0, size - mostBytes)
  try {
    await pipeline(
      // It may grow while it is read: as much as there was.
      Readable.from(redactedLines(transcript, start, size - 1)),
      createGzip(),
      createWriteStream(aside, { flags: "wx", mode: 0o600 })
    )
    renameSync(aside, file)
  } finally {
    rmSync(aside, { force: true })
  }
  return { file, bytes: size - start, removed: retain(folder, wanted, now) }
}
