/** Collects what a build is made of: the files that may run, their settings, and those that are left out. */
import { join, relative, sep } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Config, parseConfig } from "../hooks/config.ts"
import { type Discovered, discoverProject, discoverUser, isHookFile } from "../hooks/discover.ts"
import { folderOf, type Source } from "../hooks/manifest.ts"
import type { Problem } from "../hooks/Problem.ts"
import { hooksFolder } from "../hooks/project.ts"
import { look } from "../hooks/rebuild.ts"
import { contentsOf, distrust, hashOf, readTrust } from "../hooks/trust.ts"
import { BuildError } from "./BuildError.ts"
import type { Core } from "./core.ts"
import type { WithheldFile } from "./generate.ts"
import { type Inspected, inspect } from "./inspect.ts"
import { readRegular } from "./regular.ts"
import { inPackage } from "./resolve.ts"

export interface Gathering {
  readonly core: Core
  readonly state: string
  /** The real path; undefined for the user's hooks alone. */
  readonly project: string | undefined
  readonly userFolder: string
  readonly scratch: string
}

export interface Gathered {
  /** May run, in registration order. */
  readonly runnable: readonly Inspected[]
  readonly withheld: readonly WithheldFile[]
  readonly configs: Readonly<Record<"user" | "project", Config>>
  readonly configHash: string
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

const inspectAll = (core: Core, scratch: string, { files }: Discovered, project: string | undefined) =>
  Effect.forEach(files, (file) => inspect(core, file, scratch, project), { concurrency: 4 })

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
  inspected.flatMap(({ file, locals, owner, packages, seen }) => [
    // A file that could not even be read is still one whose change matters.
    ...(locals.size === 0 ? [{ file, ...look(file), kind: owner } satisfies Source] : []),
    ...watchable(locals).map(([local, text]): Source => {
      return { file: local, ...(seen.get(local) ?? look(local)), sha256: hashOf(text), kind: owner }
    }),
    ...packages.map((manifest): Source => ({ file: manifest, ...look(manifest), kind: "package" }))
  ])

const unique = (sources: readonly Source[]): readonly Source[] => [
  ...new Map(sources.map((source) => [source.file, source])).values()
]

const parse = ({ file, text }: Text): Either.Either<Config, readonly Problem[]> =>
  text === null ? Either.right({}) : parseConfig(file, text)

const hooksPrefix = `${hooksFolder}/hooks/`

/** The project's files as their reader trusts them, or why not. */
const judge = (
  { project, state }: { readonly project: string; readonly state: string },
  config: Text,
  { problems }: Discovered,
  inspected: readonly Inspected[]
): {
  readonly runnable: readonly Inspected[]
  readonly withheld: readonly WithheldFile[]
  readonly config: boolean
} => {
  const named = (file: string): string => relative(project, file).split(sep).join("/")
  const trusted = readTrust(state, project)
  const configHash = config.text === null ? null : hashOf(config.text)
  const withheld: WithheldFile[] = problems.map(({ file, reason }) => ({ file: named(file), reason }))
  const runnable: Inspected[] = []
  for (const one of inspected) {
    const reason = distrust(trusted, configHash, contentsOf(project, one.locals), named(one.file))
    if (reason === undefined) runnable.push(one)
    else withheld.push({ file: named(one.file), reason })
  }
  const there = new Set(inspected.map(({ file }) => named(file)))
  for (const file of Object.keys(trusted?.files ?? {})) {
    // Whoever can delete a guard could also edit it: neither goes unnoticed.
    const name = file.startsWith(hooksPrefix) ? file.slice(hooksPrefix.length) : ""
    if (!name.includes("/") && isHookFile(name) && !there.has(file))
      withheld.push({ file, reason: "trusted, but gone" })
  }
  const heeded = configHash === null || trusted?.config === configHash
  if (!heeded) {
    withheld.push({
      file: named(config.file),
      reason: trusted === undefined ? "not trusted" : "changed since you trusted it"
    })
  }
  return { runnable, withheld, config: heeded }
}

export const gather = Effect.fn("build.gather")(function* ({
  core,
  project,
  scratch,
  state,
  userFolder
}: Gathering) {
  const userConfig = readText(join(userFolder, "config.json"))
  // The directories are looked at before they are listed: a file that comes in between is then seen as a change.
  const user = discoverUser(userFolder)
  const userDirs = dirSources(user)
  const users = yield* inspectAll(core, scratch, discoverUser(userFolder), undefined)

  const none: Discovered = { files: [], dirs: [], problems: [] }
  const dirs = project === undefined ? [] : dirSources(discoverProject(project))
  const found = project === undefined ? none : discoverProject(project)
  const own = yield* inspectAll(core, scratch, found, project)
  const ownConfig = project === undefined ? undefined : readText(join(folderOf(project), "config.json"))
  const judged =
    project === undefined || ownConfig === undefined
      ? { runnable: [], withheld: [], config: false }
      : judge({ project, state }, ownConfig, found, own)

  const configs = [
    parse(userConfig),
    ownConfig && judged.config ? parse(ownConfig) : Either.right<Config>({})
  ] as const
  const problems = configs.flatMap((config) => (Either.isLeft(config) ? config.left : []))
  const [userPart, ownPart] = configs.map((config) => Either.getOrElse(config, (): Config => ({})))
  const config = { user: userPart ?? {}, project: ownPart ?? {} }
  const manifest = join(core.root, "package.json")
  const sources = unique([
    { file: manifest, ...look(manifest), kind: "package" },
    userConfig.source,
    ...(ownConfig ? [ownConfig.source] : []),
    ...userDirs,
    ...dirs,
    ...fileSources([...users, ...own])
  ])
  const gathered: Gathered = {
    runnable: [...users, ...judged.runnable],
    withheld: judged.withheld,
    configs: config,
    configHash: hashOf(JSON.stringify(config)).slice(0, 16),
    sources
  }
  return { gathered, failure: problems.length === 0 ? undefined : new BuildError({ op: "check", problems }) }
})
