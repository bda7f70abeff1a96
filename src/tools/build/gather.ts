/** Collects what a build may be made of: hook files, what they import, and settings; nothing of it is run. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { ExternalDefinition } from "../../hooks/external.ts"
import type { Problem } from "../../hooks/Problem.ts"
import {
  type Discovered,
  discoverProject,
  discoverUser,
  type HookFile
} from "../../runtime/builds/discover.ts"
import { look } from "../../runtime/builds/rebuild.ts"
import { parseConfig } from "../../state/config.ts"
import type { Config } from "../../state/configShape.ts"
import { levelsOf, repositoryTop } from "../../state/levels.ts"
import { folderOf, type Source } from "../../state/manifest.ts"
import { hashOf } from "../../trust/digest.ts"
import type { Carried } from "../../trust/policies/accept.ts"
import { BuildError } from "./BuildError.ts"
import type { Core } from "./core.ts"
import { inSettings, isManifest } from "./externalModule.ts"
import { type Inspected, inspect } from "./inspect.ts"
import { placeOfPolicy } from "./policies.ts"
import { readRegular } from "./regular.ts"
import { inPackage } from "./resolve.ts"
import type { Watching } from "./Watching.ts"

export interface Gathering {
  readonly core: Core
  /** The real path; undefined for the user's hooks alone. */
  readonly project: string | undefined
  readonly userFolder: string
  readonly scratch: string
  readonly watching?: Watching | undefined
  readonly placed?: ((hook: HookFile) => HookFile) | undefined
}

export interface Gathered {
  /** Scripts with a hook's head that nobody can start, the user's and the project's. */
  readonly unstarted: readonly Problem[]
  readonly users: readonly Inspected[]
  /** Of the project, outermost first. */
  readonly levels: readonly Level[]
  readonly userConfig: Config
  readonly policies: readonly Carried[]
  readonly sources: readonly Source[]
}

interface Text {
  readonly file: string
  readonly text: string | null
  readonly source: Source
}

const readText = (file: string): Text => {
  const seen = look(file)
  let text: string | null = null
  try {
    text = readRegular(file).toString("utf8")
  } catch {
    // Absent, or not a file: the same as no configuration.
  }
  return {
    file,
    text,
    source: { file, ...seen, ...(text === null ? {} : { sha256: hashOf(text) }), kind: "config" }
  }
}

const inspectAll = (
  { core, scratch, watching }: Pick<Gathering, "core" | "scratch" | "watching">,
  files: readonly HookFile[],
  project: string | undefined
) =>
  Effect.forEach(
    files,
    (file) => Effect.tap(inspect(core, file, scratch, project), () => watching?.told("read")),
    { concurrency: 4 }
  )

/** The hooks that settings name with a command. */
const externalsIn = (config: Text, owner: HookFile["owner"], base: string): readonly HookFile[] =>
  (Either.getOrElse(parse(config), (): Config => ({})).external ?? []).map((definition) => ({
    file: inSettings(config.file, definition.name),
    owner,
    external: { base, definition: definition as ExternalDefinition }
  }))

const dirSources = ({ dirs }: Discovered): readonly Source[] =>
  dirs.map((file) => ({ file, ...look(file), kind: "dir" }))

/** Every call looks at every source. Of a package with more files than this, its package.json has to tell. */
const watchedPackageFiles = 200

const watchable = (locals: ReadonlyMap<string, string>): readonly (readonly [string, string])[] => {
  const files = [...locals]
  const packaged = files.filter(([file]) => inPackage(file))
  return packaged.length <= watchedPackageFiles ? files : files.filter(([file]) => !inPackage(file))
}

