/** SQLite's native part, of which every Node with another binary interface needs its own: where it lies, and what to do without it. */
import { readFileSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { messageOf } from "../../state/messageOf.ts"
import {
  packageFolder,
  platform,
  platformPackage,
  releasedPackage,
  releasedSums,
  type Sums
} from "../../state/platformPackage.ts"
import { inUse, nowInUse, whyNot } from "./inUse.ts"
import { isAltered, notAsFirst, notAsPacked } from "./packedAddon.ts"
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

interface Brought {
  readonly file: string
  /** Of the release that it must be of. */
  readonly released?: Sums | undefined
}

/** What came with the package, and the package for this platform. */
const broughtFolders = (from: string) => {
  const own = { folder: join(dirname(from), "native", platform), released: undefined }
  const folder = platformPackage(from)
  return folder === undefined ? [own] : [own, { folder, released: releasedSums(from) }]
}

/** Those of this Node that came with it. */
const broughtAddons = (from: string, modules: string): readonly Brought[] =>
  broughtFolders(from)
    .flatMap(({ folder, released }) =>
      addonNames(modules).map((name) => ({ file: join(folder, name), released }))
    )
    .filter(({ file }) => isFile(file))

/** What somebody compiled beside the package. */
const compiledBeside = ({ from, version }: Sought): readonly string[] => {
  const library = packageFolder(from, "better-sqlite3")
  if (library === undefined || versionOf(library) !== version) return []
  return [join(library, "build", "Release", "better_sqlite3.node")].filter(isFile)
}

/** Where the first is found again: of another library, or for another Node, it is another one. */
const kindOf = ({ modules = process.versions.modules, version }: Sought): string => `${version}-${modules}`

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

interface Complaint {
  readonly file: string
  readonly why: string
  /** Where it is not even tried. */
  readonly remedy?: string
}

const takeIt = 'where you compiled it anew, "hooktape install" takes it as it is now'

const withoutOne = ({ from, version }: Sought, complaints: readonly Complaint[]): Error => {
  const refused = complaints.find((one) => one.remedy !== undefined)
  if (refused !== undefined)
    return new Error(`${refused.file} is not loaded, because it ${refused.why}: ${refused.remedy}`)
  const why = complaints.length === 0 ? "" : ` (${complaints.map((one) => one.why).join("; ")})`
  const problem = `hooktape brings no SQLite for Node ${process.versions.node} on ${platform}${why}`
  const compiling = `"npm install better-sqlite3@${version}" beside it compiles one`
  // Mostly it was left out: --omit=optional, or a lockfile that was written on another machine.
  const left = platformPackage(from) === undefined ? releasedPackage(from) : undefined
  return new Error(
    left === undefined
      ? `${problem}: ${compiling}`
      : `${problem}: "npm install ${left}" brings it, and where that cannot be had ${compiling}`
  )
}

/** Why it is not to be loaded. One that cannot be compared is passed over, as one that cannot be loaded. */
const compared = (file: string, compare: () => string | undefined, remedy: string): Complaint | undefined => {
  try {
    const why = compare()
    return why === undefined ? undefined : { file, why, remedy }
  } catch (cause) {
    return { file, why: messageOf(cause) }
  }
}

/** The one that this process uses already, or the first that this Node can load, best first. Throws what there is to do where there is none. */
export const loadAddon = (sought: Sought): unknown => {
  const { from, modules = process.versions.modules, version } = sought
  const load = createRequire(from)
  const used = inUse()
  if (used !== undefined) {
    const why = whyNot(used, version, load.cache[used.file] !== undefined)
    if (why !== undefined) throw Object.assign(new Error(why), { code: noAddonCode })
    return load(used.file)
  }
  const complaints: Complaint[] = []
  const loaded = (file: string, refused: Complaint | undefined): { readonly addon: unknown } | undefined => {
    if (refused !== undefined) return void complaints.push(refused)
    try {
      const addon = load(file)
      nowInUse({ from, file, version })
      return { addon }
    } catch (cause) {
      return void complaints.push({ file, why: messageOf(cause) })
    }
  }
  for (const { file, released } of broughtAddons(from, modules)) {
    const why = compared(file, () => notAsPacked(file, { released }), "install hooktape anew")
    const found = loaded(file, why)
    if (found !== undefined) return found.addon
  }
  for (const file of compiledBeside(sought)) {
    const why = compared(file, () => notAsFirst(file, kindOf(sought)), takeIt)
    const found = loaded(file, why)
    if (found !== undefined) return found.addon
  }
  throw Object.assign(withoutOne(sought, complaints), { code: noAddonCode })
}

/** Files of this Node's that came with the package and are not what was packed. */
export const alteredAddons = (from: string, modules: string = process.versions.modules): readonly string[] =>
  broughtAddons(from, modules).flatMap(({ file, released }) => (isAltered(file, released) ? [file] : []))
