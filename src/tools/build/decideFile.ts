/** Which version of a hook file runs: as it is where that was consented to, else as it last was when it was. */
import { basename, relative, sep } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { hasPattern } from "../../hooks/external.ts"
import type { Problem } from "../../hooks/Problem.ts"
import { type HookFile, realPath } from "../../runtime/builds/discover.ts"
import type { Config, HookSettings } from "../../state/configShape.ts"
import type { WithheldFile } from "../../state/manifest.ts"
import {
  type Concerning,
  codeDigest,
  concerning,
  contentsOf,
  hashOf,
  hookDigest,
  portable
} from "../../trust/digest.ts"
import { compiledFile, isKept, type Kept, readCompiled, readKept, writeKept } from "../../trust/kept.ts"
import { type Place, placeOf, readLast, writeLast } from "../../trust/place.ts"
import { changedFile, changedSince, isInForce, type Trusted, type TrustStore } from "../../trust/store.ts"
import { readUnloadable } from "../../trust/unloadable.ts"
import type { BuildError } from "./BuildError.ts"
import { checkHooks, type FoundHook } from "./check.ts"
import { type DecidedConfig, type Deciding, refuseNewerInForce, wasRevoked } from "./decideConfig.ts"
import { evaluate } from "./evaluate.ts"
import { definitionOf } from "./externalModule.ts"
import type { Level } from "./gather.ts"
import type { Inspected } from "./inspect.ts"
import { keep } from "./keep.ts"
import { sameContent } from "./sameContent.ts"
import type { Loaded, Watching } from "./Watching.ts"
import { type Why, whyRevoked } from "./withheld.ts"

/** A hook file in the version that runs. */
export interface Unit {
  readonly hooks: readonly FoundHook[]
  readonly locals: ReadonlyMap<string, string>
  /** The folder from which `effect` was taken; true where it was taken long ago. */
  readonly effect: string | true | undefined
}

export interface Outcome {
  readonly unit?: Unit
  readonly withheld?: WithheldFile
  readonly held?: WithheldFile
  readonly problems: readonly Problem[]
  readonly adopted?: Trusted
}

const textOf = ({ file, locals }: Inspected): string => locals.get(realPath(file) ?? file) ?? ""

export interface Loading {
  readonly scratch: string
  readonly timeoutMs: number
  readonly watching?: Watching | undefined
  /** The digest of the file's code. */
  readonly code: string
}

const asCommands = ({ external, file, locals }: Inspected, loaded: Loaded): Loaded => {
  const definition = external && definitionOf(realPath(file) ?? file, locals)
  if (definition === undefined || hasPattern(definition)) return loaded
  return { ...loaded, hooks: loaded.hooks.map((hook) => ({ ...hook, isCommand: true })) }
}

/** The hooks of one file, or all that is wrong with it. */
export const loadHooks = Effect.fn("build.load")(function* (
  inspected: Inspected,
  { code, scratch, timeoutMs, watching }: Loading
) {
  const key = `${inspected.file} ${code}`
  const before = watching?.loaded.get(key)
  if (before !== undefined) return before
  const exports = yield* Effect.either(evaluate(inspected, scratch, timeoutMs))
  watching?.told("loaded")
  const loaded: Loaded = Either.isLeft(exports)
    ? { hooks: [], problems: exports.left.problems }
    : asCommands(inspected, checkHooks(inspected, textOf(inspected), exports.right))
  watching?.loaded.set(key, loaded)
  return loaded
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
const brokenBy = ([first]: readonly Problem[]): Why => {
  const reason = "does not build"
  if (first === undefined) return { reason, kind: "broken" }
  const at = first.line === undefined ? "" : ` (${basename(first.file)}:${first.line})`
  return { reason: `${reason}: ${first.reason.split("\n")[0]?.slice(0, longestReason)}${at}`, kind: "broken" }
}

/** Of this code something was trusted, and nothing revoked: with which settings it runs is the configuration's to say. */
const trustedCode = (store: TrustStore, code: string): Trusted | undefined =>
  Object.values(store.revoked).some((one) => one.code === code)
    ? undefined
    : Object.values(store.trusted).find((one) => one.code === code && isInForce(store, one.digest))

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

/** What last was in force at a place, as far as it still is. */
export const lastUnit = (
  deciding: Deciding,
  {
    file,
    level,
    owner,
    place
  }: Pick<HookFile, "file" | "owner"> & {
    readonly level: Level | undefined
    readonly place: Place
  },
  heeded: Config
): Pick<Outcome, "unit" | "adopted"> => {
  const { state, store } = deciding
  const last = readLast(state, place)
  const kept = last === undefined ? undefined : readKept(state, last.digest)
  const stands =
    last !== undefined && (owner === "user" ? !wasRevoked(store, last.digest) : isInForce(store, last.digest))
  if (kept === undefined) refuseNewerInForce(deciding, place, last)
  const was = last === undefined ? undefined : store.trusted[last.digest]
  const settled = kept === undefined || !stands ? undefined : resettled(deciding, kept, was, heeded)
  const unit = settled && keptUnit(state, settled.kept, file, level?.directory, was?.at ?? 0)
  if (unit === undefined) return {}
  if (settled?.adopted === undefined) return { unit }
  writeLast(state, place, settled.kept.digest)
  return { unit, adopted: settled.adopted }
}

export const decideFile = Effect.fn("build.decideFile")(function* (
  deciding: Deciding,
  inspected: Inspected,
  level: Level | undefined,
  { current: config, heeded, revoked: withoutSettings }: DecidedConfig
) {
  const { core, now, project, scratch, state, store, timeoutMs, userFolder, watching } = deciding
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

  const asItLastWas = (why: Why, problems: readonly Problem[]): Outcome => {
    const found = lastUnit(deciding, { file, level, owner, place }, heeded)
    if (found.unit !== undefined) return { ...found, held: { file: named, ...why }, problems }
    return owner === "user" ? { problems } : { withheld: { file: named, ...why }, problems }
  }

  // What is trusted runs as it was kept where the compiler may not look at it.
  if (owner === "project" && known === undefined && Either.isLeft(inspected.script)) {
    const { problems } = inspected.script.left
    const same = sameContent(deciding, base, file, config)
    const unit = same && keptUnit(state, same.kept, file, level?.directory, same.trusted.at)
    if (same !== undefined) writeLast(state, place, same.kept.digest)
    if (unit !== undefined) return { unit, held: { file: named, ...brokenBy(problems) }, problems }
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
    const unloadable = readUnloadable(state, code, core.version)
    const broken = Either.isLeft(inspected.script)
      ? brokenBy(inspected.script.left.problems)
      : unloadable && brokenBy([unloadable])
    return asItLastWas(revoked ? whyRevoked : (broken ?? { reason: changed }), problems)
  }
  const loaded = yield* loadHooks(inspected, { code, scratch, timeoutMs, watching })
  if (loaded.problems.length > 0) {
    const same = known === undefined ? undefined : readKept(state, known.digest)
    const unit = same && keptUnit(state, same, file, level?.directory, known?.at ?? now)
    if (unit !== undefined) return { unit, problems: loaded.problems } satisfies Outcome
    return asItLastWas(brokenBy(loaded.problems), loaded.problems)
  }
  const names = loaded.hooks.map(({ hook }) => hook)
  const settings = concerning(config, known?.names ?? names)
  const digest = known?.digest ?? hookDigest(code, settings)
  if (wasRevoked(store, digest)) return asItLastWas(whyRevoked, [])
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
