/** Takes one hook file apart without running it: which files it is made of, and one script that can tell its exports. */
import { dirname, join, resolve, sep } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type BuildFailure, build, type Message, type Metafile } from "esbuild"
import type { Problem } from "../../hooks/Problem.ts"
import type { HookFile } from "../../runtime/builds/discover.ts"
import { look, type Seen } from "../../runtime/builds/rebuild.ts"
import { messageOf } from "../../state/messageOf.ts"
import { BuildError } from "./BuildError.ts"
import type { Core } from "./core.ts"
import { type ExternalParts, partsOfExternal } from "./external.ts"
import { lookingAhead } from "./lookAhead.ts"
import { hookFiles, inPackage, type Reading } from "./resolve.ts"

export interface Inspected extends HookFile {
  /** The file and what it imports: path → text. Of a project all of it, of the user all but packages. */
  readonly locals: ReadonlyMap<string, string>
  readonly seen: ReadonlyMap<string, Seen>
  /** Reports the exports of the file on descriptor 3; or why there is no such script. */
  readonly script: Either.Either<string, BuildError>
  /** The package.json of each package in it. */
  readonly packages: readonly string[]
  /** The folder from which `effect` was taken, if it is in there. */
  readonly effect: string | undefined
  /** Folders whose new files would be part of it. */
  readonly folders?: readonly string[]
  /** Manifests that are no files to be read, for which it was not compiled. */
  readonly odd: readonly string[]
}

/** What the compiler says, with the file that is at fault rather than the one we generate. */
export const problemOf =
  (fallback: string, folder: string) =>
  ({ location, notes, text }: Message): Problem => {
    const at = location?.file === "<stdin>" || location === null ? undefined : location
    const unresolved = /^Could not resolve "([^"]+)"/.exec(text)
    const note = notes.find(({ text }) => text !== "")?.text
    const remedy =
      unresolved !== null && !/^[./]/.test(unresolved[1] ?? "")
        ? `Install the package where the hook file is: npm install ${unresolved[1]}`
        : note
    return {
      file: at === undefined ? fallback : resolve(folder, at.file),
      ...(at === undefined ? {} : { line: at.line, column: at.column + 1 }),
      reason: text,
      ...(remedy === undefined ? {} : { remedy })
    }
  }

const packageOf = (file: string): string | undefined => {
  const found = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file)
  return found?.[1] === undefined ? undefined : join(found[1], "package.json")
}

/** Effect proper; its small runtime, which our own core brings, does not count. */
const effectProper = /[\\/]effect[\\/]dist[\\/](?:esm|cjs)[\\/](?:Effect|internal[\\/]fiberRuntime)\.js$/

const bundled = (metafile: Metafile, folder: string): readonly string[] =>
  Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [resolve(folder, file)] : []
    )
  )

const compile = (core: Core, file: string, outdir: string, reading: Reading) =>
  build({
    stdin: {
      contents: `import { report } from ${JSON.stringify(core.report)}\nreport(() => require(${JSON.stringify(file)}))\n`,
      resolveDir: dirname(file)
    },
    absWorkingDir: dirname(file),
    outfile: join(outdir, "report.cjs"),
    write: false,
    bundle: true,
    metafile: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    sourcemap: "inline",
    sourcesContent: false,
    logLevel: "silent",
    tsconfigRaw: {},
    plugins: [hookFiles(core, reading)]
  })

/** What cannot be read is a problem of its hook's. */
const externalParts = (hookFile: HookFile, project: string | undefined) =>
  Effect.sync((): ExternalParts => {
    try {
      return partsOfExternal(hookFile, project)
    } catch (cause) {
      const problems = [{ file: hookFile.file, reason: messageOf(cause) }]
      return { locals: new Map(), folders: [], problems }
    }
  })

/** Never fails: what a file that does not compile is made of is known as far as it goes, and decides who hears of it. */
export const inspect = Effect.fn("build.inspect")(function* (
  core: Core,
  hookFile: HookFile,
  outdir: string,
  /** The real path of the project that the file belongs to. */
  project: string | undefined
) {
  const { file } = hookFile
  const folder = dirname(file)
  const parts = hookFile.external === undefined ? undefined : yield* externalParts(hookFile, project)
  const reading: Reading = {
    files: new Map(parts?.locals),
    seen: new Map([...(parts?.locals.keys() ?? [])].map((path) => [path, look(path)])),
    project,
    open: true,
    odd: new Set()
  }
  const result = yield* Effect.either(
    Effect.tryPromise({
      try: () => {
        if (parts !== undefined && parts.problems.length > 0) throw { problems: parts.problems }
        // Where it is started it looks around before anybody is asked.
        const odd = lookingAhead()("./", folder)
        if (odd !== undefined) {
          reading.odd?.add(odd.file)
          throw { problems: [{ file, reason: `${odd.file} ${odd.reason}` }] }
        }
        return compile(core, file, outdir, reading)
      },
      catch: (cause) => {
        const found = (cause as { readonly problems?: readonly Problem[] }).problems
        if (found !== undefined) return new BuildError({ op: "check", problems: found })
        const messages = (cause as Partial<BuildFailure>).errors
        const problems = messages?.map(problemOf(file, folder)) ?? [{ file, reason: String(cause) }]
        return new BuildError({ op: "compile", problems })
      }
    })
  )
  const inputs = Either.isRight(result) ? bundled(result.right.metafile, folder) : []
  const proper = inputs.find((input) => effectProper.test(input))
  const packages = inputs.filter(inPackage).flatMap((input) => packageOf(input) ?? [])
  const inspected: Inspected = {
    ...hookFile,
    locals: reading.files,
    seen: reading.seen,
    script: Either.map(result, ({ outputFiles }) => outputFiles[0]?.text ?? ""),
    packages: [...new Set(packages)],
    odd: [...(reading.odd ?? [])],
    effect: proper?.slice(0, proper.lastIndexOf(`${sep}dist${sep}`)),
    ...(parts === undefined ? {} : { folders: parts.folders })
  }
  return inspected
})
