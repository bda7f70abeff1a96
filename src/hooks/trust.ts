/** Which files of a project may run: those whose contents someone has read and said yes to. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { writeWhole } from "./files.ts"

/** Path as seen from the project, with forward slashes → SHA-256 of the content. */
export type Contents = Readonly<Record<string, string>>

export interface Trusted {
  /** The configuration as it was, or null where there was none. */
  readonly config: string | null
  readonly files: Contents
}

interface TrustFile {
  readonly version: 1
  readonly projects: Readonly<Record<string, Trusted>>
}

export const hashOf = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex")

export const contentsOf = (project: string, files: Iterable<readonly [string, string]>): Contents =>
  Object.fromEntries(
    [...files].map(([file, text]) => [relative(project, file).split(sep).join("/"), hashOf(text)])
  )

const trustFile = (state: string): string => join(state, "trust.json")

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isTrusted = (value: unknown): boolean =>
  isRecord(value) &&
  (value["config"] === null || typeof value["config"] === "string") &&
  isRecord(value["files"]) &&
  Object.values(value["files"]).every((hash) => typeof hash === "string")

/** An unreadable record trusts nothing. */
const readAll = (state: string): TrustFile => {
  try {
    const read = JSON.parse(readFileSync(trustFile(state), "utf8")) as Partial<TrustFile>
    if (read.version === 1 && isRecord(read.projects)) {
      const projects = Object.entries(read.projects).filter(([, one]) => isTrusted(one))
      return { version: 1, projects: Object.fromEntries(projects) }
    }
  } catch {
    // There is none yet, or it is damaged: trusting again writes a new one.
  }
  return { version: 1, projects: {} }
}

export const readTrust = (state: string, project: string): Trusted | undefined => {
  const { projects } = readAll(state)
  return Object.hasOwn(projects, project) ? projects[project] : undefined
}

export const writeTrust = (state: string, project: string, trusted: Trusted): void => {
  const projects = { ...readAll(state).projects, [project]: trusted }
  writeWhole(trustFile(state), `${JSON.stringify({ version: 1, projects } satisfies TrustFile, null, 2)}\n`)
}

/** Why the contents may not run, or nothing. */
export const distrust = (
  trusted: Trusted | undefined,
  config: string | null,
  contents: Contents,
  /** The file asked about: it needs no naming. */
  own?: string
): string | undefined => {
  if (trusted === undefined) return "not trusted"
  // Settings decide which hooks run and what their failure means: a change of theirs is a change of every hook.
  if (trusted.config !== config) return "the configuration changed since you trusted it"
  for (const [file, hash] of Object.entries(contents)) {
    if (!Object.hasOwn(trusted.files, file))
      return file === own ? "not trusted" : `imports ${file}, which is not trusted`
    if (trusted.files[file] !== hash)
      return file === own ? "changed since you trusted it" : `${file} changed since you trusted it`
  }
  return undefined
}
