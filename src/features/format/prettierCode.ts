/**
 * What of a repository's configuration makes prettier load code. Plain settings run nothing; a JavaScript configuration, a plugin, a
 * shared configuration and a parser given by its path are code. Text that this cannot read for certain counts as code.
 */
import { dirname, join } from "node:path"
import { messageOf } from "../../state/messageOf.ts"
import { namesIn } from "../../state/namesIn.ts"
import { readRegular } from "../../state/readRegular.ts"
import { foldersAbove, isValues, manifestOf, packageAbove } from "../../trust/installedPackages.ts"

export interface ConfiguredCode {
  /** Installed packages that are loaded, to be asked about. */
  readonly packages: readonly string[]
  /** Files that are code, or may name some. */
  readonly own: readonly OwnCode[]
}

/** Of the repository. */
export interface OwnCode {
  readonly file: string
  readonly reason: string
  /** How names stand in it: in quotes, or each as a value of a line that can hide nothing. Elsewhere they cannot be told for certain. */
  readonly names?: "in quotes" | "in lines"
}

const nothing: ConfiguredCode = { packages: [], own: [] }

const scripts = /^(\.prettierrc|prettier\.config)\.[cm]?[jt]s$/
const others = /^(\.prettierrc(\.(json5?|ya?ml|toml))?|package\.(json|yaml))$/

/** Those of prettier itself. Prettier 2 takes any other for the path of a module. */
const parsers = new Set(
  (
    "acorn angular babel babel-flow babel-ts css espree flow glimmer graphql html json json-stringify json5 jsonc less lwc " +
    "markdown mdx meriyah mjml scss typescript vue yaml"
  ).split(" ")
)

/** Lines of `key: value` and lists, in YAML or TOML: neither anchors nor tags nor escapes, in which a key could hide. */
const plainLine =
  /^\s*(#.*|(- +)?["']?[A-Za-z][\w-]*["']?\s*[:=](\s*[\w.,*/{} "'[\]-]*)?|- +[\w.,*/{} "'-]+|\[\[?[\w.-]+\]\]?|---)?\s*$/

/** Keys that lead to code, and words like them. */
const suspicious = /plugin|parser|prettier/gi
const countIn = (text: string): number => text.match(suspicious)?.length ?? 0

const countOf = (value: unknown): number => {
  if (typeof value === "string") return countIn(value)
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + countOf(one), 0)
  if (!isValues(value)) return 0
  return Object.entries(value).reduce((sum, [key, one]) => sum + countIn(key) + countOf(one), 0)
}

/** Prettier 2 takes a name for that of a file where there is one. */
const isFileBeside = (name: string, folders: readonly string[]): boolean => {
  const [first = ""] = name.split("/")
  return folders.some((folder) => namesIn(folder).some((one) => one === first || one.startsWith(`${first}.`)))
}

/** `folders`: from which prettier resolves names: that of the file, and the one in which it runs. */
const inOptions = (value: unknown, file: string, folders: readonly string[]): ConfiguredCode => {
  const packages: string[] = []
  const own: OwnCode[] = []
  const refuse = (what: string, name: unknown): void =>
    void own.push({ file, reason: `${file} names the ${what} ${JSON.stringify(name)}`, names: "in quotes" })
  const load = (what: string, name: unknown): void => {
    const places =
      typeof name === "string" ? folders.map((folder) => packageAbove(name, folder)) : [undefined]
    const found = places.filter((place) => place !== undefined)
    if (found.length < places.length || isFileBeside(String(name), folders)) refuse(what, name)
    else packages.push(...found)
  }
  if (typeof value === "string") load("configuration", value)
  else if (!isValues(value)) own.push({ file, reason: `${file} cannot be read as settings` })
  else {
    const { overrides } = value
    const parts = [value, ...(Array.isArray(overrides) ? overrides.map((one) => one?.options) : [])]
    for (const { parser, pluginSearchDirs, plugins } of parts.filter(isValues)) {
      if (plugins !== undefined)
        for (const plugin of Array.isArray(plugins) ? plugins : [plugins]) load("plugin", plugin)
      if (pluginSearchDirs !== undefined && pluginSearchDirs !== false)
        refuse("folder of plugins", pluginSearchDirs)
      if (parser === undefined || parser === null || parsers.has(String(parser))) continue
      if (!/^[\w-]+$/.test(String(parser)) || isFileBeside(String(parser), folders)) refuse("parser", parser)
    }
  }
  return { packages, own }
}

const parsed = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const inFile = (file: string, name: string, folders: readonly string[]): ConfiguredCode => {
  const unsure = (reason: string, names?: OwnCode["names"]): ConfiguredCode => ({
    packages: [],
    own: [{ file, reason, ...(names === undefined ? {} : { names }) }]
  })
  if (scripts.test(name)) return unsure(`${file} is code`, "in quotes")
  let text: string
  try {
    text = readRegular(file).toString("utf8")
  } catch (error) {
    return unsure(messageOf(error))
  }
  const json = parsed(text)
  if (name === "package.json") {
    if (json === undefined) return countIn(text) === 0 ? nothing : unsure(`${file} is not JSON`)
    const { prettier } = manifestOf(dirname(file))
    return prettier === undefined ? nothing : inOptions(prettier, file, folders)
  }
  if (json !== undefined) {
    // Of a key that stands twice one is counted; an escape could spell another.
    if (text.includes("\\") || countIn(text) !== countOf(json.value))
      return unsure(`${file} is more than plain settings`, "in quotes")
    return inOptions(json.value, file, folders)
  }
  const isPlain = text.split(/\r?\n/).every((line) => plainLine.test(line))
  if (isPlain && countIn(text) === 0) return nothing
  const names = isPlain ? "in lines" : name.endsWith(".json5") ? "in quotes" : undefined
  return unsure(`${file} is more than plain settings`, names)
}

const inFolder = (above: string, folder: string): readonly ConfiguredCode[] =>
  namesIn(above)
    .filter((name) => scripts.test(name) || others.test(name))
    .map((name) => inFile(join(above, name), name, [...new Set([above, folder])]))

/** `folder`: in which prettier runs. All folders above the file count: how far up prettier looks is its own business. */
export const prettierCode = (file: string, folder: string): ConfiguredCode => {
  const found = foldersAbove(dirname(file)).flatMap((above) => inFolder(above, folder))
  return { packages: found.flatMap(({ packages }) => packages), own: found.flatMap(({ own }) => own) }
}

/** Those of one folder that are code or name some, wherever prettier runs: each once, however many names it has. */
export const configurationsIn = (folder: string): readonly OwnCode[] => {
  const own = inFolder(folder, folder).flatMap((one) => one.own)
  return [...new Map(own.map((one) => [one.file, one])).values()]
}
