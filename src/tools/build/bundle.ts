/** Compiles the bundles: one CommonJS file per event, small, with nothing native in it. */
import { createHash } from "node:crypto"
import { basename, dirname, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { type BuildFailure, build, type Metafile, type Plugin } from "esbuild"
import { isWithin } from "../../state/within.ts"
import { BuildError } from "./BuildError.ts"
import { compiling, coreFile, coreFiles, withoutEnding } from "./coreFile.ts"
import { bundleName, entrySource, eventsToBundle, type Plan, partName, parts } from "./generate.ts"
import { hookMap, type SourceMap } from "./hookMap.ts"
import { problemOf } from "./inspect.ts"
import { hookFiles, inPackage, isOurs, type Reading } from "./resolve.ts"

export interface Bundled {
  readonly build: string
  /** Event → file name. */
  readonly events: Readonly<Record<string, string>>
  readonly default: string
  /** Files that bundles load when they need them. */
  readonly beside: readonly string[]
  /** File name → text. */
  readonly files: ReadonlyMap<string, string>
}

const entries = (plan: Plan, events: readonly (string | undefined)[]): Plugin => ({
  name: "entries",
  setup(build) {
    const sources = new Map(
      events.flatMap((event) => [
        [bundleName(event), entrySource(plan, event)] as const,
        ...[...parts(plan, event)].map(([file, text]) => [partName(event, file), text] as const)
      ])
    )
    build.onResolve({ filter: /^entry:/ }, ({ path }) => ({
      path: path.slice("entry:".length),
      namespace: "entry"
    }))
    build.onLoad({ filter: /.*/, namespace: "entry" }, ({ path }) => ({
      contents: sources.get(path) ?? "",
      loader: "js",
      resolveDir: plan.core.root
    }))
  }
})

/** An Effect that a hook made with its own copy of the library is run by that copy. */
const sameEffect = (plan: Plan, effect: string | undefined): Plugin => ({
  name: "same-effect",
  setup(build) {
    if (effect === undefined) return
    const own = Symbol("own")
    build.onResolve({ filter: /^effect(\/|$)/ }, ({ importer, kind, path, pluginData }) =>
      importer === plan.core.runEffect && pluginData !== own
        ? build.resolve(path, { kind, resolveDir: dirname(effect), pluginData: own })
        : undefined
    )
  }
})

/** What bundles share stands beside them. */
const shared: Plugin = {
  name: "shared",
  setup(build) {
    build.onResolve({ filter: /^\.\/core\.cjs$/, namespace: "entry" }, ({ path }) => ({
      path,
      external: true
    }))
  }
}

const compile = (plan: Plan, files: ReadonlyMap<string, string>, effect: string | undefined) => {
  const events = [undefined, ...eventsToBundle(plan)]
  const reading: Reading = { files: new Map(files), seen: new Map(), project: undefined, open: false }
  return build({
    ...compiling,
    // What a hook throws by itself names its author's own variables, to whoever is told of it.
    minify: false,
    minifySyntax: true,
    minifyWhitespace: true,
    entryPoints: events.map((event) => ({
      in: `entry:${bundleName(event)}`,
      out: withoutEnding(bundleName(event))
    })),
    absWorkingDir: plan.core.root,
    outdir: plan.core.root,
    sourcemap: "external",
    sourcesContent: false,
    plugins: [entries(plan, events), shared, sameEffect(plan, effect), hookFiles(plan.core, reading)]
  })
}

/** What a project's hooks reach that nobody has looked at: the tree was changed while it was built. */
const unread = ({ inputs }: Metafile, plan: Plan, files: ReadonlyMap<string, string>): readonly string[] => {
  const { root } = plan.core
  const path = (file: string): string => resolve(root, file)
  const graph = new Map(Object.entries(inputs).map(([file, { imports }]) => [path(file), imports]))
  const reached = new Set(plan.projectFiles)
  for (const file of reached) {
    if (isOurs(plan.core, file) || (isWithin(file, root) && inPackage(file))) continue
    for (const { external, path: to } of graph.get(file) ?? []) if (external !== true) reached.add(path(to))
  }
  return [...reached].filter(
    (file) => graph.has(file) && !files.has(file) && !isOurs(plan.core, file) && !isWithin(file, root)
  )
}

const isMap = (name: string): boolean => name.endsWith(".map")

/** Of each file what is its author's, with its text: who looks at an error later sees the lines that ran. A bundle of shipped hooks alone has none. */
const mapOf = (
  name: string,
  text: string,
  { core: { root } }: Plan,
  files: ReadonlyMap<string, string>
): readonly (readonly [string, string])[] => {
  const map = JSON.parse(text) as SourceMap
  const named = { ...map, sources: map.sources.map((source) => resolve(root, source)) }
  const kept = hookMap(named, (source) => files.has(source) && !inPackage(source))
  if (kept === undefined) return []
  const sourcesContent = kept.sources.map((source) => files.get(source) ?? null)
  return [[name, JSON.stringify({ ...kept, sourcesContent })]]
}

/** In characters of a hexadecimal hash. */
const buildIdLength = 16

/** Whether shipped hooks are in it: what some of them load late is for nobody else. */
const isGuarded = ({ hooks }: Plan): boolean => hooks.some(({ owner }) => owner === "hooktape")

export const bundle = Effect.fn("build.bundle")(function* (
  plan: Plan,
  files: ReadonlyMap<string, string>,
  effect: string | undefined
) {
  const [result, common] = yield* Effect.tryPromise({
    try: () => Promise.all([compile(plan, files, effect), coreFiles(plan.core)]),
    catch: (cause) => {
      const messages = (cause as Partial<BuildFailure>).errors
      const root = plan.core.root
      const problems = messages?.map(problemOf(root, root)) ?? [{ file: root, reason: String(cause) }]
      return new BuildError({ op: "bundle", problems })
    }
  })
  const strange = unread(result.metafile, plan, files)
  if (strange.length > 0) {
    const reason = 'changed while it was built. Run "hooktape build" again.'
    return yield* new BuildError({ op: "bundle", problems: strange.map((file) => ({ file, reason })) })
  }
  const besides = [...common].filter(([name]) => name === coreFile || isGuarded(plan))
  const outputs = result.outputFiles.map(({ path, text }) => [basename(path), text] as const)
  const texts = [...outputs.filter(([name]) => !isMap(name)), ...besides].sort(([a], [b]) => (a < b ? -1 : 1))
  const maps = outputs.flatMap(([name, text]) => (isMap(name) ? mapOf(name, text, plan, files) : []))
  const hash = createHash("sha256").update(plan.configHash)
  for (const [name, text] of texts) hash.update(`${name}\0${text.length}\0${text}\0`)
  const build = hash.digest("hex").slice(0, buildIdLength)
  return {
    build,
    events: Object.fromEntries(eventsToBundle(plan).map((event) => [event, bundleName(event)])),
    default: bundleName(undefined),
    beside: besides.map(([name]) => name),
    files: new Map([...texts, ...maps])
  } satisfies Bundled
})
