/** SQLite's native part, of which every Node with another binary interface needs its own: where it lies, and what to do without it. */
import { createHash } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { messageOf } from "../../state/messageOf.ts"
import { noAddonCode } from "./sqliteErrors.ts"

/** This machine, as packages for it are named. */
const nativePlatform = (): string => `${process.platform}-${process.arch}`

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

const folderOf = (find: NodeJS.Require, name: string): string | undefined => {
  try {
    return dirname(find.resolve(`${name}/package.json`))
  } catch {
    return undefined
  }
}

const versionOf = (folder: string): unknown =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version

/** What came with the package, and the package for this platform. */
const broughtFolders = (from: string): readonly string[] =>
  [
    join(dirname(from), "native", nativePlatform()),
    folderOf(createRequire(from), `@hooktape/${nativePlatform()}`)
  ].filter((folder) => folder !== undefined)

/** Best first; the last is what somebody compiled beside the package. */
const places = ({ from, modules = process.versions.modules, version }: Sought): readonly string[] => {
  const brought = broughtFolders(from).flatMap((folder) =>
    addonNames(modules).map((name) => join(folder, name))
  )
  const library = folderOf(createRequire(from), "better-sqlite3")
  const compiled =
    library !== undefined && versionOf(library) === version
      ? [join(library, "build", "Release", "better_sqlite3.node")]
      : []
  return [...brought, ...compiled].filter(isFile)
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** What was packed: of each file its length in bytes and its SHA-256. */
type Packed = Readonly<Record<string, { readonly bytes: number; readonly sha256: string } | undefined>>

const packedIn = (folder: string): Packed => {
  try {
    return JSON.parse(readFileSync(join(folder, "sums.json"), "utf8"))
  } catch {
    return {}
  }
}

/** A file that was cut off would end the process as it is loaded, without a word. */
const isCut = (file: string): boolean => {
  const packed = packedIn(dirname(file))[basename(file)]
  return packed !== undefined && packed.bytes !== statSync(file).size
}

/** The first that this Node can load. Throws what there is to do where there is none. */
export const loadAddon = (sought: Sought): unknown => {
  const load = createRequire(sought.from)
  const complaints: string[] = []
  for (const file of places(sought)) {
    try {
      if (isCut(file)) complaints.push(`${file} is not as long as it was packed`)
      else return load(file)
    } catch (cause) {
      complaints.push(messageOf(cause))
    }
  }
  const why = complaints.length === 0 ? "" : ` (${complaints.join("; ")})`
  const problem = `hooktape brings no SQLite for Node ${process.versions.node} on ${nativePlatform()}${why}`
  const remedy = `"npm install better-sqlite3@${sought.version}" beside it compiles one`
  throw Object.assign(new Error(`${problem}: ${remedy}`), { code: noAddonCode })
}

/** Files of this Node's that came with the package and are not what was packed. */
export const alteredAddons = (from: string, modules: string = process.versions.modules): readonly string[] =>
  broughtFolders(from)
    .flatMap((folder) => addonNames(modules).map((name) => join(folder, name)))
    .filter((file) => {
      if (!isFile(file)) return false
      const sum = createHash("sha256").update(readFileSync(file)).digest("hex")
      return packedIn(dirname(file))[basename(file)]?.sha256 !== sum
    })
