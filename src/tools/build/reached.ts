/** What the text of a script loads by name from its repository, as far as its text says. */
import { readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { projectFolder } from "../../hooks/commandParts.ts"
import { maxFiles } from "../../runtime/builds/beside.ts"
import { realPath } from "../../runtime/builds/discover.ts"
import { statOf } from "../../state/statOf.ts"
import { isWithin } from "../../state/within.ts"
import { readRegular } from "./regular.ts"
import { inPackage } from "./resolve.ts"

/** JavaScript, TypeScript, Ruby, PHP, Perl: a word that loads, and what it loads in quotes. */
const quoted =
  /\b(?:from|import|require|require_relative|require_once|include|include_once|load|do)\b[^"'`\n;]{0,60}["'`]([^"'`\n]+)["'`]/g
/** Without a place or an ending it is a package's name, but in Ruby. */
const isPlace = (path: string, loading: string): boolean =>
  /[./]/.test(path) || loading.startsWith("require_relative")

/** A shell's `source` and `.`, and what they read in. */
const sourced = /(?:^|[;&|({])[ \t]*(?:source|\.)[ \t]+([^;&|\n]+)/gm
const substitution = /\$\([^()]*\)/

/** The path, without the folder of the script that may stand before it: `"$(dirname "$0")/lib/a.sh"`. */
const sourcedPath = (argument: string): string => {
  let plain = argument.replace(/["']/g, "")
  while (substitution.test(plain)) plain = plain.replace(substitution, "$folder")
  return (plain.split(/\s/)[0] ?? "").replace(/^\$(?:\{[^}]*\}|\w+)\/+/, "")
}

const endings = ["", ".js", ".mjs", ".cjs", ".json", ".node", ".ts", ".mts", ".cts", ".tsx", ".jsx", ".rb"]
const indexes = ["index.js", "index.mjs", "index.cjs", "index.ts", "index.json"]

/** Python's two statements, wherever they may stand: also in what a shell is given to run. */
const imported =
  /(?:^|[;"'\n:])[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^#;"'\n]+)|import[ \t]+([\w., \t]+?)(?=$|[#;"'\n]))/gm
const importedByCall = /\bimport(?:_module|__)\(\s*["']([\w.]+)["']/g
/** A folder that a script may add to where Python looks. */
const folderWord = /["'](\.{0,2}[\w./-]{1,80})["']/g

/** Where a project's own packages lie that somebody installed in place. */
const usualRoots = ["src", "lib", "python"]

const namesIn = (list: string): readonly string[] =>
  list
    .replace(/[()]/g, "")
    .split(",")
    .map((one) => one.trim().split(/\s/)[0] ?? "")
    .filter((one) => /^\w+(?:\.\w+)*$/.test(one))

const isFile = (path: string): boolean => statOf(path)?.isFile() === true
const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true

/** What Python may have for a name: its package, its source, or what was compiled of it in whichever way. */
const modulesAt = (path: string): readonly string[] => {
  const folder = dirname(path)
  const name = path.slice(folder.length + 1)
  const compiled = isFolder(folder)
    ? readdirSync(folder).filter((one) => one.startsWith(`${name}.`) && /\.(?:so|pyd)$/.test(one))
    : []
  return [
    join(path, "__init__.py"),
    `${path}.py`,
    `${path}.pyc`,
    ...compiled.map((one) => join(folder, one))
  ].filter(isFile)
}

/** `a.b.c` below a folder: each of the packages on the way runs as well. */
const alongDots = function* (root: string, dotted: string): Generator<string> {
  const words = dotted.split(".").filter((word) => word !== "")
  for (let n = 1; n <= words.length; n++) yield* modulesAt(join(root, ...words.slice(0, n)))
}

const pythonOf = function* (text: string, from: string, roots: readonly string[]): Generator<string> {
  for (const [, dots = "", module = "", names = "", plain = ""] of text.matchAll(imported)) {
    const isRelative = dots !== ""
    const above = isRelative ? [join(from, ...Array.from(dots.slice(1), () => ".."))] : roots
    for (const root of above) {
      for (const name of namesIn(plain)) yield* alongDots(root, name)
      if (plain === "") {
        yield* alongDots(root, module)
        for (const name of namesIn(names)) yield* alongDots(root, `${module}.${name}`)
      }
    }
  }
  for (const [, name = ""] of text.matchAll(importedByCall))
    for (const root of roots) yield* alongDots(root, name)
}

interface Named {
  readonly path: string
  /** It is found from where the command is started, so that a copy cannot stand in for it. */
  readonly isFixed: boolean
}

/** `from`: the folder of the text, undefined of a command line. */
const pathsOf = function* (text: string, from: string | undefined, base: string): Generator<Named> {
  const places = [...new Set([from ?? base, base])]
  for (const [loading, path = ""] of text.matchAll(quoted)) {
    // What a module names with a dot before it lies beside the module, wherever it is started.
    const isBeside = path.startsWith(".") && /^(?:from|import|require)/.test(loading)
    for (const place of isPlace(path, loading) ? (isBeside ? [from ?? base] : places) : []) {
      const isFixed = place !== from
      const at = join(place, path)
      for (const ending of endings) yield { path: at + ending, isFixed }
      for (const name of indexes) yield { path: join(at, name), isFixed }
    }
  }
  for (const [, argument = ""] of text.matchAll(sourced)) {
    const plain = argument.replace(/["']/g, "")
    const isInProject = projectFolder.test(plain)
    const isBeside = plain.startsWith("$") && !isInProject
    for (const place of isInProject ? [base] : places)
      yield { path: join(place, sourcedPath(argument)), isFixed: !isBeside || place !== from }
  }
}

interface Repository {
  /** Where the hook's files are named from, and where its command may be started. */
  readonly base: string
  readonly top: string
}

export interface Reached {
  readonly files: ReadonlySet<string>
  /** Of those, what is loaded from where it lies whichever way the hook runs. */
  readonly fixed: ReadonlySet<string>
}

/**
 * Files of the repository that these load, and that those load in turn; `command`: a command line, which may hold a script itself. Not
 * more than a few beyond what a hook may consist of.
 */
export const reachedFrom = (
  files: readonly string[],
  command: string,
  { base, top }: Repository
): Reached => {
  const reached = new Set<string>()
  const fixed = new Set<string>()
  const known = new Set(files)
  const folders = [...new Set(files.map(dirname))]
  const look = (text: string, from: string | undefined): void => {
    const places = [...new Set([from ?? base, base])]
    const added = [...text.matchAll(folderWord)].flatMap(([, word = ""]) =>
      places.map((place) => join(place, word)).filter(isFolder)
    )
    const roots = [...new Set([...folders, ...places, ...usualRoots.map((one) => join(base, one)), ...added])]
    const named = [
      ...pathsOf(text, from, base),
      // Python itself keeps to what was consented to.
      ...[...pythonOf(text, from ?? base, roots)].map((path): Named => ({ path, isFixed: false }))
    ]
    for (const { isFixed, path } of named) {
      const real = isFile(path) ? realPath(path) : undefined
      if (real === undefined || !isWithin(real, top) || inPackage(real)) continue
      if (isFixed) fixed.add(real)
      if (known.has(real)) continue
      if (reached.size > maxFiles) return
      known.add(real)
      reached.add(real)
      read(real)
    }
  }
  const read = (file: string): void => {
    try {
      look(readRegular(file).toString("utf8"), dirname(file))
    } catch {
      // Whoever reads it for the hook's content says what is wrong with it.
    }
  }
  look(command, undefined)
  for (const file of files) if (isFile(file)) read(file)
  return { files: reached, fixed }
}
