/** Which version of a configuration file counts: as it is where that was consented to, else as it last was when it was. */
import { relative, sep } from "node:path"
import * as Either from "effect/Either"
import type { Problem } from "../../hooks/Problem.ts"
import { parseConfig } from "../../state/config.ts"
import type { Config } from "../../state/configShape.ts"
import type { WithheldFile } from "../../state/manifest.ts"
import { configDigest, hashOf, portable } from "../../trust/digest.ts"
import { isKept, isNewerKept, readKept, refuseNewerKept, writeKept } from "../../trust/kept.ts"
import {
  type LastTrusted,
  type Place,
  placeOf,
  readLast,
  refuseNewerLast,
  writeLast
} from "../../trust/place.ts"
import { isInForce, type Trusted, type TrustStore } from "../../trust/store.ts"
import type { Core } from "./core.ts"
import type { Level } from "./gather.ts"
import type { Watching } from "./Watching.ts"
import { type Why, whyGone, whyRevoked } from "./withheld.ts"

/** What is asked by whoever decides. */
export interface Deciding {
  readonly core: Core
  readonly state: string
  readonly userFolder: string
  readonly project: string | undefined
  readonly scratch: string
  readonly timeoutMs: number
  readonly store: TrustStore
  readonly now: number
  readonly watching?: Watching | undefined
}

export const wasRevoked = (store: TrustStore, digest: string | undefined): boolean =>
  digest !== undefined && Object.hasOwn(store.revoked, digest)

/** What only a newer version can read of what was in force last is not left out: without a new build, the one before goes on. */
export const refuseNewerInForce = (
  { state, store }: Pick<Deciding, "state" | "store">,
  place: Place,
  last: LastTrusted | undefined
): void => {
  if (last === undefined) refuseNewerLast(state, place)
  else if (!wasRevoked(store, last.digest)) refuseNewerKept(state, last.digest)
}

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

export interface DecidedConfig {
  /** As it is: a hook is trusted with the settings it has now. */
  readonly current: Config
  /** What it says of more than single hooks. */
  readonly heeded: Config
  /** What was in force was revoked, and nothing was trusted since: hooks whose code is trusted run without its settings. */
  readonly revoked: boolean
}

/** What a level's configuration says, in the version that counts. */
export const decideConfig = (
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
    if (standing === undefined) refuseNewerInForce({ state, store }, place, last)
    const gone = { current: wasLastRevoked ? lastConfig : {}, heeded: lastConfig, revoked: wasLastRevoked }
    return standing === undefined
      ? { ...gone, problems: [] }
      : { ...gone, problems: [], held: { file: named, ...whyGone } }
  }
  const parsed = parseConfig(configFile, configText)
  const digest = configDigest(configText)
  const before = store.before[directory]?.config === hashOf(configText)
  const trusted = isInForce(store, digest) || (before && !wasRevoked(store, digest))
  if (standing === undefined && !(trusted && Either.isRight(parsed)))
    refuseNewerInForce({ state, store }, place, last)
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
    if (!isKept(state, digest) && !isNewerKept(state, digest)) {
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
  const why: Why = isRevoked ? whyRevoked : { reason: known ? "changed since you trusted it" : "not trusted" }
  const revoked = isRevoked || wasLastRevoked
  return {
    current: revoked ? lastConfig : current,
    heeded: lastConfig,
    revoked,
    problems: [],
    ...(standing === undefined ? { withheld: { file: named, ...why } } : { held: { file: named, ...why } })
  }
}
