/** For each hook file which version of it runs: as it is where that was consented to, else as it last was when it was. */
import { basename, join, relative, sep } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Problem } from "../../hooks/Problem.ts"
import { isHookFile, realPath } from "../../runtime/builds/discover.ts"
import { brokenReason, goneReason, revokedReason } from "../../runtime/builds/trustHint.ts"
import { type Config, type HookSettings, mergeHook, parseConfig } from "../../state/config.ts"
import { folderOf } from "../../state/manifest.ts"
import {
  type Concerning,
  codeDigest,
  concerning,
  configDigest,
  contentsOf,
  hashOf,
  hookDigest,
  portable
} from "../../trust/digest.ts"
import { compiledFile, isKept, type Kept, readCompiled, readKept, writeKept } from "../../trust/kept.ts"
import { allLast, type Place, placeOf, readLast, writeLast } from "../../trust/place.ts"
import { changedFile, changedSince, isInForce, type Trusted, type TrustStore } from "../../trust/store.ts"
import type { BuildError } from "./BuildError.ts"
import { checkHooks, type FoundHook } from "./check.ts"
import type { Core } from "./core.ts"
import { evaluate } from "./evaluate.ts"
import type { Gathered, Level } from "./gather.ts"
import type { WithheldFile } from "./generate.ts"
import type { Inspected } from "./inspect.ts"
import { keep } from "./keep.ts"

/** A hook file in the version that runs. */
export interface Unit {
  readonly hooks: readonly FoundHook[]
  readonly locals: ReadonlyMap<string, string>
  /** The folder from which `effect` was taken; true where it was taken long ago. */
  readonly effect: string | true | undefined
}

export interface Decided {
  /** In registration order. */
  readonly units: readonly Unit[]
  readonly withheld: readonly WithheldFile[]
  /** Files that are not as they were trusted: what was trusted runs. */
  readonly held: readonly WithheldFile[]
  readonly problems: readonly Problem[]
  /** Of the levels, the nearest over those farther out. */
  readonly projectConfig: Config
  /** Each level's, as far as it is heeded. */
  readonly configs: readonly { readonly level: Level; readonly config: Config }[]
  /** What was trusted by path before and is still the same. */
  readonly adopted: readonly Trusted[]
}

export interface Deciding {
  readonly core: Core
  readonly state: string
  readonly userFolder: string
  readonly project: string | undefined
  readonly scratch: string
  readonly timeoutMs: number
  readonly store: TrustStore
  readonly now: number
}

interface Outcome {
  readonly unit?: Unit
  readonly withheld?: WithheldFile
  readonly held?: WithheldFile
  readonly problems: readonly Problem[]
  readonly adopted?: Trusted
}

const textOf = ({ file, locals }: Inspected): string => locals.get(realPath(file) ?? file) ?? ""

/** The hooks of one file, or all that is wrong with it. */
export const loadHooks = Effect.fn("build.load")(function* (
  inspected: Inspected,
  scratch: string,
  timeoutMs: number
) {
  const exports = yield* Effect.either(evaluate(inspected, scratch, timeoutMs))
  if (Either.isLeft(exports)) return { hooks: [], problems: exports.left.problems }
  return checkHooks(inspected, textOf(inspected), exports.right)
})

/** What a level says of a hook: one that an agent waits for and that names no time of its own has its level's. */
const settingsFor = ({ deadlineMs, hooks = {} }: Concerning, hook: FoundHook): HookSettings | undefined => {
  const own = Object.hasOwn(hooks, hook.hook) ? hooks[hook.hook] : undefined
  const inBackground = own?.background ?? hook.fields["background"] === true
  return deadlineMs === undefined || hook.deadline !== undefined || inBackground
    ? own
    : { deadline: deadlineMs, ...own }
}

interface Content {
  readonly digest: string
  readonly level: string | undefined
  readonly settings: Concerning
  readonly trustedAt: number
}

const dressed = (hook: FoundHook, { digest, level, settings, trustedAt }: Content): FoundHook => {
  const own = hook.owner === "project" ? settingsFor(settings, hook) : undefined
  return {
    ...hook,
    digest,
    trustedAt,
    ...(level === undefined ? {} : { level }),
    ...(own === undefined ? {} : { settings: own })
  }
}