const fileSources = (inspected: readonly Inspected[]): readonly Source[] =>
  inspected.flatMap(({ file, folders = [], locals, odd, owner, packages, seen }) => [
    ...folders.map((folder): Source => ({ file: folder, ...look(folder), kind: "dir" })),
    // A file that could not even be read is still one whose change matters.
    ...(locals.size === 0 && !isManifest(file)
      ? [{ file, ...look(file), kind: owner } satisfies Source]
      : []),
    // What a hook of the settings is stands in the settings.
    ...watchable(locals)
      .filter(([local]) => !isManifest(local))
      .map(([local, text]): Source => {
        return { file: local, ...(seen.get(local) ?? look(local)), sha256: hashOf(text), kind: owner }
      }),
    ...[...packages, ...odd].map(
      (manifest): Source => ({ file: manifest, ...look(manifest), kind: "package" })
    )
  ])

/** Without leave to be executed they are no hooks; with it they are at once. */
const unstartedSources = (unstarted: readonly Problem[], kind: HookFile["owner"]): readonly Source[] =>
  unstarted.map(({ file }) => ({ file, ...look(file), kind }))

const unique = (sources: readonly Source[]): readonly Source[] => [
  ...new Map(sources.map((source) => [source.file, source])).values()
]

const parse = ({ file, text }: Text): Either.Either<Config, readonly Problem[]> =>
  text === null ? Either.right({}) : parseConfig(file, text)

/** One directory that can hold hooks of the project, and what it holds. */
export interface Level {
  readonly directory: string
  readonly inspected: readonly Inspected[]
  /** Files that are refused for where they lead. */
  readonly refused: readonly Problem[]
  /** Scripts with a hook's head that nobody can start. */
  readonly unstarted: readonly Problem[]
  readonly configFile: string
  readonly configText: string | null
}

/** `scratch` is only where a compiler's output would be. */
export const readLevel = Effect.fn("build.level")(function* (
  how: Pick<Gathering, "core" | "scratch" | "watching">,
  directory: string
) {
  const configText = readText(join(folderOf(directory), "config.json"))
  // The directories are looked at before they are listed: a file that comes in between is then seen as a change.
  const dirs = dirSources(discoverProject(directory))
  const found = discoverProject(directory)
  const top = repositoryTop(directory) ?? directory
  const files = [...found.files, ...externalsIn(configText, "project", directory)]
  const inspected = yield* inspectAll(how, files, top)
  const level: Level = {
    directory,
    inspected,
    refused: found.problems,
    unstarted: found.unstarted,
    configFile: configText.file,
    configText: configText.text
  }
  const waiting = unstartedSources(found.unstarted, "project")
  return { level, sources: [configText.source, ...dirs, ...waiting, ...fileSources(inspected)] }
})

export const gather = Effect.fn("build.gather")(function* ({
  core,
  placed = (hook) => hook,
  project,
  scratch,
  userFolder,
  watching
}: Gathering) {
  const how = { core, scratch, watching }
  const userConfig = readText(join(userFolder, "config.json"))
  const userDirs = dirSources(discoverUser(userFolder))
  const discovered = discoverUser(userFolder)
  const ofUser = [...discovered.files, ...externalsIn(userConfig, "user", userFolder)]
  const users = yield* inspectAll(how, ofUser.map(placed), undefined)
  const levels = yield* Effect.forEach(project === undefined ? [] : levelsOf(project), (directory) =>
    readLevel(how, directory)
  )
  const parsed = parse(userConfig)
  const config = Either.getOrElse(parsed, (): Config => ({}))
  const policies = (config.policies ?? []).map(({ file, key }) => ({
    key,
    ...readText(placeOfPolicy(userFolder, file))
  }))
  const manifest = join(core.root, "package.json")
  const gathered: Gathered = {
    users,
    unstarted: [...discovered.unstarted, ...levels.flatMap(({ level }) => level.unstarted)],
    levels: levels.map(({ level }) => level),
    userConfig: config,
    policies,
    sources: unique([
      { file: manifest, ...look(manifest), kind: "package" },
      userConfig.source,
      ...policies.map(({ source }) => source),
      ...userDirs,
      ...unstartedSources(discovered.unstarted, "user"),
      ...levels.flatMap(({ sources }) => sources),
      ...fileSources(users)
    ])
  }
  const problems = Either.isLeft(parsed) ? parsed.left : []
  return { gathered, failure: problems.length === 0 ? undefined : new BuildError({ op: "check", problems }) }
})
