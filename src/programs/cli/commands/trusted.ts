/** `hooktape trust list|revoke`: what was trusted, and taking it back. */
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { count } from "../../../features/timeline/words.ts"
import { levelsOf } from "../../../state/levels.ts"
import { folderOf } from "../../../state/manifest.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { printable } from "../../../state/terminalText.ts"
import { changeTrust } from "../../../tools/build/addTrusted.ts"
import { buildHooks } from "../../../tools/build/build.ts"
import { readManifest } from "../../../tools/build/output.ts"
import { configDigest } from "../../../trust/digest.ts"
import { placeOf, readLast } from "../../../trust/place.ts"
import { isNewerTrust, newerTrust, readTrust, type Trusted, withRevoked } from "../../../trust/store.ts"
import { asked } from "../asked.ts"
import { askedDefaults } from "../askedDefaults.ts"
import { CliError } from "../CliError.ts"
import { findPlaces } from "../places.ts"
import { contentOf } from "../prepare.ts"
import { minuteOf } from "../render/minuteOf.ts"
import { table } from "../render/table.ts"
import { Screen } from "../Screen.ts"
import { noteDown } from "./build.ts"

/** Fewer characters name whatever happens to begin so. */
const leastPrefix = 6

/** The one digest that begins so. */
export const digestBy = (what: string, prefix: string, known: readonly string[]) => {
  const found = known.filter((digest) => digest.startsWith(prefix))
  const [only] = found
  if (prefix.length >= leastPrefix && found.length === 1 && only !== undefined) return Effect.succeed(only)
  return new CliError({
    what,
    reason:
      prefix.length < leastPrefix
        ? `"${prefix}" is too short: a digest is named by at least ${leastPrefix} characters`
        : found.length === 0
          ? `no digest begins with "${prefix}"`
          : `${found.length} digests begin with "${prefix}"`,
    remedy: '"hooktape trust list" has them.'
  })
}

const sorted = (trusted: readonly Trusted[]): readonly Trusted[] =>
  [...trusted].sort(
    (a, b) => a.project.localeCompare(b.project) || a.file.localeCompare(b.file) || a.at - b.at
  )

export const list = Effect.fn("cli.trust.list")(function* ({ json }: { readonly json: boolean }) {
  const { note, out, style, width } = yield* Screen
  const { state } = findPlaces(undefined)
  if (isNewerTrust(state))
    return yield* new CliError({
      what: "trust list",
      reason: newerTrust,
      remedy: "What it holds is in force there, and stays as it is."
    })
  const store = readTrust(state)
  const built = builtProjects(state)
  const trusted = sorted(Object.values(store.trusted)).map(({ code: _, ...one }) => ({
    ...one,
    // What formatters may load is in no build.
    inUse: one.kind === "formatter" ? null : projectsWith(state, one, built).length > 0
  }))
  const revoked = Object.values(store.revoked).map(({ at, digest, file, names }) => ({
    digest,
    names,
    file,
    at
  }))
  if (json) return yield* out(`${JSON.stringify({ trusted, revoked }, null, 2)}\n`)
  if (trusted.length + revoked.length === 0) return yield* note("Nothing was trusted yet.\n")
  const rows = [
    ...trusted.map(({ at, digest, file, inUse, names, project }) => ({
      at,
      digest,
      file,
      names,
      state: inUse === true ? "in use" : "",
      where: project
    })),
    ...revoked.map(({ at, digest, file, names }) => ({
      at,
      digest,
      file,
      names,
      state: "revoked",
      where: ""
    }))
  ].map(({ at, digest, file, names, state, where }) => [
    digest.slice(0, 12),
    minuteOf(new Date(at)),
    state,
    // Together they are wider than a terminal: only what stands last goes on below itself.
    [file, names.join(", "), where]
      .filter((text) => text !== "")
      .map(printable)
      .join(" · ")
  ])
  yield* out(
    table(
      [{ title: "digest" }, { title: "since" }, { title: "" }, { title: "file, hooks, first seen in" }],
      rows,
      {
        style,
        width
      }
    )
  )
})

