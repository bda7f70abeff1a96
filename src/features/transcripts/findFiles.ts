/** The transcripts that lie on this machine: those of each agent, where it keeps them, or those below a path. */
import { readdirSync, realpathSync } from "node:fs"
import { join } from "node:path"
import type { Agent } from "../../../events/agentEvents.ts"
import type { TranscriptFormat } from "../../agents/transcripts/Transcript.ts"
import { statOf } from "../../state/statOf.ts"
import { formatOfFile, formats } from "./formats.ts"

export interface TranscriptFile {
  readonly path: string
  readonly format: TranscriptFormat
  readonly bytes: number
  /** When it was last written, milliseconds since 1970. */
  readonly written: number
}

export interface Searched {
  readonly files: readonly TranscriptFile[]
  /** What cannot be read, or is no transcript though it was named. */
  readonly problems: readonly string[]
}

const maxDepth = 8
const maxFiles = 200_000

/** Where it really lies; itself where nobody can tell. */
const realOf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** `above`: the folders that it lies in, by where they really are: a link may lead back to one of them. */
function* below(folder: string, above: readonly string[] = []): Generator<string> {
  const real = realOf(folder)
  if (above.includes(real)) return
  let entries: import("node:fs").Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    const kind = entry.isSymbolicLink() ? statOf(path) : entry
    if (kind?.isDirectory() === true && above.length < maxDepth) yield* below(path, [...above, real])
    else if (kind?.isFile() === true) yield path
  }
}

const fileOf = (path: string, format: TranscriptFormat | undefined): TranscriptFile | undefined => {
  const stat = statOf(path)
  if (format === undefined || stat === undefined || !stat.isFile() || stat.size === 0) return undefined
  return { path, format, bytes: stat.size, written: stat.mtimeMs }
}

const safely = (path: string): TranscriptFormat | undefined => {
  try {
    return formatOfFile(path)
  } catch {
    return undefined
  }
}

const isAmong = (agent: Agent | undefined) => (format: TranscriptFormat) =>
  agent === undefined || format.agent === agent

/** The same file in two places is one; of an archived session and the one in use, the one in use. */
const distinct = (files: readonly TranscriptFile[]): readonly TranscriptFile[] => {
  const kept = new Map<string, TranscriptFile>()
  for (const file of files) {
    const real = realOf(file.path)
    if (!kept.has(real)) kept.set(real, file)
  }
  return [...kept.values()]
}

export const findTranscripts = (
  agent: Agent | undefined,
  home: string,
  env: Readonly<Record<string, string | undefined>>
): Searched => {
  const files: TranscriptFile[] = []
  for (const format of formats.filter(isAmong(agent)))
    for (const folder of format.folders(home, env))
      for (const path of below(folder)) {
        if (files.length >= maxFiles) break
        const file = format.isTranscript(path) ? fileOf(path, format) : undefined
        if (file !== undefined) files.push(file)
      }
  return { files: inOrder(distinct(files)), problems: [] }
}

/** What a person names: a file is what it says it is, whatever its name; in a folder, what is no transcript is passed over. */
export const transcriptsAt = (paths: readonly string[], agent: Agent | undefined): Searched => {
  const files: TranscriptFile[] = []
  const problems: string[] = []
  for (const path of paths) {
    const stat = statOf(path)
    if (stat === undefined) problems.push(`${path} is not there`)
    // A pipe would be waited for, and a device read without end.
    else if (!stat.isDirectory() && !stat.isFile()) problems.push(`${path} is neither a file nor a folder`)
    else if (stat.isDirectory()) {
      for (const one of below(path)) {
        const format = /\.jsonl?$/.test(one) ? safely(one) : undefined
        const file = format !== undefined && isAmong(agent)(format) ? fileOf(one, format) : undefined
        if (file !== undefined) files.push(file)
      }
    } else {
      const format = safely(path)
      const file = format !== undefined && isAmong(agent)(format) ? fileOf(path, format) : undefined
      if (file === undefined)
        problems.push(`${path} is no transcript of ${agent ?? "an agent that is known"}`)
      else files.push(file)
    }
  }
  return { files: inOrder(distinct(files)), problems }
}

/** The oldest first: what a later session repeats is known by then. */
const inOrder = (files: readonly TranscriptFile[]): readonly TranscriptFile[] =>
  [...files].sort((a, b) => a.written - b.written || (a.path < b.path ? -1 : 1))
