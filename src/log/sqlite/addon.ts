/** SQLite's native part, of which every Node with another binary interface needs its own: where it lies, and what to do without it. */
import { readFileSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { messageOf } from "../../state/messageOf.ts"
import { packageFolder, platform, platformPackage } from "../../state/platformPackage.ts"
import { isAltered, notAsPacked } from "./packedAddon.ts"
import { noAddonCode } from "./sqliteErrors.ts"

/** Of one Node's binary interface: the C library of the machine is known by what can be loaded. */
const addonNames = (modules: string): readonly string[] => [
  `sqlite-${modules}.node`,
  `sqlite-${modules}-musl.node`
]

export interface Sought {
  /** A file of the installed package's `dist`. */
  readonly from: string
  /** Of the library that is bundled: an addon of another one is nothing for it. */
  readonly version: string
  readonly modules?: string
}

const versionOf = (folder: string): unknown =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version

/** What came with the package, and the package for this platform. */
const broughtFolders = (from: string): readonly string[] =>
  [join(dirname(from), "native", platform), platformPackage(from)].filter((folder) => folder !== undefined)

/** Those of this Node that came with it. */
const broughtAddons = (from: string, modules: string): readonly string[] =>
  broughtFolders(from)
    .flatMap((folder) => addonNames(modules).map((name) => join(folder, name)))
    .filter(isFile)

/** What somebody compiled beside the package: nobody packed it, so it is compared with nothing. */
const compiledBeside = ({ from, version }: Sought): readonly string[] => {
  const library = packageFolder(from, "better-sqlite3")
  if (library === undefined || versionOf(library) !== version) return []
  return [join(library, "build", "Release", "better_sqlite3.node")].filter(isFile)
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

interface Complaint {
  readonly file: string
  readonly why: string
  readonly isAltered: boolean
}

const withoutOne = ({ version }: Sought, complaints: readonly Complaint[]): Error => {
  const altered = complaints.find((one) => one.isAltered)
  if (altered !== undefined)
    return new Error(`${altered.file} is not loaded, because it ${altered.why}: install hooktape anew`)
  const why = complaints.length === 0 ? "" : ` (${complaints.map((one) => one.why).join("; ")})`
  const problem = `hooktape brings no SQLite for Node ${process.versions.node} on ${platform}${why}`
  return new Error(`${problem}: "npm install better-sqlite3@${version}" beside it compiles one`)
}

/** Why it is not to be loaded. One that cannot be compared is passed over, as one that cannot be loaded. */
const compared = (file: string): Omit<Complaint, "file"> | undefined => {
  try {
    const why = notAsPacked(file)
    return why === undefined ? undefined : { why, isAltered: true }
  } catch (cause) {
    return { why: messageOf(cause), isAltered: false }
  }
}

/** The first that this Node can load, best first. Throws what there is to do where there is none. */
export const loadAddon = (sought: Sought): unknown => {
  const { from, modules = process.versions.modules } = sought
  const load = createRequire(from)
  const complaints: Complaint[] = []
  const tried = (file: string): { readonly addon: unknown } | undefined => {
    try {
      return { addon: load(file) }
    } catch (cause) {
      complaints.push({ file, why: messageOf(cause), isAltered: false })
      return undefined
    }
  }
  for (const file of broughtAddons(from, modules)) {
    const why = compared(file)
    if (why !== undefined) complaints.push({ file, ...why })
    const loaded = why === undefined ? tried(file) : undefined
    if (loaded !== undefined) return loaded.addon
  }
  for (const file of compiledBeside(sought)) {
    const loaded = tried(file)
    if (loaded !== undefined) return loaded.addon
  }
  throw Object.assign(withoutOne(sought, complaints), { code: noAddonCode })
}

/** Files of this Node's that came with the package and are not what was packed. */
export const alteredAddons = (from: string, modules: string = process.versions.modules): readonly string[] =>
  broughtAddons(from, modules).filter(isAltered)