/** What was kept of a content, as a unit of a build. */
export const keptUnit = (
  state: string,
  kept: Kept,
  origin: string,
  level: string | undefined,
  trustedAt: number
): Unit | undefined => {
  const text = readCompiled(state, kept)
  if (text === undefined) return undefined
  const file = compiledFile(state, kept.digest)
  const content = { digest: kept.digest, level, settings: kept.settings, trustedAt }
  const hooks = kept.hooks.map(({ fields, hook, metadata, name, on, path }) =>
    dressed(
      {
        file,
        origin,
        owner: kept.owner,
        name,
        path,
        hook,
        on,
        priority: fields["priority"] as number | undefined,
        enabled: fields["enabled"] !== false,
        deadline: fields["deadline"] as FoundHook["deadline"],
        fields: fields as FoundHook["fields"],
        ...(metadata === undefined ? {} : { metadata })
      },
      content
    )
  )
  return { hooks, locals: new Map([[file, text]]), effect: kept.effect }
}

/** Which trusted content this code with these settings is, without running it. */
export const trustedContent = (store: TrustStore, code: string, config: Config): Trusted | undefined =>
  Object.values(store.trusted).find(
    (one) =>
      one.code === code &&
      one.digest === hookDigest(code, concerning(config, one.names)) &&
      isInForce(store, one.digest)
  )

export const revokedContent = (store: TrustStore, code: string, config: Config): boolean =>
  Object.values(store.revoked).some(
    (one) => one.code === code && one.digest === hookDigest(code, concerning(config, one.names))
  )

/** A stranger's file has a say in what the compiler says of it. */
const longestReason = 200

/** The file's name stands before it. */
const brokenBy = ([first]: readonly Problem[]): string => {
  if (first === undefined) return brokenReason
  const at = first.line === undefined ? "" : ` (${basename(first.file)}:${first.line})`
  return `${brokenReason}: ${first.reason.split("\n")[0]?.slice(0, longestReason)}${at}`
}

const wasRevoked = (store: TrustStore, digest: string | undefined): boolean =>
  digest !== undefined && Object.hasOwn(store.revoked, digest)

/** Of this code something was trusted, and nothing revoked: with which settings it runs is the configuration's to say. */
const trustedCode = (store: TrustStore, code: string): Trusted | undefined =>
  Object.values(store.revoked).some((one) => one.code === code)
    ? undefined
    : Object.values(store.trusted).find((one) => one.code === code && isInForce(store, one.digest))

/** The configuration that was in force last and was not revoked since. */
const standingConfig = (
  { state, store }: Pick<Deciding, "state" | "store">,
  { configFile, directory }: Level,
  last: string | undefined
): Config | undefined => {
  const name = portable(directory, configFile)
  const before = Object.values(store.trusted)
    .filter(({ file, kind, project }) => kind === "config" && project === directory && file === name)
    .sort((a, b) => b.at - a.at)
    .map(({ digest }) => digest)
  const digests = [...(last === undefined ? [] : [last]), ...(wasRevoked(store, last) ? before : [])]
  for (const digest of digests) {
    const text = isInForce(store, digest) ? readKept(state, digest)?.texts[name] : undefined
    const parsed = text === undefined ? undefined : parseConfig(configFile, text)
    if (parsed !== undefined && Either.isRight(parsed)) return parsed.right
  }
  return undefined
}

interface DecidedConfig {
  /** As it is: a hook is trusted with the settings it has now. */
  readonly current: Config
  /** What it says of more than single hooks. */
  readonly heeded: Config
  /** What was in force was revoked, and nothing was trusted since: hooks whose code is trusted run without its settings. */
  readonly revoked: boolean
}

