/** The command line of an external hook, such that no other content runs than was consented to. */
import { dirname, join } from "node:path"
import type { Part } from "../hooks/commandParts.ts"
import { callEnvironment } from "../state/callEnvironment.ts"
import { shellWord } from "../state/shellWord.ts"
import { isWithin } from "../state/within.ts"
import { repositoryAbove } from "../trust/repositoryAbove.ts"
import { type Beside, besideIn, lookBeside, mayBeCode } from "./builds/beside.ts"
import { isDeaf, limitedImports, mayBePython } from "./pythonImports.ts"

export interface ConsentedFile {
  /** As seen from `base`, with forward slashes. */
  readonly file: string
  readonly sha256: string
  /** Its bytes, base64. */
  readonly content: string
}

export interface Consented {
  /** The folder whose hook it is. */
  readonly base: string
  readonly parts: readonly Part[]
  /** What the command names and what lies beside it. */
  readonly files: readonly ConsentedFile[]
  /** Of these, what is loaded from where it lies: no copy stands in for it. */
  readonly fixed?: readonly string[]
  /** The user's own: nobody else's consent is asked for. */
  readonly owned: boolean
  /** What it loads besides is the project's own code, whatever that is. */
  readonly projectCode?: boolean
}

/** Loaded where they are needed: a build reads this module to learn the hook's name, and most calls run another hook. */
const fs = () => process.getBuiltinModule("node:fs")

const isSame = (base: string, { file, sha256 }: ConsentedFile): boolean => {
  try {
    // A pipe in its place is not waited for.
    if (!fs().statSync(join(base, file)).isFile()) return false
    const content = fs().readFileSync(join(base, file))
    return (
      process.getBuiltinModule("node:crypto").createHash("sha256").update(content).digest("hex") === sha256
    )
  } catch {
    return false
  }
}

const isSafe = (path: string): boolean => /^[\w./@%+,:-]+$/.test(path)

const lineOf = (parts: readonly Part[], base: string): string =>
  parts
    .map((part) => {
      if (typeof part === "string") return part
      const path = join(base, part.file)
      // Within quotes of the command's own no others can stand.
      return part.bare && isSafe(path) ? path : shellWord(path)
    })
    .join("")

/** How far above its base a hook's files lie. */
const levelsAbove = (files: readonly ConsentedFile[]): number =>
  Math.max(0, ...files.map(({ file }) => file.split("/").lastIndexOf("..") + 1))

/** The files as they were consented to, in a folder of nobody else's, with room for those that lie above their base. */
const layOut = (folder: string, files: readonly ConsentedFile[]): string => {
  const { mkdirSync, writeFileSync } = fs()
  const base = join(folder, ...Array.from({ length: levelsAbove(files) }, () => "base"))
  for (const { content, file } of files) {
    const to = join(base, file)
    if (!isWithin(to, folder)) continue
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    writeFileSync(to, Buffer.from(content, "base64"), { mode: 0o700 })
  }
  return base
}

const namedIn = (parts: readonly Part[]): readonly string[] =>
  parts.flatMap((part) => (typeof part === "string" ? [] : [part.file]))

/** Where `require("./x")` takes `x` before `x.js`. */
const stem = /\.(?:[cm]?[jt]sx?|json)$/

/**
 * Whether no code lies beside the scripts that nobody consented to. In the project's own folder that says nothing, since everything lies
 * there: what a script there loads is told by its text, and by Python's own limits.
 */
const isAlone = ({ base, files, parts }: Consented): boolean => {
  const known = new Set(files.map(({ file }) => join(base, file)))
  const found: Beside = { files: new Set(), folders: new Set() }
  for (const folder of new Set(namedIn(parts).map((file) => dirname(join(base, file))))) {
    if (folder === base || fs().existsSync(join(folder, ".git"))) continue
    lookBeside(folder, { ...besideIn(folder), accepts: mayBeCode }, found)
  }
  return (
    [...found.files].every((file) => known.has(file)) &&
    [...known].every((file) => !stem.test(file) || !fs().existsSync(file.replace(stem, "")))
  )
}

export interface Line {
  readonly command: string
  /** Over the environment that the agent gives. */
  readonly env: Readonly<Record<string, string>>
  /** To be called when the command is over. */
  readonly end: () => void
}

/** Python leaves nothing compiled, and takes nothing that was compiled from a place that it is told. */
const uncompiled = { PYTHONDONTWRITEBYTECODE: "1", PYTHONPYCACHEPREFIX: "" }

const textOf = ({ content }: ConsentedFile): string => Buffer.from(content, "base64").toString("latin1")

/** What says how Python is started: the command, and what its files say of themselves and start. */
const sayings = ({ files, parts }: Consented): readonly string[] => [
  parts.map((part) => (typeof part === "string" ? part : part.file)).join(""),
  ...files.map(textOf)
]

/**
 * Where the files are as they were, and nothing else lies beside them, they run where they lie; else what was consented to runs from a
 * copy; where a copy cannot stand in for what changed, nothing runs. Of the environment, only what tells Python where modules are is not
 * as the agent has it.
 */
export const consentedCommand = (consented: Consented): Line => {
  const { base, files, fixed = [], owned, parts, projectCode = false } = consented
  if (owned) return { command: lineOf(parts, base), env: {}, end: () => undefined }
  const said = sayings(consented)
  const isPython = !projectCode && mayBePython(namedIn(parts), said)
  const changed = files.filter((file) => !isSame(base, file))
  const loaded = changed.find(({ file }) => fixed.includes(file))
  if (loaded !== undefined)
    throw new Error(
      `${loaded.file} is not what was consented to, and would be loaded from where it lies: see "hooktape trust"`
    )
  const isInPlace = changed.length === 0 && isAlone(consented) && !(isPython && isDeaf(said))
  if (isInPlace && !isPython) return { command: lineOf(parts, base), env: uncompiled, end: () => undefined }
  const { mkdtempSync, realpathSync, rmSync } = fs()
  const folder = realpathSync(mkdtempSync(join(process.getBuiltinModule("node:os").tmpdir(), "hooktape-")))
  const end = (): void => rmSync(folder, { recursive: true, force: true })
  const place = isInPlace ? base : layOut(join(folder, "files"), files)
  if (!isPython) return { command: lineOf(parts, place), env: uncompiled, end }
  const limits = limitedImports(
    {
      repository: repositoryAbove(base) ?? base,
      base,
      place,
      consented: files.map(({ file }) => realpathSync(join(place, file)))
    },
    { folder, pythonPath: callEnvironment()["PYTHONPATH"] }
  )
  return { command: lineOf(parts, place), env: { ...uncompiled, ...limits }, end }
}
