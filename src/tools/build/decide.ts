/** What of all hook files and configurations makes a build. */
import { join, relative, sep } from "node:path"
import * as Effect from "effect/Effect"
import type { Problem } from "../../hooks/Problem.ts"
import { isHookFile } from "../../runtime/builds/beside.ts"
import { mergeHook } from "../../state/config.ts"
import type { Config, HookSettings } from "../../state/configShape.ts"
import { folderOf, type WithheldFile } from "../../state/manifest.ts"
import { codeDigest } from "../../trust/digest.ts"
import { readKept } from "../../trust/kept.ts"
import { allLast, placeOf } from "../../trust/place.ts"
import { labelOf } from "../../trust/policies/label.ts"
import { isInForce, type Trusted, type TrustStore, withTrusted } from "../../trust/store.ts"
import { type DecidedConfig, type Deciding, decideConfig } from "./decideConfig.ts"
import { decideFile, lastUnit, type Outcome, type Unit } from "./decideFile.ts"
import { isHead } from "./externalModule.ts"
import type { Gathered, Level } from "./gather.ts"
import type { Inspected } from "./inspect.ts"
import { obstructedBy } from "./obstructed.ts"
import { type Policies, policiesOf, signedBy, unitsOf } from "./policies.ts"
import { whyGone, whyUnstarted } from "./withheld.ts"

export interface Decided {
  /** In registration order. */
  readonly units: readonly Unit[]
  readonly withheld: readonly WithheldFile[]
  /** Files that are not as they were trusted: what was trusted runs. */
  readonly held: readonly WithheldFile[]
  readonly problems: readonly Problem[]
  /** The user's, with what policies say over it. */
  readonly userConfig: Config
  /** Of the levels, the nearest over those farther out. */
  readonly projectConfig: Config
  /** Each level's, as far as it is heeded. */
  readonly configs: readonly { readonly level: Level; readonly config: Config }[]
  /** What was trusted by path before and is still the same. */
  readonly adopted: readonly Trusted[]
}

interface Before {
  readonly file: string
  /** The content it had, as far as it is known. */
  readonly digest?: string
}

/** The hook files of a level that were trusted and are none now. */
const hooksBefore = (
  state: string,
  store: TrustStore,
  { directory, inspected }: Pick<Level, "directory" | "inspected">
): readonly Before[] => {
  const folder = join(folderOf(directory), "hooks")
  const here = placeOf(directory, join(folder, "x"))
  const prefix = here.path.slice(0, -1)
  const there = new Set(inspected.map(({ file }) => file))
  const before = Object.keys(store.before[directory]?.files ?? {})
    .filter((file) => file.startsWith(".hooktape/hooks/"))
    .map((file) => [file.slice(".hooktape/hooks/".length), {}] as const)
  const last = allLast(state, here)
    .filter(({ digest, path }) => path.startsWith(prefix) && isInForce(store, digest))
    .map(({ digest, path }) => [path.slice(prefix.length), { digest }] as const)
  return [...new Map<string, { readonly digest?: string }>([...before, ...last])]
    .filter(
      ([name, of]) =>
        !name.includes("/") && (isHookFile(name) || "digest" in of) && !there.has(join(folder, name))
    )
    .map(([name, of]) => ({ file: join(folder, name), ...of }))
}

/** Those that are none any more, whatever is in their place, each with the content it had, as far as it is known. */
export const goneHooks = hooksBefore

/** Whoever can delete a guard could also edit it: neither goes unnoticed. What was a module needs nobody's leave to be executed. */
const isUnstarted = (state: string, { unstarted }: Level, { digest, file }: Before): boolean => {
  const kept = digest === undefined ? undefined : readKept(state, digest)
  const wasModule = kept !== undefined && !Object.keys(kept.contents).some(isHead)
  return !wasModule && unstarted.some((one) => one.file === file)
}