/** What a level's configuration says, in the version that counts. */
const decideConfig = (
  { now, project, state, store }: Deciding,
  level: Level
): DecidedConfig & {
  readonly problems: readonly Problem[]
  readonly withheld?: WithheldFile
  readonly held?: WithheldFile
  readonly adopted?: Trusted
} => {
  const { configFile, configText, directory } = level
  const place = placeOf(directory, configFile)
  const last = readLast(state, place)
  const standing = standingConfig({ state, store }, level, last?.digest)
  const lastConfig: Config = standing ?? {}
  const wasLastRevoked = wasRevoked(store, last?.digest)
  const named = relative(project ?? directory, configFile)
    .split(sep)
    .join("/")
  if (configText === null) {
    const gone = { current: wasLastRevoked ? lastConfig : {}, heeded: lastConfig, revoked: wasLastRevoked }
    return standing === undefined
      ? { ...gone, problems: [] }
      : { ...gone, problems: [], held: { file: named, reason: goneReason } }
  }
  const parsed = parseConfig(configFile, configText)
  const digest = configDigest(configText)
  const before = store.before[directory]?.config === hashOf(configText)
  const trusted = isInForce(store, digest) || (before && !wasRevoked(store, digest))
  if (Either.isLeft(parsed)) {
    // Whoever has not trusted it need not correct it either.
    const problems = trusted || last !== undefined ? parsed.left : []
    const reason = "cannot be read"
    const broken = { current: lastConfig, heeded: lastConfig, revoked: wasLastRevoked, problems }
    return standing === undefined
      ? {
          ...broken,
          withheld: { file: named, reason: trusted || last !== undefined ? reason : "not trusted" }
        }
      : { ...broken, held: { file: named, reason } }
  }
  const current = parsed.right
  if (trusted) {
    const kept = portable(directory, configFile)
    if (!isKept(state, digest)) {
      writeKept(state, {
        digest,
        kind: "config",
        owner: "project",
        file: kept,
        contents: { [kept]: hashOf(configText) },
        texts: { [kept]: configText },
        settings: {},
        hooks: []
      })
    }
    writeLast(state, place, digest)
    return {
      current,
      heeded: current,
      revoked: false,
      problems: [],
      ...(isInForce(store, digest)
        ? {}
        : {
            adopted: { digest, kind: "config", names: [], project: directory, file: kept, at: now } as const
          })
    }
  }
  const known = last !== undefined || store.before[directory] !== undefined
  const isRevoked = wasRevoked(store, digest)
  const reason = isRevoked ? revokedReason : known ? "changed since you trusted it" : "not trusted"
  const revoked = isRevoked || wasLastRevoked
  return {
    current: revoked ? lastConfig : current,
    heeded: lastConfig,
    revoked,
    problems: [],
    ...(standing === undefined ? { withheld: { file: named, reason } } : { held: { file: named, reason } })
  }
}

/** What was kept of a hook, with the settings that count now: those it was trusted with may have been revoked. */
const resettled = (
  { state, store }: Deciding,
  kept: Kept,
  was: Trusted | undefined,
  config: Config
): { readonly kept: Kept; readonly adopted?: Trusted } | undefined => {
  if (kept.owner === "user" || was?.code === undefined) return { kept }
  const settings = concerning(config, was.names)
  const digest = hookDigest(was.code, settings)
  if (digest === kept.digest) return { kept }
  const text = readCompiled(state, kept)
  if (wasRevoked(store, digest) || text === undefined) return undefined
  if (!isKept(state, digest)) writeKept(state, { ...kept, digest, settings }, text)
  const now = readKept(state, digest)
  return now && { kept: now, adopted: { ...was, digest } }
}

