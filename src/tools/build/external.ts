/** External hooks in a build: what each is made of, and the module that stands for it. */
import { realpathSync, statSync } from "node:fs"
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path"
import { type Part, partsOf } from "../../hooks/commandParts.ts"
import { definedHere, type ExternalDefinition, headOf } from "../../hooks/external.ts"
import type { Problem } from "../../hooks/Problem.ts"
import { type Beside, besideIn, lookBeside, maxFiles } from "../../runtime/builds/beside.ts"
import { type HookFile, realPath } from "../../runtime/builds/discover.ts"
import { isWithin } from "../../state/within.ts"
import { type ExternalManifest, manifestOf, textOf } from "./externalModule.ts"
import { type Reached, reachedFrom } from "./reached.ts"
import { readRegular } from "./regular.ts"
import { inPackage } from "./resolve.ts"

export interface ExternalParts {
  /** Path → text, as a build keeps it. */
  readonly locals: ReadonlyMap<string, string>
  /** Folders whose new files would be of the hook. */
  readonly folders: readonly string[]
  readonly problems: readonly Problem[]
}

const maxBytes = 512 * 1024

const slashed = (from: string, to: string): string => relative(from, to).split(sep).join("/")

/** What a command names, what lies beside it, and what those load. In the project's own folder, only what is of the same language. */
const filesOf = (
  named: readonly string[],
  { projectCode, run }: ExternalDefinition,
  base: string,
  top: string
): Beside & Pick<Reached, "fixed"> => {
  const found: Beside = { files: new Set(named), folders: new Set() }
  for (const file of named) {
    const folder = dirname(file)
    if (inPackage(file)) continue
    const isRoot = folder === base || folder === top
    if (isRoot)
      lookBeside(folder, { isDeep: false, accepts: (name) => extname(name) === extname(file) }, found)
    else lookBeside(folder, besideIn(folder), found)
  }
  if (projectCode === true) return { ...found, fixed: new Set() }
  const reached = reachedFrom([...found.files], run, { base, top })
  for (const file of reached.files) found.files.add(file)
  return { ...found, fixed: reached.fixed }
}

const reading =
  (base: string, top: string) =>
  (path: string): string | undefined => {
    const real = realPath(resolve(base, path))
    if (real === undefined || !isWithin(real, top) || !statSync(real).isFile()) return undefined
    return slashed(base, real)
  }

/** Takes an external hook apart; `repository`: the real path of the one it belongs to, undefined for the user's own. */
export const partsOfExternal = (hook: HookFile, repository: string | undefined): ExternalParts => {
  const { external, file } = hook
  if (external === undefined) throw new Error(`${file} is no external hook`)
  const project = external.project ?? repository
  const isScript = external.definition === undefined
  const real = realPath(file) ?? file
  const base = realPath(external.base) ?? external.base
  const top = project ?? base
  const problems: Problem[] = []
  const own = isScript ? readRegular(real).toString("utf8") : undefined
  const head = own === undefined ? undefined : headOf(own)
  if (typeof head === "string")
    return { locals: new Map([[real, own ?? ""]]), folders: [], problems: [{ file, reason: head }] }
  const name = basename(real).replace(/\.[^.]*$/, "")
  const definition =
    external.definition === undefined
      ? ({ name, ...head, run: basename(real) } as ExternalDefinition)
      : definedHere(external.definition)
  const owned = project === undefined
  const parts: readonly Part[] = isScript
    ? [{ file: slashed(base, real), bare: false }]
    : owned
      ? [definition.run]
      : partsOf(definition.run, reading(base, top))
  const named = parts.flatMap((part) => (typeof part === "string" ? [] : [join(base, part.file)]))
  const { files, fixed, folders } = owned
    ? { files: new Set(named), folders: new Set<string>(), fixed: new Set<string>() }
    : filesOf(named, definition, base, top)
  const locals = new Map<string, string>()
  let bytes = 0
  for (const path of files) {
    try {
      const content = readRegular(realpathSync(path))
      bytes += content.length
      locals.set(path, path === real ? (own ?? "") : textOf(content))
    } catch (cause) {
      problems.push({ file, reason: `${slashed(base, path)} beside it cannot be read: ${String(cause)}` })
    }
  }
  if (files.size > maxFiles || bytes > maxBytes)
    problems.push({
      file,
      reason: `more than ${maxFiles} files or ${maxBytes / 1024} KB lie beside its script or are loaded by it, and any of them may be part of it`,
      remedy:
        'Put the script into a folder of its own. Where it runs the project\'s own code, such as its tests, say "projectCode": true.'
    })
  const manifest: ExternalManifest = {
    definition,
    parts,
    files: [...files].map((path) => slashed(base, path)).sort(),
    ...(fixed.size === 0 ? {} : { fixed: [...fixed].map((path) => slashed(base, path)).sort() }),
    up: slashed(dirname(real), base),
    owned
  }
  locals.set(isScript ? manifestOf(real) : file, `${JSON.stringify(manifest, null, 2)}\n`)
  return { locals, folders: [...folders], problems }
}
