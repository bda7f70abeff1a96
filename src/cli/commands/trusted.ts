/** `hooktape trust list|revoke`: what was trusted, and taking it back. */
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { changeTrust } from "../../build/addTrusted.ts"
import { buildHooks } from "../../build/build.ts"
import { readManifest } from "../../build/output.ts"
import { readTrust, type Trusted, withRevoked } from "../../trust/store.ts"
import { CliError } from "../CliError.ts"
import { findPlaces } from "../places.ts"
import { printable } from "../render/style.ts"
import { table } from "../render/table.ts"
import { Screen } from "../Screen.ts"
import { noteDown } from "./build.ts"

/** The one digest that begins so. */
export const digestBy = (what: string, prefix: string, known: readonly string[]) => {
  const found = known.filter((digest) => prefix !== "" && digest.startsWith(prefix))
  const [only] = found
  return found.length === 1 && only !== undefined
    ? Effect.succeed(only)
    : new CliError({
        what,
        reason:
          found.length === 0
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
  const store = readTrust(state)
  const trusted = sorted(Object.values(store.trusted)).map(({ code: _, ...one }) => one)
  const revoked = Object.values(store.revoked).map(({ at, digest, file, names }) => ({
    digest,
    names,
    file,
    at
  }))
  if (json) return yield* out(`${JSON.stringify({ trusted, revoked }, null, 2)}\n`)
  if (trusted.length + revoked.length === 0) return yield* note("Nothing was trusted yet.\n")
  const rows = [
    ...trusted.map(({ at, digest, file, names, project }) => ({ at, digest, file, names, where: project })),
    ...revoked.map(({ at, digest, file, names }) => ({ at, digest, file, names, where: "revoked" }))
  ].map(({ at, digest, file, names, where }) => [
    digest.slice(0, 12),
    new Date(at).toISOString().slice(0, 10),
    printable(file),
    printable(names.join(", ")),
    printable(where)
  ])
  yield* out(
    table(
      [
        { title: "digest" },
        { title: "since" },
        { title: "file" },
        { title: "hooks" },
        { title: "first seen in" }
      ],
      rows,
      { style, width }
    )
  )
})

/** The projects whose builds hold a content. */
const projectsWith = (
  state: string,
  digest: string
): readonly { readonly file: string; readonly project: string }[] => {
  const folder = join(state, "projects")
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      const file = join(folder, name)
      const manifest = readManifest(file)
      if (manifest === undefined || manifest.project === null) return []
      // A build of before contents were told of may hold it.
      return manifest.contents?.includes(digest) === false ? [] : [{ file, project: manifest.project }]
    })
}

export const revoke = Effect.fn("cli.trust.revoke")(function* (options: { readonly digest: string }) {
  const { out, style } = yield* Screen
  const { state, userFolder } = findPlaces(undefined)
  const { trusted } = readTrust(state)
  const digest = yield* digestBy("trust revoke", options.digest, Object.keys(trusted))
  const { file = "", project = "" } = trusted[digest] ?? {}
  const at = yield* Clock.currentTimeMillis
  const builds = projectsWith(state, digest)
  yield* Effect.try({
    try: () => changeTrust(state, (store) => withRevoked(store, digest, at)),
    catch: (cause) =>
      new CliError({ what: "trust revoke", reason: String(cause), remedy: "Try again in a moment.", cause })
  })
  yield* noteDown(state, { type: "TRUST_REVOKED", project, digest, file })
  for (const build of builds) {
    const again = buildHooks({ state, userFolder, project: build.project })
    // What cannot be built anew must not run on.
    yield* Effect.catchAll(again, () => Effect.sync(() => rmSync(build.file, { force: true })))
  }
  yield* out(
    `${style.good("✔")} ${printable(file)} (${digest.slice(0, 12)}) is trusted no more, from the next call on.\n`
  )
})
