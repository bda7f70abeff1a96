/** `hooktape trust`: what of a project's hooks and settings nobody has said yes to yet, and saying it. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join, relative, sep } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Problem } from "../../hooks/Problem.ts"
import { realPath } from "../../runtime/builds/discover.ts"
import { parseConfig } from "../../state/config.ts"
import type { Config } from "../../state/configShape.ts"
import { levelsOf } from "../../state/levels.ts"
import { folderOf } from "../../state/manifest.ts"
import { messageOf } from "../../state/messageOf.ts"
import {
  codeDigest,
  concerning,
  configDigest,
  contentsOf,
  hashOf,
  hookDigest,
  portable
} from "../../trust/digest.ts"
import { isKept, isNewerKept, type Kept, readKept, writeKept } from "../../trust/kept.ts"
import { allLast, forgetLast, placeOf, readLast, writeLast } from "../../trust/place.ts"
import {
  isInForce,
  readTrust,
  type Trusted,
  type TrustStore,
  withoutRevoked,
  withTrusted
} from "../../trust/store.ts"
import { forgetUnloadable, writeUnloadable } from "../../trust/unloadable.ts"
import { unifiedDiff } from "../install/diff.ts"
import { changeTrust } from "./addTrusted.ts"
import { BuildError } from "./BuildError.ts"
import { type Core, findCore } from "./core.ts"
import { goneHooks } from "./decide.ts"
import { loadHooks, revokedContent, trustedContent } from "./decideFile.ts"
import { loadTimeoutMs } from "./evaluate.ts"
import { definitionOf, isHead } from "./externalModule.ts"
import { type Level, readLevel } from "./gather.ts"
import type { Inspected } from "./inspect.ts"
import { keep } from "./keep.ts"
import type { Watching } from "./Watching.ts"

export interface TrustOptions {
  readonly state: string
  readonly project: string
  readonly core?: Core
  readonly watching?: Watching | undefined
  /** Digests that were revoked and are trusted again: said by name. */
  readonly again?: readonly string[]
  /** Only these of what was reviewed, as seen from the project; the rest stays as it is, and so does what is gone. */
  readonly only?: readonly string[]
}

export type Change = "new" | "changed" | "same" | "revoked"

export interface TrustedFile {
  /** As seen from the project. */
  readonly file: string
  readonly hash: string
  /** Against what was trusted before. */
  readonly change: Exclude<Change, "revoked">
}

/** A hook file with all it imports, or a configuration. */
export interface Reviewed {
  readonly level: Level
  readonly inspected: Inspected | undefined
  readonly file: string
  readonly change: Change
  /** Of an external hook: what it runs. */
  readonly command?: string
  /** Of what was trusted last; empty for what is new or the same. */
  readonly diff: string
  readonly files: readonly TrustedFile[]
}

/** What was trusted and is not there any more. */
export interface Gone {
  /** As seen from the project. */
  readonly file: string
  /** The events that its guards stood at. */
  readonly guarded: readonly string[]
  readonly events: readonly string[]
}

export interface Review {
  readonly project: string
  readonly items: readonly Reviewed[]
  readonly gone: readonly Gone[]
  /** What is not to be had: the rest can be trusted all the same. */
  readonly problems: readonly Problem[]
  readonly again: readonly string[]
}

/** What was trusted, and the digest by which it is revoked. */
export interface TrustedItem {
  readonly file: string
  readonly digest: string
  readonly change: TrustedFile["change"]
  readonly files: readonly TrustedFile[]
}

export interface TrustResult {
  readonly project: string
  readonly items: readonly TrustedItem[]
  readonly files: readonly TrustedFile[]
  readonly digests: readonly string[]
  /** What was revoked before, and stays so. */
  readonly revoked: readonly string[]
  readonly problems: readonly Problem[]
}

const slashed = (from: string, file: string): string => relative(from, file).split(sep).join("/")

const configOf = ({ configFile, configText }: Level): Config =>
  configText === null ? {} : Either.getOrElse(parseConfig(configFile, configText), (): Config => ({}))

const changeOf = (before: string | undefined | null, now: string): TrustedFile["change"] =>
  before === undefined || before === null ? "new" : before === now ? "same" : "changed"

/** Of what somebody wrote, line by line; of packages, which of them changed. */
const differences = (
  last: Kept | undefined,
  base: string,
  texts: Iterable<readonly [string, string]>,
  project: string
): string => {
  if (last === undefined) return ""
  const now = new Map([...texts].map(([file, text]) => [portable(base, file), { file, text }]))
  const names = [...new Set([...Object.keys(last.texts), ...now.keys()])]
  const own = names
    .filter((name) => !name.includes("node_modules/") && !isHead(name))
    .map((name) => unifiedDiff(slashed(project, join(base, name)), last.texts[name], now.get(name)?.text))
  const packaged = [...new Set([...Object.keys(last.contents), ...now.keys()])].filter(
    (name) => name.includes("node_modules/") && last.contents[name] !== hashed(now.get(name)?.text)
  )
  return [...own, ...packaged.map((name) => `${name} changed\n`)].join("")
}