const decideFile = Effect.fn("build.decideFile")(function* (
  deciding: Deciding,
  inspected: Inspected,
  level: Level | undefined,
  { current: config, heeded, revoked: withoutSettings }: DecidedConfig
) {
  const { core, now, project, scratch, state, store, timeoutMs, userFolder } = deciding
  const { file, locals, owner } = inspected
  const base = level?.directory ?? userFolder
  const own = portable(base, file)
  const place: Place =
    level === undefined ? { repository: `user ${userFolder}`, path: own } : placeOf(level.directory, file)
  const code = codeDigest(base, file, locals)
  const contents = contentsOf(base, locals)
  const named = relative(project ?? base, file)
    .split(sep)
    .join("/")
  const last = readLast(state, place)
  const lastKept = last === undefined ? undefined : readKept(state, last.digest)
  const known = trustedContent(store, code, config)
  const configHash = level === undefined || level.configText === null ? null : hashOf(level.configText)
  const before =
    level === undefined ? undefined : changedSince(store.before[level.directory], configHash, contents, own)

  const asItLastWas = (reason: string, problems: readonly Problem[]): Outcome => {
    const stands =
      last !== undefined &&
      (owner === "user" ? !wasRevoked(store, last.digest) : isInForce(store, last.digest))
    const was = last === undefined ? undefined : store.trusted[last.digest]
    const settled = lastKept === undefined || !stands ? undefined : resettled(deciding, lastKept, was, heeded)
    const unit = settled && keptUnit(state, settled.kept, file, level?.directory, was?.at ?? 0)
    if (unit !== undefined) {
      if (settled?.adopted !== undefined) writeLast(state, place, settled.kept.digest)
      const adopted = settled?.adopted === undefined ? {} : { adopted: settled.adopted }
      return { unit, held: { file: named, reason }, problems, ...adopted }
    }
    return owner === "user" ? { problems } : { withheld: { file: named, reason }, problems }
  }

  const implied = withoutSettings && known === undefined ? trustedCode(store, code) : undefined
  if (owner === "project" && known === undefined && implied === undefined && before !== undefined) {
    const sameCode = lastKept !== undefined && changedFile(lastKept.contents, contents, own) === undefined
    const revoked = revokedContent(store, code, config) || (sameCode && wasRevoked(store, last?.digest))
    const changed =
      lastKept === undefined
        ? before
        : sameCode
          ? "the configuration changed since you trusted it"
          : (changedFile(lastKept.contents, contents, own) ?? before)
    const problems =
      Either.isLeft(inspected.script) && lastKept !== undefined ? inspected.script.left.problems : []
    // Nobody can trust what does not build: that comes first.
    const broken = Either.isLeft(inspected.script) ? brokenBy(inspected.script.left.problems) : undefined
    return asItLastWas(revoked ? revokedReason : (broken ?? changed), problems)
  }
  const loaded = yield* loadHooks(inspected, scratch, timeoutMs)
  if (loaded.problems.length > 0) {
    const same = known === undefined ? undefined : readKept(state, known.digest)
    const unit = same && keptUnit(state, same, file, level?.directory, known?.at ?? now)
    if (unit !== undefined) return { unit, problems: loaded.problems } satisfies Outcome
    return asItLastWas(brokenBy(loaded.problems), loaded.problems)
  }
  const names = loaded.hooks.map(({ hook }) => hook)
  const settings = concerning(config, known?.names ?? names)
  const digest = known?.digest ?? hookDigest(code, settings)
  if (wasRevoked(store, digest)) return asItLastWas(revokedReason, [])
  const trustedAt = (known ?? implied)?.at ?? now
  const content: Content = { digest, level: level?.directory, settings, trustedAt }
  const hooks = loaded.hooks.map((hook) => dressed(hook, content))
  const kept = yield* Effect.either(
    keep({ core, state, digest, base, inspected, hooks: loaded.hooks, settings })
  )
  if (Either.isRight(kept)) writeLast(state, place, digest)
  const unit: Unit = { hooks, locals, effect: inspected.effect }
  const problems = Either.isLeft(kept) ? (kept.left as BuildError).problems : []
  return {
    unit,
    problems,
    ...(owner === "project" && known === undefined
      ? { adopted: { digest, kind: "hook", code, names, project: base, file: own, at: trustedAt } as const }
      : {})
  } satisfies Outcome
})

