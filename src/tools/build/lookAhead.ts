/**
 * Looks at what the compiler opens by itself where it resolves an import: the manifests of all folders on the way. It reads
 * whatever lies there, a pipe or a device without end.
 */
import { lstatSync, statSync } from "node:fs"
import { dirname, isAbsolute, join, resolve } from "node:path"
import { realPath } from "../../runtime/builds/discover.ts"
import { maxSmall } from "../../state/readSmall.ts"
import { foldersAbove, manifestOf } from "../../trust/installedPackages.ts"

/** A manifest that nobody should read; the reason can follow its name. */
export interface Odd {
  readonly file: string
  readonly reason: string
}

/** Of Yarn's lists of packages. */
const largestList = 64_000_000

/** File name → the most bytes of it. The compiler is told its settings: it opens no tsconfig.json. */
const opened: Readonly<Record<string, number>> = {
  "package.json": maxSmall,
  ".pnp.data.json": largestList,
  ".pnp.cjs": largestList,
  ".pnp.js": largestList
}

/** In the order in which the compiler tries them. */
const endings = [".tsx", ".ts", ".mts", ".cts", ".jsx", ".js", ".mjs", ".cjs", ".json"]

const statOf = (file: string) => {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const oddIn = (folder: string): Odd | undefined => {
  for (const [name, most] of Object.entries(opened)) {
    const file = join(folder, name)
    const stat = statOf(file)
    // A folder of that name is never opened.
    if (stat === undefined || stat.isDirectory()) continue
    if (!stat.isFile()) return { file, reason: "is not a regular file" }
    if (stat.size > most) return { file, reason: `is larger than ${most / 1_000_000} MB` }
  }
  return undefined
}

const isThere = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** The files that a path without its ending, or with that of what it is compiled to, may mean. */
const candidates = (place: string): readonly string[] => {
  if (statOf(place)?.isFile()) return [place]
  const bare = place.replace(/\.[cm]?jsx?$/, "")
  return [place, ...endings.flatMap((ending) => [place + ending, bare + ending])].filter(isThere)
}

interface Named {
  readonly name: string
  /** As `exports` has it. */
  readonly below: string
}

const named = (specifier: string): Named | undefined => {
  const [, name, below = ""] = /^(@[^/]+\/[^/]+|[^@/#.][^/]*)(\/.*)?$/.exec(specifier) ?? []
  return name === undefined ? undefined : { name, below: `.${below}` }
}

/** What a pattern's star stands for; undefined where the key is another's. */
const starOf = (key: string, asked: string): string | undefined => {
  const [before = "", after] = key.split("*")
  if (after === undefined || asked.length < before.length + after.length) return undefined
  return asked.startsWith(before) && asked.endsWith(after)
    ? asked.slice(before.length, asked.length - after.length)
    : undefined
}

/** All that `exports` or `imports` may lead to, whatever the conditions. */
const targets = (value: unknown, asked: string, star = ""): readonly string[] => {
  if (typeof value === "string") return [value.replaceAll("*", star)]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, of]) => targets(of, asked, starOf(key, asked) ?? star))
}

/** Manifests may lead on to one another. */
const mostSteps = 4

/** For one run of the compiler: what was looked at is not looked at again. */
export const lookingAhead = () => {
  const along = new Map<string, Odd | undefined>()
  const places = new Map<string, Odd | undefined>()
  const manifests = new Map<string, ReturnType<typeof manifestOf>>()

  const manifestIn = (folder: string): ReturnType<typeof manifestOf> => {
    const manifest = manifests.get(folder) ?? manifestOf(folder)
    manifests.set(folder, manifest)
    return manifest
  }

  const onTheWay = (folder: string): Odd | undefined => {
    if (along.has(folder)) return along.get(folder)
    const parent = dirname(folder)
    const odd = oddIn(folder) ?? (parent === folder ? undefined : onTheWay(parent))
    along.set(folder, odd)
    return odd
  }

  /** As it is named, and where it leads: the compiler looks at both. */
  const atFolder = (folder: string): Odd | undefined => {
    const real = realPath(folder)
    return onTheWay(folder) ?? (real === undefined || real === folder ? undefined : onTheWay(real))
  }

  const first = <A>(items: readonly A[], look: (item: A) => Odd | undefined): Odd | undefined => {
    for (const item of items) {
      const odd = look(item)
      if (odd !== undefined) return odd
    }
    return undefined
  }

  const atPlace = (place: string, steps: number): Odd | undefined => {
    if (places.has(place)) return places.get(place)
    places.set(place, undefined)
    const folders = candidates(place).flatMap((file) => dirname(realPath(file) ?? file))
    const isFolder = statOf(place)?.isDirectory() === true
    const odd =
      first([dirname(place), ...(isFolder ? [place] : []), ...folders], atFolder) ??
      (isFolder ? within(place, ".", steps) : undefined)
    places.set(place, odd)
    return odd
  }

  /** What a package's manifest leads to; it was looked at before it is read. */
  const within = (folder: string, asked: string, steps: number): Odd | undefined => {
    if (steps === 0) return undefined
    const { exports, imports, main, module } = manifestIn(folder)
    const led = asked.startsWith("#") ? targets(imports, asked) : targets([main, module, exports], asked)
    return first(led, (target) =>
      asked.startsWith("#") && named(target) !== undefined && !target.startsWith(".")
        ? ahead(target, folder, steps - 1)
        : atPlace(resolve(folder, target), steps - 1)
    )
  }

  const inPackages = ({ below, name }: Named, folder: string, steps: number): Odd | undefined =>
    first(foldersAbove(folder), (above) => {
      const found = join(above, "node_modules", name)
      if (isThere(found))
        return atFolder(found) ?? atPlace(join(found, below), steps) ?? within(found, below, steps)
      return manifestIn(above)["name"] === name ? within(above, below, steps) : undefined
    })

  /** Undefined: all that may be opened for this import is what it should be. */
  const ahead = (specifier: string, folder: string, steps = mostSteps): Odd | undefined => {
    const odd = folder === "" ? undefined : atFolder(folder)
    if (odd !== undefined) return odd
    if (/^\.{0,2}[\\/]|^\.{1,2}$/.test(specifier) || isAbsolute(specifier))
      return atPlace(resolve(folder, specifier), steps)
    if (specifier.startsWith("#"))
      return first(foldersAbove(folder), (above) => within(above, specifier, steps))
    const bare = named(specifier)
    return bare === undefined || folder === "" ? undefined : inPackages(bare, folder, steps)
  }

  return ahead
}