const hashed = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : hashOf(text)

const goneOf = (state: string, store: TrustStore, level: Level, project: string): readonly Gone[] => {
  const { configFile, configText, directory } = level
  const hooks = goneHooks(state, store, level).map(({ digest, file }): Gone => {
    const kept = digest === undefined ? undefined : readKept(state, digest)
    const of = kept?.hooks ?? []
    const guards = of.filter(
      ({ fields, hook }) => (kept?.settings.hooks?.[hook]?.onFailure ?? fields["onFailure"]) === "block"
    )
    const eventsOf = (some: Kept["hooks"]) => [...new Set(some.flatMap(({ on }) => on))]
    return { file: slashed(project, file), guarded: eventsOf(guards), events: eventsOf(of) }
  })
  const last = configText === null ? readLast(state, placeOf(directory, configFile)) : undefined
  return last !== undefined && isInForce(store, last.digest)
    ? [...hooks, { file: slashed(project, configFile), guarded: [], events: [] }]
    : hooks
}

export const reviewProject = Effect.fn("trust.review")(function* (options: TrustOptions) {
  const core = options.core ?? findCore()
  const { again = [], state } = options
  const project = realPath(options.project) ?? options.project
  const store = withoutRevoked(readTrust(state), again)
  const levels = yield* Effect.forEach(levelsOf(project), (directory) =>
    Effect.map(
      readLevel({ core, scratch: state, watching: options.watching }, directory),
      ({ level }) => level
    )
  )
  const gone = levels.flatMap((level) => goneOf(state, store, level, project))
  // What is in the place of a trusted one can be let go, which corrects it.
  const goneFiles = new Set(gone.map(({ file }) => file))
  const problems: Problem[] = levels.flatMap(({ refused }) =>
    refused.filter(({ file }) => !goneFiles.has(slashed(project, file)))
  )
  const items = levels.flatMap((level): readonly Reviewed[] => {
    const { configFile, configText, directory, inspected } = level
    const config = configOf(level)
    const before = store.before[directory]
    const hooks = inspected.flatMap((one): readonly Reviewed[] => {
      if (Either.isLeft(one.script)) {
        problems.push(...one.script.left.problems)
        return []
      }
      const code = codeDigest(directory, one.file, one.locals)
      const last = readLast(state, placeOf(directory, one.file))
      const kept = last === undefined ? undefined : readKept(state, last.digest)
      const contents = contentsOf(directory, one.locals)
      const was = kept?.contents ?? before?.files ?? {}
      const command = one.external && definitionOf(realPath(one.file) ?? one.file, one.locals)?.run
      const named = [...one.locals].filter(([path]) => !isHead(path))
      const files = named.map(([path]): TrustedFile => {
        const name = portable(directory, path)
        const hash = contents[name] ?? ""
        return { file: slashed(project, join(directory, name)), hash, change: changeOf(was[name], hash) }
      })
      const same = trustedContent(store, code, config) !== undefined
      const change: Change = same
        ? "same"
        : revokedContent(store, code, config)
          ? "revoked"
          : kept === undefined && was[portable(directory, one.file)] === undefined
            ? "new"
            : files.every((file) => file.change === "same") &&
                kept === undefined &&
                before?.config === hashed(configText ?? undefined)
              ? "same"
              : "changed"
      return [
        {
          level,
          inspected: one,
          file: slashed(project, one.file),
          change,
          diff: same ? "" : differences(kept, directory, named, project),
          ...(command === undefined ? {} : { command }),
          files: same ? files.map((file) => ({ ...file, change: "same" as const })) : files
        }
      ]
    })
    if (configText === null) return hooks
    const parsed = parseConfig(configFile, configText)
    if (Either.isLeft(parsed)) {
      problems.push(...parsed.left)
      return hooks
    }
    const digest = configDigest(configText)
    const last = readLast(state, placeOf(directory, configFile))
    const kept = last === undefined ? undefined : readKept(state, last.digest)
    const name = portable(directory, configFile)
    const same = Object.hasOwn(store.trusted, digest)
    const hash = hashOf(configText)
    const plain = same ? "same" : changeOf(kept?.contents[name] ?? before?.config, hash)
    const file = slashed(project, configFile)
    return [
      ...hooks,
      {
        level,
        inspected: undefined,
        file,
        change: Object.hasOwn(store.revoked, digest) ? "revoked" : plain,
        diff: same ? "" : differences(kept, directory, [[configFile, configText]], project),
        files: [{ file, hash, change: plain }]
      }
    ]
  })
  const review: Review = { project, items, gone, problems, again }
  return review
})