/** The hook files of a level that were trusted and are not there any more, each with the content it had, as far as it is known. */
export const goneHooks = (
  state: string,
  store: TrustStore,
  { directory, inspected, refused }: Level
): readonly { readonly file: string; readonly digest?: string }[] => {
  const folder = join(folderOf(directory), "hooks")
  const here = placeOf(directory, join(folder, "x"))
  const prefix = here.path.slice(0, -1)
  const there = new Set([...inspected, ...refused].map(({ file }) => file))
  const before = Object.keys(store.before[directory]?.files ?? {})
    .filter((file) => file.startsWith(".hooktape/hooks/"))
    .map((file) => [file.slice(".hooktape/hooks/".length), {}] as const)
  const last = allLast(state, here)
    .filter(({ digest, path }) => path.startsWith(prefix) && isInForce(store, digest))
    .map(({ digest, path }) => [path.slice(prefix.length), { digest }] as const)
  return [...new Map<string, { readonly digest?: string }>([...before, ...last])]
    .filter(([name]) => !name.includes("/") && isHookFile(name) && !there.has(join(folder, name)))
    .map(([name, of]) => ({ file: join(folder, name), ...of }))
}

/** Whoever can delete a guard could also edit it: neither goes unnoticed. */
const goneFrom = ({ project, state, store }: Deciding, level: Level): readonly WithheldFile[] =>
  goneHooks(state, store, level).map(({ file }) => ({
    file: relative(project ?? level.directory, file)
      .split(sep)
      .join("/"),
    reason: goneReason
  }))

/** The nearest over those farther out; nobody gets less time by being nested. */
export const mergeLevels = (configs: readonly Config[]): Config => {
  const hooks: Record<string, HookSettings> = {}
  for (const { hooks: of = {} } of configs)
    for (const [name, one] of Object.entries(of)) hooks[name] = mergeHook(hooks[name], one)
  const times = configs.flatMap(({ deadlineMs }) => deadlineMs ?? [])
  const stopBlocks = configs.findLast((one) => one.stopBlocks !== undefined)?.stopBlocks
  return {
    ...Object.assign({}, ...configs),
    ...(times.length === 0 ? {} : { deadlineMs: Math.max(...times) }),
    ...(stopBlocks === undefined ? {} : { stopBlocks }),
    ...(Object.keys(hooks).length === 0 ? {} : { hooks }),
    ...(configs.some(({ learning }) => learning === false) ? { learning: false } : {})
  }
}

export const decide = Effect.fn("build.decide")(function* (
  deciding: Deciding,
  { levels, userConfig, users }: Gathered
) {
  const named = (file: string): string =>
    relative(deciding.project ?? "", file)
      .split(sep)
      .join("/")
  const ofUserConfig: DecidedConfig = { current: userConfig, heeded: userConfig, revoked: false }
  const ofUser = yield* Effect.forEach(users, (one) => decideFile(deciding, one, undefined, ofUserConfig), {
    concurrency: 3
  })
  const ofLevels = yield* Effect.forEach(levels, (level) =>
    Effect.gen(function* () {
      const config = decideConfig(deciding, level)
      const files = yield* Effect.forEach(
        level.inspected,
        (one) => decideFile(deciding, one, level, config),
        { concurrency: 3 }
      )
      return { level, config, files }
    })
  )
  const outcomes: readonly Outcome[] = [...ofUser, ...ofLevels.flatMap(({ files }) => files)]
  const decided: Decided = {
    units: outcomes.flatMap(({ unit }) => unit ?? []),
    withheld: ofLevels.flatMap(({ config, files, level }) => [
      ...level.refused.map(({ file, reason }) => ({ file: named(file), reason })),
      ...files.flatMap(({ withheld }: Outcome) => withheld ?? []),
      ...goneFrom(deciding, level),
      ...(config.withheld === undefined ? [] : [config.withheld])
    ]),
    held: [
      ...outcomes.flatMap(({ held }) => held ?? []),
      ...ofLevels.flatMap(({ config }) => config.held ?? [])
    ],
    problems: [
      ...outcomes.flatMap(({ problems }) => problems),
      ...ofLevels.flatMap(({ config }) => config.problems)
    ],
    projectConfig: mergeLevels(ofLevels.map(({ config }) => config.heeded)),
    configs: ofLevels.map(({ config, level }) => ({ level, config: config.heeded })),
    adopted: [
      ...outcomes.flatMap(({ adopted }) => adopted ?? []),
      ...ofLevels.flatMap(({ config }) => config.adopted ?? [])
    ]
  }
  return decided
})