/** Of those what something else took the place of runs on as it was trusted: nobody deleted it. */
const decideGone = (deciding: Deciding, level: Level, heeded: Config): readonly Outcome[] => {
  const { project = level.directory, state, store } = deciding
  const named = (file: string): string => relative(project, file).split(sep).join("/")
  const refused = new Map(level.refused.map(({ file, reason }) => [file, reason]))
  const gone = hooksBefore(state, store, level).flatMap((before): readonly Outcome[] => {
    const { digest, file } = before
    const unstarted = isUnstarted(state, level, before)
    const reason = digest === undefined || unstarted ? undefined : obstructedBy(level, file)
    const place = placeOf(level.directory, file)
    const found =
      reason === undefined ? {} : lastUnit(deciding, { file, level, owner: "project", place }, heeded)
    if (found.unit !== undefined) {
      refused.delete(file)
      return [{ ...found, held: { file: named(file), reason: reason as string }, problems: [] }]
    }
    if (refused.has(file)) return []
    return [{ withheld: { file: named(file), ...(unstarted ? whyUnstarted : whyGone) }, problems: [] }]
  })
  // Where all that a refused folder held runs on, nothing is left out for it.
  const folders = new Set([folderOf(level.directory), join(folderOf(level.directory), "hooks")])
  const isAllHeld = gone.length > 0 && gone.every(({ held }) => held !== undefined)
  const left = [...refused].filter(([file]) => !folders.has(file) || !isAllHeld)
  return [
    ...left.map(([file, reason]) => ({ withheld: { file: named(file), reason }, problems: [] })),
    ...gone
  ]
}

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

/** A project's file. What a policy brings into every project anyway is not brought twice. */
const decideOfProject = Effect.fn("build.decideOfProject")(function* (
  deciding: Deciding,
  policies: Policies,
  inspected: Inspected,
  level: Level,
  config: DecidedConfig
) {
  const { project = level.directory, store } = deciding
  const { file, locals } = inspected
  const signed = signedBy(store, policies, codeDigest(level.directory, file, locals))
  if (signed === undefined) return yield* decideFile(deciding, inspected, level, config)
  if (signed.policy.everywhere) return { problems: [] } satisfies Outcome
  const outcome: Outcome = yield* decideFile(
    { ...deciding, store: withTrusted(store, [signed.trusted]) },
    inspected,
    level,
    { current: signed.settings, heeded: signed.settings, revoked: false }
  )
  const path = relative(project, file).split(sep).join("/")
  const origin = `${labelOf(signed.policy)}: ${path}`
  return outcome.unit === undefined
    ? outcome
    : {
        ...outcome,
        unit: { ...outcome.unit, hooks: outcome.unit.hooks.map((hook) => ({ ...hook, origin })) }
      }
})

export const decide = Effect.fn("build.decide")(function* (
  deciding: Deciding,
  { levels, policies: carried, userConfig, users }: Gathered
) {
  const policies = policiesOf(deciding.state, carried)
  const ofPolicies = unitsOf(deciding.state, deciding.store, policies)
  const ofUserConfig: DecidedConfig = { current: userConfig, heeded: userConfig, revoked: false }
  const ofUser = yield* Effect.forEach(users, (one) => decideFile(deciding, one, undefined, ofUserConfig), {
    concurrency: 3
  })
  const ofLevels = yield* Effect.forEach(levels, (level) =>
    Effect.gen(function* () {
      const config = decideConfig(deciding, level)
      const files = yield* Effect.forEach(
        level.inspected,
        (one) => decideOfProject(deciding, policies, one, level, config),
        { concurrency: 3 }
      )
      return { level, config, files: [...files, ...decideGone(deciding, level, config.heeded)] }
    })
  )
  const outcomes: readonly Outcome[] = [...ofUser, ...ofLevels.flatMap(({ files }) => files)]
  const decided: Decided = {
    // After the user's own: of the same name, the policy's counts.
    units: [
      ...ofUser.flatMap(({ unit }) => unit ?? []),
      ...ofPolicies.units,
      ...ofLevels.flatMap(({ files }) => files.flatMap(({ unit }: Outcome) => unit ?? []))
    ],
    withheld: [
      ...policies.withheld,
      ...ofPolicies.withheld,
      ...ofLevels.flatMap(({ config, files }) => [
        ...files.flatMap(({ withheld }: Outcome) => withheld ?? []),
        ...(config.withheld === undefined ? [] : [config.withheld])
      ])
    ],
    held: [
      ...policies.held,
      ...outcomes.flatMap(({ held }) => held ?? []),
      ...ofLevels.flatMap(({ config }) => config.held ?? [])
    ],
    problems: [
      ...outcomes.flatMap(({ problems }) => problems),
      ...ofLevels.flatMap(({ config }) => config.problems)
    ],
    userConfig: policies.settings.length === 0 ? userConfig : mergeLevels([userConfig, ...policies.settings]),
    projectConfig: mergeLevels(ofLevels.map(({ config }) => config.heeded)),
    configs: ofLevels.map(({ config, level }) => ({ level, config: config.heeded })),
    adopted: [
      ...outcomes.flatMap(({ adopted }) => adopted ?? []),
      ...ofLevels.flatMap(({ config }) => config.adopted ?? [])
    ]
  }
  return decided
})