/** What is gone is no longer missed: somebody has looked at what is there. */
const forgetGone = (state: string, review: Review, levels: readonly string[]): void => {
  const there = new Set([
    ...review.items.map(({ inspected, level }) => inspected?.file ?? level.configFile),
    ...review.problems.map(({ file }) => file)
  ])
  for (const directory of levels) {
    const folder = join(folderOf(directory), "hooks")
    const prefix = placeOf(directory, join(folder, "x")).path.slice(0, -1)
    for (const last of allLast(state, placeOf(directory, folder))) {
      const name = last.path.startsWith(prefix) ? last.path.slice(prefix.length) : "/"
      if (!name.includes("/") && !there.has(join(folder, name))) forgetLast(state, last)
    }
    const config = join(folderOf(directory), "config.json")
    if (!there.has(config)) forgetLast(state, placeOf(directory, config))
  }
}

/** Running it is the consent. What cannot be loaded is not trusted, and keeps nothing else from being so. */
export const trustReviewed = Effect.fn("trust.accept")(function* (options: TrustOptions, review: Review) {
  const core = options.core ?? findCore()
  const { only, state, watching } = options
  const at = yield* Clock.currentTimeMillis
  const scratch = yield* Effect.acquireRelease(
    Effect.sync(() => {
      mkdirSync(state, { recursive: true, mode: 0o700 })
      return mkdtempSync(join(state, ".trust-"))
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const store = withoutRevoked(readTrust(state), review.again)
  const accepted = review.items.filter(
    ({ change, file }) => change !== "revoked" && (only === undefined || only.includes(file))
  )
  const results = yield* Effect.forEach(
    accepted,
    ({ inspected, level }) =>
      Effect.gen(function* () {
        const { configFile, configText, directory } = level
        const common = { project: directory, at }
        if (inspected === undefined) {
          const digest = configDigest(configText ?? "")
          const file = portable(directory, configFile)
          const text = configText ?? ""
          if (!isNewerKept(state, digest))
            writeKept(state, {
              digest,
              kind: "config",
              owner: "project",
              file,
              contents: { [file]: hashOf(text) },
              texts: { [file]: text },
              settings: {},
              hooks: []
            })
          writeLast(state, placeOf(directory, configFile), digest)
          const trusted: Trusted = { ...common, digest, kind: "config", names: [], file }
          return { trusted, problems: [], of: configFile }
        }
        const config = configOf(level)
        const code = codeDigest(directory, inspected.file, inspected.locals)
        const known = trustedContent(store, code, config)
        const file = portable(directory, inspected.file)
        if (known !== undefined && isKept(state, known.digest)) {
          writeLast(state, placeOf(directory, inspected.file), known.digest)
          return { trusted: { ...known, ...common, file }, problems: [], of: inspected.file }
        }
        const loading = { code, scratch, timeoutMs: loadTimeoutMs, watching }
        const { hooks, problems } = yield* loadHooks(inspected, loading)
        const [problem] = problems
        if (problem !== undefined) {
          writeUnloadable(state, code, core.version, problem)
          return { problems, failed: inspected.file }
        }
        forgetUnloadable(state, code)
        const names = known?.names ?? hooks.map(({ hook }) => hook)
        const settings = concerning(config, names)
        const digest = hookDigest(code, settings)
        yield* keep({ core, state, digest, base: directory, inspected, hooks, settings })
        writeLast(state, placeOf(directory, inspected.file), digest)
        const trusted: Trusted = { ...common, digest, kind: "hook", code, names, file }
        return { trusted, problems: [], of: inspected.file }
      }),
    { concurrency: 3 }
  )
  const trusted = results.flatMap((one) => one.trusted ?? [])
  const failed = new Set(results.flatMap((one) => one.failed ?? []))
  const levels = levelsOf(review.project)
  yield* Effect.try({
    try: () => {
      changeTrust(state, (now) => {
        const { before } = now
        const left = Object.fromEntries(Object.entries(before).filter(([path]) => !levels.includes(path)))
        return withTrusted(withoutRevoked({ ...now, before: left }, review.again), trusted)
      })
      if (only === undefined) forgetGone(state, review, levels)
    },
    catch: (cause) =>
      new BuildError({
        op: "write",
        problems: [{ file: join(state, "trust.json"), reason: `cannot be written: ${messageOf(cause)}` }]
      })
  })
  const digestOf = new Map(results.map(({ of, trusted }) => [of, trusted?.digest]))
  const files = accepted
    .filter(({ inspected }) => inspected === undefined || !failed.has(inspected.file))
    .flatMap((one) => one.files)
  const result: TrustResult = {
    project: review.project,
    items: accepted.flatMap(({ change, file, files: own, inspected, level }) => {
      const digest = digestOf.get(inspected?.file ?? level.configFile)
      return digest === undefined || change === "revoked" ? [] : [{ file, digest, change, files: own }]
    }),
    // A helper of two hooks is one file.
    files: [...new Map(files.map((one) => [one.file, one])).values()],
    digests: trusted.map(({ digest }) => digest),
    revoked: review.items.filter(({ change }) => change === "revoked").map(({ file }) => file),
    problems: [...review.problems, ...results.flatMap(({ problems }) => problems)]
  }
  return result
}, Effect.scoped)

/** Of everything that is there, asked or not. */
export const trustProject = Effect.fn("trust")(function* (options: TrustOptions) {
  return yield* trustReviewed(options, yield* reviewProject(options))
})
