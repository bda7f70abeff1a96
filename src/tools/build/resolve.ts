/** Decides what an import of a hook file means, and keeps what was read: what runs is exactly what was looked at. */
import { dirname, extname, sep } from "node:path"
import { pathToFileURL } from "node:url"
import type { Loader, Plugin, PluginBuild } from "esbuild"
import { look, type Seen } from "../../runtime/builds/rebuild.ts"
import { messageOf } from "../../state/messageOf.ts"
import { isWithin } from "../../state/within.ts"
import type { Core } from "./core.ts"
import { externalModule } from "./externalModule.ts"
import { lookingAhead } from "./lookAhead.ts"
import { largestFile, largestPackageFile, readRegular } from "./regular.ts"

const loaders: Readonly<Record<string, Loader>> = {
  ".ts": "ts",
  ".mts": "ts",
  ".cts": "ts",
  ".tsx": "tsx",
  ".js": "js",
  ".mjs": "js",
  ".cjs": "js",
  ".jsx": "jsx",
  ".json": "json",
  ".txt": "text",
  "": "js"
}

const modules = `${sep}node_modules${sep}`

/** Part of this package. */
export const isOurs = (core: Core, file: string): boolean =>
  [
    core.main,
    core.runEffect,
    core.handlerServices,
    core.recall,
    core.retain,
    core.report,
    core.external,
    ...core.adapters.map(({ module }) => module)
  ].includes(file) ||
  core.shipped.some((hook) => hook.file === file) ||
  ["src", "events", "machines", "dist"].some((part) => file.startsWith(core.root + sep + part + sep))

export const inPackage = (file: string): boolean => file.includes(modules)

/**
 * What is read by us and kept. For a project that is all but our own code: a directory of any name can hold what somebody
 * committed. The user's packages are the user's.
 */
export const isTracked = (core: Core, file: string, project: string | undefined): boolean => {
  if (isOurs(core, file)) return false
  if (project === undefined) return !inPackage(file)
  return isWithin(file, project) || !isWithin(file, core.root)
}

const code = /\.[cm]?[jt]sx?$/

/** One file is made of many: the place of each is written in before it is lost. */
const placed = (file: string, text: string): string =>
  code.test(file) && /\bimport\.meta\.|\b__(dir|file)name\b/.test(text)
    ? text
        .replace(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(file).href))
        .replace(/\b(import\.meta\.filename|__filename)\b/g, JSON.stringify(file))
        .replace(/\b(import\.meta\.dirname|__dirname)\b/g, JSON.stringify(dirname(file)))
    : text

const exported = /^(\s*export\s+(?:default|const\s+[\w$]+\s*(?::[^=\n]+)?=)\s*)(?=defineHook\s*\()/gm
const inComment = /\/\*(?:(?!\*\/)[\s\S])*?defineHook\s*\(/

/** Without the mark a bundle holds every hook of a file, and all they import, when it needs one of them. */
const pure = (file: string, text: string): string =>
  code.test(file) && !inComment.test(text) ? text.replace(exported, "$1/* @__PURE__ */ ") : text

export interface Reading {
  /** Tracked files by path, as they were when first read. */
  readonly files: Map<string, string>
  /** How each looked just before it was read: a change in between then shows as a change. */
  readonly seen: Map<string, Seen>
  /** The real path of the project whose file is inspected; undefined for the user's. */
  readonly project: string | undefined
  /** True while inspecting; afterwards a file that was not read before is an error. */
  readonly open: boolean
  /** Manifests for which nothing was compiled: once they are others, it is to be tried again. */
  readonly odd?: Set<string>
}

/** The text, or why it is not to be had. The path is a real one: links are followed by then. */
const readTracked = (path: string, project: string | undefined): string | { readonly reason: string } => {
  if (project !== undefined && !isWithin(path, project) && !inPackage(path))
    return { reason: "lies outside of the project" }
  try {
    return readRegular(path, inPackage(path) ? largestPackageFile : largestFile).toString("utf8")
  } catch (cause) {
    return { reason: messageOf(cause) }
  }
}

const resolveEffect = (build: PluginBuild, core: Core): void => {
  const tried = Symbol("tried")
  build.onResolve({ filter: /^effect(\/|$)/ }, async ({ kind, path, pluginData, resolveDir }) => {
    if (pluginData === tried) return undefined
    const own = await build.resolve(path, { kind, resolveDir, pluginData: tried })
    return own.errors.length === 0
      ? own
      : build.resolve(path, { kind, resolveDir: core.root, pluginData: tried })
  })
}

export const hookFiles = (core: Core, reading: Reading): Plugin => ({
  name: "hooktape",
  setup(build) {
    const ahead = lookingAhead()
    build.onResolve({ filter: /.*/ }, ({ path, resolveDir }) => {
      const odd = ahead(path, resolveDir)
      if (odd === undefined) return undefined
      reading.odd?.add(odd.file)
      return { errors: [{ text: `${odd.file} ${odd.reason}` }] }
    })
    build.onResolve({ filter: /^hooktape$/ }, () => ({ path: core.index }))
    build.onResolve({ filter: /^hooktape\// }, ({ path }) => ({
      errors: [{ text: `there is no "${path}": everything is exported by "hooktape"` }]
    }))
    resolveEffect(build, core)
    // Hooks of the settings lie in no file.
    build.onResolve({ filter: /#/ }, ({ path }) =>
      reading.files.has(path) ? { path, namespace: "file" } : undefined
    )
    build.onLoad({ filter: /.*/, namespace: "file" }, ({ path }) => {
      const known = reading.files.get(path)
      const external = externalModule(path, reading.files, core.external)
      if (external !== undefined)
        return { contents: external, loader: "js", resolveDir: dirname(core.external) }
      if (known === undefined && !isTracked(core, path, reading.project)) return undefined
      const loader = loaders[extname(path)]
      if (loader === undefined)
        return { errors: [{ text: `${path} cannot be imported: only code, .json and .txt can` }] }
      if (known === undefined && !reading.open) {
        return { errors: [{ text: `${path} changed while it was built. Run "hooktape build" again.` }] }
      }
      if (known === undefined) reading.seen.set(path, look(path))
      const text = known ?? readTracked(path, reading.project)
      if (typeof text !== "string") return { errors: [{ text: `${path} ${text.reason}` }] }
      reading.files.set(path, text)
      if (inPackage(path)) return { contents: text, loader, resolveDir: dirname(path) }
      const contents = placed(path, reading.open ? text : pure(path, text))
      return { contents, loader, resolveDir: dirname(path) }
    })
  }
})
