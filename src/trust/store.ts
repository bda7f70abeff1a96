/** What the user has said yes to, by digest of content, until it is revoked: whichever checkout has that content is trusted. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { writeWhole } from "../state/files.ts"
import { isNewerFile, ofNewer } from "../state/newerFile.ts"
import type { Contents } from "./digest.ts"

export interface Trusted {
  readonly digest: string
  /** `formatter`: a configuration that is code, with what it loads of the repository. */
  readonly kind: "hook" | "config" | "formatter"
  /** Of a hook: the digest of its code, by which the names in it are known before it is run. */
  readonly code?: string
  readonly names: readonly string[]
  /** Where somebody said so. */
  readonly project: string
  readonly file: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface Revoked {
  readonly digest: string
  readonly code?: string
  readonly names: readonly string[]
  readonly file: string
  readonly at: number
}

/** As it was kept before: by path, the last content of each file. */
export interface TrustedBefore {
  readonly config: string | null
  readonly files: Contents
}

export interface TrustStore {
  readonly version: 2
  readonly trusted: Readonly<Record<string, Trusted>>
  readonly revoked: Readonly<Record<string, Revoked>>
  /** Projects that were trusted before, until a build has made digests of them. */
  readonly before: Readonly<Record<string, TrustedBefore>>
}

const nothing: TrustStore = { version: 2, trusted: {}, revoked: {}, before: {} }

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isBefore = (value: unknown): boolean =>
  isRecord(value) &&
  (value["config"] === null || typeof value["config"] === "string") &&
  isRecord(value["files"]) &&
  Object.values(value["files"]).every((hash) => typeof hash === "string")

const isTrusted = (value: unknown): boolean =>
  isRecord(value) &&
  ["digest", "kind", "project", "file"].every((key) => typeof value[key] === "string") &&
  typeof value["at"] === "number" &&
  Array.isArray(value["names"]) &&
  value["names"].every((name) => typeof name === "string")

const isRevoked = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value["digest"] === "string" &&
  typeof value["at"] === "number" &&
  Array.isArray(value["names"])

const only = <A>(value: unknown, isOne: (one: unknown) => boolean): Readonly<Record<string, A>> =>
  isRecord(value)
    ? (Object.fromEntries(Object.entries(value).filter(([, one]) => isOne(one))) as Record<string, A>)
    : {}

/** A store of version 1 in today's shape; undefined where it is none. */
export const trustOfBefore = (read: unknown): TrustStore | undefined =>
  isRecord(read) && read["version"] === 1
    ? { ...nothing, before: only<TrustedBefore>(read["projects"], isBefore) }
    : undefined

export const trustFile = (state: string): string => join(state, "trust.json")

/** An unreadable record trusts nothing. */
export const readTrust = (state: string): TrustStore => {
  try {
    const read: unknown = JSON.parse(readFileSync(trustFile(state), "utf8"))
    if (isRecord(read) && read["version"] === 2) {
      return {
        version: 2,
        trusted: only<Trusted>(read["trusted"], isTrusted),
        revoked: only<Revoked>(read["revoked"], isRevoked),
        before: only<TrustedBefore>(read["before"], isBefore)
      }
    }
    return trustOfBefore(read) ?? nothing
  } catch {
    // There is none yet, or it is damaged: trusting again writes a new one.
    return nothing
  }
}

/** Of a version that this one cannot read: nothing of it is in force here, and it is not this one's to write. */
export const isNewerTrust = (state: string): boolean => isNewerFile(trustFile(state), 2)

export const newerTrust = ofNewer("trust.json")

export const isInForce = ({ revoked, trusted }: TrustStore, digest: string): boolean =>
  Object.hasOwn(trusted, digest) && !Object.hasOwn(revoked, digest)

export const withTrusted = (store: TrustStore, added: readonly Trusted[]): TrustStore => ({
  ...store,
  trusted: {
    ...store.trusted,
    ...Object.fromEntries(
      added
        // When somebody first said so is what counts.
        .filter(({ digest }) => !Object.hasOwn(store.trusted, digest))
        .map((one) => [one.digest, one])
    )
  }
})

export const withRevoked = (store: TrustStore, digest: string, at: number): TrustStore => {
  const { [digest]: gone, ...trusted } = store.trusted
  const revoked: Revoked = {
    digest,
    names: gone?.names ?? [],
    file: gone?.file ?? "",
    at,
    ...(gone?.code === undefined ? {} : { code: gone.code })
  }
  return { ...store, trusted, revoked: { ...store.revoked, [digest]: revoked } }
}

/** Said yes to by name, after it was revoked. */
export const withoutRevoked = (store: TrustStore, digests: readonly string[]): TrustStore => ({
  ...store,
  revoked: Object.fromEntries(Object.entries(store.revoked).filter(([digest]) => !digests.includes(digest)))
})

export const writeTrust = (state: string, store: TrustStore): void =>
  writeWhole(trustFile(state), `${JSON.stringify(store, null, 2)}\n`)

/** Why what was trusted by path before is not as it was then, or nothing. */
export const changedSince = (
  trusted: TrustedBefore | undefined,
  config: string | null,
  contents: Contents,
  /** The file asked about: it needs no naming. */
  own: string
): string | undefined => {
  if (trusted === undefined) return "not trusted"
  if (trusted.config !== config) return "the configuration changed since you trusted it"
  return changedFile(trusted.files, contents, own)
}

/** Which of the files differs, in words. */
export const changedFile = (before: Contents, contents: Contents, own: string): string | undefined => {
  for (const [file, hash] of Object.entries(contents)) {
    if (!Object.hasOwn(before, file))
      return file === own ? "not trusted" : `comes with ${file}, which is not trusted`
    if (before[file] !== hash)
      return file === own ? "changed since you trusted it" : `${file} changed since you trusted it`
  }
  return undefined
}
