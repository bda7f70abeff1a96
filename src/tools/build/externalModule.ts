/** The module that stands for an external hook in a build. */
import { dirname, join, resolve } from "node:path"
import type { Part } from "../../hooks/commandParts.ts"
import type { ExternalDefinition } from "../../hooks/external.ts"
import { hashOf } from "../../trust/digest.ts"

/** As it is consented to: everything but the files' contents, which stand beside it. */
export interface ExternalManifest {
  readonly definition: ExternalDefinition
  readonly parts: readonly Part[]
  readonly files: readonly string[]
  /** Of these, what is loaded from where it lies whichever way the command runs. */
  readonly fixed?: readonly string[]
  /** From the hook's folder to that which its files are named from. */
  readonly up: string
  readonly owned: boolean
}

/** Where the manifest of a script stands among its files; one of the settings is its own. */
export const manifestOf = (file: string): string => `${file}#`

/** What of an external hook's parts says of a script what stands in its head: nobody reads that twice. */
export const isHead = (file: string): boolean => file.endsWith("#")

const inSettingsPath = /[\\/]config\.json#[^\\/]+$/

/** Not a file that somebody wrote, but what a build says of a hook. */
export const isManifest = (file: string): boolean => isHead(file) || inSettingsPath.test(file)

/** Hooks of the settings have no file of their own: each has a name in it. */
export const inSettings = (configFile: string, name: string): string =>
  `${configFile}#${encodeURIComponent(name)}`

/** By its own path and no other: what a hook imports may have any name. */
const manifestIn = (path: string, locals: ReadonlyMap<string, string>): ExternalManifest | undefined => {
  const text = locals.get(manifestOf(path)) ?? (isManifest(path) ? locals.get(path) : undefined)
  return text === undefined ? undefined : (JSON.parse(text) as ExternalManifest)
}

/** What an external hook is defined as, by the path of its script or its name in the settings. */
export const definitionOf = (
  path: string,
  locals: ReadonlyMap<string, string>
): ExternalDefinition | undefined => manifestIn(path, locals)?.definition

/** A text as it is, and bytes that are none such that others are not taken for them. */
export const textOf = (content: Buffer): string => {
  const text = content.toString("utf8")
  return Buffer.from(text, "utf8").equals(content) ? text : `base64:${content.toString("base64")}`
}

export const contentOf = (text: string): Buffer =>
  text.startsWith("base64:") ? Buffer.from(text.slice("base64:".length), "base64") : Buffer.from(text, "utf8")

/** The module of an external hook among what a build read; undefined where the path is of none. */
export const externalModule = (
  path: string,
  locals: ReadonlyMap<string, string>,
  runtime: string
): string | undefined => {
  const manifest = manifestIn(path, locals)
  if (manifest === undefined) return undefined
  const { definition, files, fixed, owned, parts, up } = manifest
  const base = resolve(dirname(path), up)
  const consented = files.map((file) => {
    const content = contentOf(locals.get(join(base, file)) ?? "")
    return { file, sha256: hashOf(content), content: owned ? "" : content.toString("base64") }
  })
  const code =
    consented.length === 0
      ? undefined
      : hashOf(consented.map(({ file, sha256 }) => `${file} ${sha256}`).join("\n")).slice(0, 16)
  return `import { externalHook } from ${JSON.stringify(runtime)}
export default /* @__PURE__ */ externalHook(${JSON.stringify({ definition, base, parts, files: consented, fixed, owned, code })})
`
}
