/** What all bundles of a build share, in files of their own beside them: our runtime with the hooks that come with it. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild"
import type { Core } from "./core.ts"

/** What bundles ask for. */
export const coreFile = "core.cjs"

/** File name → text. */
export type CoreFiles = ReadonlyMap<string, string>

const json = JSON.stringify

/** Adapters, services and hooks are evaluated when somebody asks for them: a call is one agent's, at one event. */
export const coreSource = ({
  adapters,
  handlerServices,
  loadFiles,
  main,
  recall,
  retain,
  shipped
}: Core): string =>
  [
    `export { main } from ${json(main)}`,
    `export { loadFile, loadFiles } from ${json(loadFiles)}`,
    "export const adapters = {",
    ...adapters.map(
      ({ agent, module, name }) => `  get ${json(agent)}() { return require(${json(module)}).${name} },`
    ),
    "}",
    `export const retain = () => require(${json(retain)}).retainGuards`,
    `export const aid = () => require(${json(handlerServices)}).makeHandlerServices`,
    `export const recall = () => require(${json(recall)}).makeRecall`,
    "export const hooks = {",
    ...shipped.map(({ file, hook }) => `  ${json(hook)}: () => require(${json(file)}),`),
    "}",
    ""
  ].join("\n")

/** As what is loaded late is asked for: in a while, or at once. */
const lateKinds: readonly string[] = ["dynamic-import", "require-call"]

/** What is loaded late stands in a file of its own. */
const lateFile = ({ late }: Core): Plugin => ({
  name: "late",
  setup(build) {
    const own = Symbol("own")
    build.onResolve({ filter: /^\./ }, async ({ importer, kind, path, pluginData, resolveDir }) => {
      if (dirname(importer) !== dirname(late.module) || !lateKinds.includes(kind) || pluginData === own)
        return undefined
      const found = await build.resolve(path, { kind, resolveDir, pluginData: own })
      return found.path === late.module ? { path: late.file, namespace: "late" } : found
    })
    build.onLoad({ filter: /.*/, namespace: "late" }, ({ path }) => ({
      contents: `module.exports = require(${json(`./${path}`)})`,
      loader: "js"
    }))
    build.onResolve({ filter: /^\.\//, namespace: "late" }, ({ path }) => ({ path, external: true }))
  }
})

const entry = (core: Core): Plugin => ({
  name: "core",
  setup(build) {
    build.onResolve({ filter: /^entry:core$/ }, () => ({ path: "core", namespace: "entry" }))
    build.onLoad({ filter: /.*/, namespace: "entry" }, () => ({
      contents: coreSource(core),
      loader: "js",
      resolveDir: core.root
    }))
  }
})

/** How everything is compiled that a build consists of. */
export const compiling = {
  metafile: true,
  outExtension: { ".js": ".cjs" },
  write: false,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  minify: true,
  treeShaking: true,
  // What is imported by a name made at run time goes the way of `require`, which refuses it.
  supported: { "dynamic-import": false },
  legalComments: "none",
  logLevel: "silent",
  tsconfigRaw: {}
} as const satisfies BuildOptions

export const withoutEnding = (file: string): string => file.slice(0, -".cjs".length)

/** Compiles them anew; the metafile says what went in. */
export const bundleCore = async (
  core: Core
): Promise<{ readonly files: CoreFiles; readonly metafile: Metafile }> => {
  const { metafile, outputFiles } = await build({
    ...compiling,
    entryPoints: [
      { in: "entry:core", out: withoutEnding(coreFile) },
      { in: core.late.module, out: withoutEnding(core.late.file) }
    ],
    absWorkingDir: core.root,
    outdir: core.root,
    plugins: [entry(core), lateFile(core)]
  })
  return {
    metafile,
    files: new Map(outputFiles.map(({ path, text }) => [path.slice(dirname(path).length + 1), text]))
  }
}

const made = new Map<string, Promise<CoreFiles>>()

/** As they were made with the package; in a checkout that runs from its sources they are compiled, once in a process. */
export const coreFiles = async (core: Core): Promise<CoreFiles> => {
  const { late, prebuilt } = core
  if (prebuilt !== undefined)
    return new Map([coreFile, late.file].map((name) => [name, readFileSync(join(prebuilt, name), "utf8")]))
  const source = coreSource(core)
  const known = made.get(source)
  if (known !== undefined) return known
  const files = bundleCore(core).then((bundled) => bundled.files)
  made.set(source, files)
  return files
}