interface Holder {
  readonly file: string
  readonly project: string
}

/** Whether a configuration of this content is in force in a project, or would be if somebody said so. */
const hasConfig = (state: string, project: string, digest: string): boolean =>
  levelsOf(project).some((directory) => {
    const file = join(folderOf(directory), "config.json")
    const text = contentOf(file)?.toString("utf8")
    return (
      (text !== undefined && configDigest(text) === digest) ||
      readLast(state, placeOf(directory, file))?.digest === digest
    )
  })

interface Built extends Holder {
  readonly contents: readonly string[] | undefined
}

const builtProjects = (state: string): readonly Built[] => {
  const folder = join(state, "projects")
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      const file = join(folder, name)
      const manifest = readManifest(file)
      if (manifest === undefined || manifest.project === null) return []
      return [{ file, project: manifest.project, contents: manifest.contents }]
    })
}

/** The projects whose builds hold a content. */
const projectsWith = (
  state: string,
  { digest, kind }: Pick<Trusted, "digest" | "kind">,
  built = builtProjects(state)
): readonly Holder[] =>
  built.filter(({ contents, project }) =>
    // A build of before contents were told of may hold it.
    kind === "config" ? hasConfig(state, project, digest) : contents?.includes(digest) !== false
  )

/** What `init` writes is the same everywhere: whoever means one project takes it from all of them. */
const consent = Effect.fn("cli.trust.revoke.consent")(function* (
  { file, kind }: Trusted,
  builds: readonly Holder[],
  yes: boolean
) {
  const repositories = new Map(builds.map(({ project }) => [placeOf(project, project).repository, project]))
  if (yes || kind !== "config" || repositories.size < 2) return true
  const { note } = yield* Screen
  const shared = `${count(repositories.size, "project")} have this content: ${[...repositories.values()].sort().join(", ")}`
  yield* note(`${printable(`${file}: ${shared}`)}\n`)
  const answer = yield* asked("Revoke it in all of them? [y/N] ")
  if (answer !== undefined) return /^y(es)?$/i.test(answer.trim())
  return yield* new CliError({
    what: "trust revoke",
    reason: "nothing was revoked: other projects have the same content, and there is no terminal to ask on",
    remedy:
      'To revoke it in all of them, add "--yes". To change one project, edit its file and run "hooktape trust".'
  })
})

export interface RevokeOptions {
  readonly digest: string
  readonly yes: boolean
}

export const revoke = Effect.fn("cli.trust.revoke")(function* (options: RevokeOptions) {
  const { note, out, style } = yield* Screen
  const { state, userFolder } = findPlaces(undefined)
  const { trusted } = readTrust(state)
  const digest = yield* digestBy("trust revoke", options.digest, Object.keys(trusted))
  const entry = trusted[digest] as Trusted
  const { file, project } = entry
  const builds = projectsWith(state, entry)
  if (!(yield* consent(entry, builds, options.yes))) {
    yield* note("Nothing was revoked.\n")
    return 1
  }
  const at = yield* Clock.currentTimeMillis
  yield* Effect.try({
    try: () => changeTrust(state, (store) => withRevoked(store, digest, at)),
    catch: (cause) =>
      new CliError({
        what: "trust revoke",
        reason: messageOf(cause),
        remedy: "Try again in a moment.",
        cause
      })
  })
  yield* noteDown(state, { type: "TRUST_REVOKED", project, digest, file })
  for (const build of builds) {
    const wanted = yield* askedDefaults({ state, project: build.project })
    const defaults = wanted === undefined ? {} : { defaults: wanted }
    const again = buildHooks({ state, userFolder, project: build.project, ...defaults })
    // What cannot be built anew must not run on.
    yield* Effect.catchAll(again, () => Effect.sync(() => rmSync(build.file, { force: true })))
  }
  yield* out(
    `${style.good("✔")} ${printable(file)} (${digest.slice(0, 12)}) is trusted no more, from the next call on.\n`
  )
  yield* note(`${style.strong(`hooktape trust --again ${digest.slice(0, 12)}`)} takes that back.\n`)
  return 0
})
