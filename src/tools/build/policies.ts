/** What signed policies bring into a build: hooks that run everywhere, and leave for those that a project has. */
import { isAbsolute, join } from "node:path"
import type { Config } from "../../state/configShape.ts"
import type { WithheldFile } from "../../state/manifest.ts"
import { hashOf } from "../../trust/digest.ts"
import { isKept, type Kept, readKept, writeKept } from "../../trust/kept.ts"
import { type Accepted, acceptPolicy, type Carried } from "../../trust/policies/accept.ts"
import { labelOf } from "../../trust/policies/label.ts"
import type { Policy, PolicyHook } from "../../trust/policies/Policy.ts"
import type { Trusted, TrustStore } from "../../trust/store.ts"
import { keptUnit, type Unit } from "./decideFile.ts"
import { whyRevoked } from "./withheld.ts"

/** Beside the configuration that names it, unless it says where. */
export const placeOfPolicy = (userFolder: string, file: string): string =>
  isAbsolute(file) ? file : join(userFolder, file)

export interface Policies {
  readonly accepted: readonly Policy[]
  /** Files that do not say what counts: what was accepted before does, or nothing. */
  readonly held: readonly WithheldFile[]
  readonly withheld: readonly WithheldFile[]
  /** Over the user's own, the later over the earlier. */
  readonly settings: readonly Config[]
}

const doubtful = ({ carried, policy, reason }: Accepted): WithheldFile => ({
  file: carried.file,
  reason: `the policy ${reason}${policy === undefined ? "" : `; ${policy.version} counts`}`,
  kind: "policy"
})

export const policiesOf = (state: string, carried: readonly Carried[]): Policies => {
  const all = carried.map((one) => acceptPolicy(state, one))
  const accepted = all.flatMap(({ policy }) => policy ?? [])
  const inDoubt = all.filter(({ reason }) => reason !== undefined)
  return {
    accepted,
    held: inDoubt.filter(({ policy }) => policy !== undefined).map(doubtful),
    withheld: inDoubt.filter(({ policy }) => policy === undefined).map(doubtful),
    settings: accepted.filter(({ everywhere }) => everywhere).map(({ settings }) => settings)
  }
}

const isRevoked = ({ revoked }: TrustStore, { code, kept }: PolicyHook): boolean =>
  Object.hasOwn(revoked, kept.digest) || Object.values(revoked).some((one) => one.code === code)

/** The user's, so that no project replaces it or changes its settings; and kept apart from what the user trusted in a project. */
const asUsers = (kept: Kept): Kept => ({
  ...kept,
  owner: "user",
  digest: hashOf(JSON.stringify(["policy", kept.digest, kept.compiled]))
})

const unitOf = (state: string, policy: Policy, { compiled, kept: signed }: PolicyHook): Unit | undefined => {
  const kept = asUsers(signed)
  if (!isKept(state, kept.digest)) writeKept(state, kept, compiled)
  const there = readKept(state, kept.digest)
  return there && keptUnit(state, there, `${labelOf(policy)}: ${kept.file}`, undefined, policy.made)
}

/** The hooks of policies that run in every project. */
export const unitsOf = (
  state: string,
  store: TrustStore,
  { accepted }: Policies
): { readonly units: readonly Unit[]; readonly withheld: readonly WithheldFile[] } => {
  const all = accepted
    .filter(({ everywhere }) => everywhere)
    .flatMap((policy) => policy.hooks.map((hook) => ({ policy, hook })))
  return {
    units: all
      .filter(({ hook }) => !isRevoked(store, hook))
      .flatMap(({ hook, policy }) => unitOf(state, policy, hook) ?? []),
    withheld: all
      .filter(({ hook }) => isRevoked(store, hook))
      .map(({ hook, policy }) => ({ file: `${labelOf(policy)}: ${hook.kept.file}`, ...whyRevoked }))
  }
}

export interface Signed {
  readonly policy: Policy
  readonly trusted: Trusted
  /** What it was signed with: a project's own say nothing of it. */
  readonly settings: Config
}

/** The policy that a project's file with this code is of. */
export const signedBy = (store: TrustStore, { accepted }: Policies, code: string): Signed | undefined => {
  for (const policy of accepted) {
    const hook = policy.hooks.find((one) => one.code === code)
    if (hook === undefined || isRevoked(store, hook)) continue
    const { digest, file, hooks, settings } = hook.kept
    return {
      policy,
      settings,
      trusted: {
        digest,
        kind: "hook",
        code,
        names: hooks.map((one) => one.hook),
        project: labelOf(policy),
        file,
        at: policy.made
      }
    }
  }
  return undefined
}
