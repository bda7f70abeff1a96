/**
 * What a formatter's configuration is, as content that somebody can say yes to: its file, and every file of the repository that one of
 * its strings may lead to, and so on. It errs on the side of more; what it cannot be certain of has no content.
 */
import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { repositoryTop } from "../../state/levels.ts"
import { messageOf } from "../../state/messageOf.ts"
import { namesIn } from "../../state/namesIn.ts"
import { readRegular } from "../../state/readRegular.ts"
import { isWithin } from "../../state/within.ts"
import { foldersAbove, manifestOf, packageAbove } from "../../trust/installedPackages.ts"
import { ownerProblem } from "../../trust/ownerProblem.ts"
import { tracePath } from "../../trust/tracePath.ts"
import { literalsIn } from "./literals.ts"
import type { OwnCode } from "./prettierCode.ts"

export interface ConfigurationContent {
  readonly digest: string
  /** By their places in the repository, with forward slashes. */
  readonly texts: ReadonlyMap<string, string>
  /** Installed packages that are named: whether they may run is another question. */
  readonly packages: readonly string[]
}

export type Content = ConfigurationContent | { readonly unsure: string }

const mostFiles = 200
const mostBytes = 1_048_576

/** Loaded when a repository's configuration is code: most calls hash nothing. */
const sha256 = (text: string): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(text, "latin1").digest("hex")

class Unsure extends Error {}

const refuse = (reason: string): never => {
  throw new Unsure(reason)
}

const kindOf = (path: string): "file" | "folder" | undefined => {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() ? "file" : stat?.isDirectory() ? "folder" : undefined
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.name === "node_modules" || entry.name === ".git") return []
    return entry.isDirectory() ? filesBelow(path) : [path]
  })

/** As Node may find a file by a name without its ending, or by that of a folder. */
const candidates = (place: string): readonly string[] => {
  const beside = namesIn(dirname(place))
    .filter((name) => name.startsWith(`${basename(place)}.`))
    .map((name) => join(dirname(place), name))
  const kind = kindOf(place)
  const itself = kind === "file" ? [place] : kind === "folder" ? filesBelow(place) : []
  return [...itself, ...beside.filter((path) => kindOf(path) === "file")]
}

/** A beginning alone is joined to what nobody sees: then all of its folder counts. */
const isPath = (text: string): boolean => /^(\.\.?\/|\/.)/.test(text)

/** A module's name is an address, in which `%2e`, a backslash and blanks are more than they seem. */
const asAddress = (name: string): string => {
  const text = [...(name.split(/[?#]/)[0] ?? "")].filter((letter) => letter > " ").join("")
  const slashed = text.replaceAll("\\", "/")
  try {
    return decodeURIComponent(slashed)
  } catch {
    return slashed
  }
}
const barePart = /^((?:@[\w-][\w.-]*\/)?[\w-][\w.-]*)(\/.*)?$/

const gatherer = (top: string) => {
  const files = new Map<string, string>()
  const packages = new Set<string>()
  let size = 0

  const follow = (file: string, name: string, folder: string): void => {
    const address = asAddress(name)
    if (isPath(name)) {
      for (const path of new Set([name, address])) {
        const place = resolve(folder, path)
        if (isAbsolute(path) && !isWithin(place, top)) continue
        if (isWithin(top, place)) refuse(`${file} may load any file of the repository`)
        for (const found of candidates(place)) {
          const real = realpathSync(found)
          if (!files.has(real)) take(real, [dirname(real)], readRegular(real).toString("latin1"))
        }
      }
      return
    }
    if (/^file:/i.test(address)) refuse(`${file} names ${JSON.stringify(name)}`)
    if (name.startsWith("#") && foldersAbove(folder).some((above) => "imports" in manifestOf(above)))
      refuse(`${file} may load ${JSON.stringify(name)} of its own package`)
    const [, bare, below] = barePart.exec(name) ?? []
    if (bare === undefined) return
    if (foldersAbove(folder).some((above) => manifestOf(above)["name"] === bare))
      refuse(`${file} names its own package`)
    const found = packageAbove(bare, folder)
    if (found === undefined) return
    if (below !== undefined && asAddress(below).split("/").includes(".."))
      refuse(`${file} leads out of ${bare}`)
    packages.add(found)
  }

  /** `folders`: from which its names are resolved. `scanned`: its text, with names in quotes. */
  const take = (file: string, folders: readonly string[], text: string, scanned = text): void => {
    if (!isWithin(file, top)) refuse(`it leads out of the repository, to ${file}`)
    size += text.length
    files.set(file, text)
    if (files.size > mostFiles || size > mostBytes)
      refuse(`what it may load is more than ${mostFiles} files or a megabyte`)
    const named = literalsIn(scanned) ?? refuse(`${file} cannot be read in time`)
    for (const name of named) for (const folder of folders) follow(file, name, folder)
  }

  return { files, packages, take }
}

/** Prettier 2 looks for plugins of such a name where it runs, as files and as folders of plugins. */
const refuseOldNames = (file: string, text: string, folders: readonly string[]): void => {
  if (/pluginSearchDirs/i.test(text)) refuse("it names folders of plugins")
  for (const name of literalsIn(text) ?? []) {
    if (isPath(name) || !/^[\w@][\w./@-]*$/.test(name)) continue
    const beside = folders.flatMap((folder) => candidates(resolve(folder, name)))
    const loadable = beside.filter((path) => path !== file && /(\.(c?js|json|node)|[\\/][^.]+)$/.test(path))
    if (loadable[0] !== undefined) refuse(`${JSON.stringify(name)} may be the package or ${loadable[0]}`)
  }
}

const gathered = (file: string, text: string, scanned = text): ConfigurationContent => {
  const folder = dirname(file)
  const top = repositoryTop(folder) ?? folder
  if (lstatSync(file).isSymbolicLink() || realpathSync(folder) !== folder) refuse("it is reached by a link")
  // From its own folder, and from whichever above it prettier runs in.
  const folders = foldersAbove(folder).filter((above) => isWithin(above, top) || above === top)
  const { files, packages, take } = gatherer(top)
  refuseOldNames(file, scanned, folders)
  take(file, folders, text, scanned)
  const visited = [...files.keys()].flatMap((path) => tracePath(path).visited)
  const problem = ownerProblem([...new Set(visited)])
  if (problem !== undefined) refuse(problem)
  const texts = new Map(
    [...files]
      .map(([path, own]) => [relative(top, path).split(sep).join("/"), own] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
  )
  const parts = [...texts].map(([path, own]) => [path, sha256(own)])
  return {
    digest: sha256(JSON.stringify(["formatter", parts])),
    texts,
    packages: [...packages]
  }
}

/** Lines that hide nothing have nothing to quote: a value is what stands there. */
const quoted = (text: string): string =>
  text
    .split(/[\s:=,[\]{}"']+/)
    .map((word) => JSON.stringify(word))
    .join(" ")

export const configurationContent = ({ file, names }: OwnCode): Content => {
  try {
    if (names === undefined) return { unsure: "what it names cannot be told for certain" }
    if (basename(file) === "package.json")
      return gathered(file, JSON.stringify(manifestOf(dirname(file))["prettier"] ?? null))
    const text = readRegular(file).toString("latin1")
    return gathered(file, text, names === "in lines" ? quoted(text) : text)
  } catch (error) {
    return { unsure: messageOf(error) }
  }
}
