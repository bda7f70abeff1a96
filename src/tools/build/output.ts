/** Puts a build on disk: whole or not at all, and the ones before it for as long as something may run them. */
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { writeWhole } from "../../state/files.ts"
import type { Manifest } from "../../state/manifest.ts"
import { namesIn } from "../../state/namesIn.ts"
import { isNewerFile, refuseNewer } from "../../state/newerFile.ts"
import type { Bundled } from "./bundle.ts"

/** Of each project. */
export const keptBuilds = 3
/** A build without a manifest may be one that another process is about to name. */
const graceMs = 10 * 60_000

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}

/** Only so many of the newest builds are looked at: a project's own before this one is among them, or one of another project. */
const builtBefore = 4

const newestIn = (builds: string, except: string): readonly string[] =>
  namesIn(builds)
    .filter((name) => !name.startsWith(".") && name !== except)
    .flatMap((name) => {
      const dir = join(builds, name)
      const at = statSync(dir, { throwIfNoEntry: false })?.mtimeMs
      return at === undefined ? [] : [{ dir, at }]
    })
    .sort((a, b) => b.at - a.at)
    .slice(0, builtBefore)
    .map(({ dir }) => dir)

/** One file may have two names: whoever changes it puts another in its place. */
const alsoAs = (file: string, name: string): void => {
  try {
    linkSync(file, name)
  } catch {
    try {
      copyFileSync(file, name)
    } catch {
      // The build before went away meanwhile: what is missing is written, and the next run makes its cache.
    }
  }
}

/**
 * What V8 kept of a file is good for any file of the same content: a change to one hook leaves all others' bundles compiled. But V8 also
 * keeps where the file lay, so a bundle whose frames are shown as lines of its author (it has a map) begins without.
 */
const cachesOf = (name: string, there: string, files: ReadonlyMap<string, string>): readonly string[] =>
  name.endsWith(".cjs") && !files.has(`${name}.map`)
    ? namesIn(there).filter((other) => other.startsWith(`${name}.`) && other.endsWith(".cache"))
    : []

/** Into a new folder. What a build before this one has as well stands on disk once. */
const writeFiles = (into: string, files: ReadonlyMap<string, string>, before: readonly string[]): void => {
  for (const [name, text] of files) {
    const there = before.find((dir) => textOf(join(dir, name)) === text)
    if (there === undefined) writeFileSync(join(into, name), text, { mode: 0o600 })
    else for (const one of [name, ...cachesOf(name, there, files)]) alsoAs(join(there, one), join(into, one))
  }
}

/** The same content is the same directory: what is there is completed, never replaced under a running hook. */
export const writeBundles = (state: string, { build, files }: Pick<Bundled, "build" | "files">): string => {
  const builds = join(state, "build")
  const dir = join(builds, build)
  mkdirSync(builds, { recursive: true, mode: 0o700 })
  if (statSync(dir, { throwIfNoEntry: false }) === undefined) {
    const aside = mkdtempSync(join(builds, ".tmp-"))
    try {
      writeFiles(aside, files, newestIn(builds, build))
      renameSync(aside, dir)
    } catch (cause) {
      // Another process was first with the very same build.
      if (statSync(dir, { throwIfNoEntry: false }) === undefined) throw cause
    } finally {
      rmSync(aside, { recursive: true, force: true })
    }
  }
  for (const [name, text] of files) {
    const file = join(dir, name)
    if (textOf(file) !== text) writeWhole(file, text)
  }
  const now = new Date()
  utimesSync(dir, now, now)
  return dir
}

export const readManifest = (file: string): Manifest | undefined => {
  try {
    const manifest = JSON.parse(readFileSync(file, "utf8")) as Manifest
    return manifest.version === 1 ? manifest : undefined
  } catch {
    return undefined
  }
}

export const writeManifest = (file: string, manifest: Manifest): void => {
  refuseNewer(file)
  writeWhole(file, `${JSON.stringify(manifest)}\n`)
}

export const historyWith = (build: string, before: Manifest | undefined): readonly string[] =>
  [build, ...(before?.history ?? []).filter((older) => older !== build)].slice(0, keptBuilds)

/** Removes builds that no project has kept. Returns their names. */
export const collectGarbage = (state: string, now: number, grace = graceMs): readonly string[] => {
  const projects = join(state, "projects")
  const manifests = namesIn(projects).filter((name) => name.endsWith(".json"))
  // What one of a newer version needs is not known here.
  if (manifests.some((name) => isNewerFile(join(projects, name)))) return []
  const kept = new Set(
    manifests.flatMap((name) => {
      const manifest = readManifest(join(projects, name))
      return manifest === undefined ? [] : [manifest.build, ...manifest.history]
    })
  )
  const builds = join(state, "build")
  return namesIn(builds).filter((name) => {
    if (kept.has(name)) return false
    const dir = join(builds, name)
    const stat = statSync(dir, { throwIfNoEntry: false })
    if (stat === undefined || now - stat.mtimeMs < grace) return false
    rmSync(dir, { recursive: true, force: true })
    return true
  })
}
