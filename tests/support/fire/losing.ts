/** A build that is gone, and nobody who can make it anew: who answers calls until then. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { trustProject } from "../../../src/tools/build/trust.ts"
import { launcher } from "../../../src/tools/install/launcher.ts"
import { bash, type Fired, type Station } from "../entrypoint.ts"
import { startHost } from "../host.ts"
import { furnished } from "./place.ts"

export const isBlocked = ({ code, stdout }: Fired): boolean => code === 2 || /"(?:deny|block)"/.test(stdout)

/** Nothing can be made anew: what is looked at is who answers until then. */
export const withoutBuilder = ({ state }: Station): void => {
  for (const file of [
    ...readdirSync(join(state, "projects")).map((name) => join(state, "projects", name)),
    join(state, "bin", "shipped", "manifest.json")
  ]) {
    const manifest = JSON.parse(readFileSync(file, "utf8"))
    writeFileSync(file, JSON.stringify({ ...manifest, cli: join(state, "gone.js") }))
  }
}

/** With what comes along, as an installation has it. */
export const buildShipped = ({ env, state, userFolder }: Station) => {
  delete env["HOOKTAPE_DEFAULTS"]
  return Effect.runPromise(buildHooks({ state, userFolder, defaults: true }))
}

export const guard = (run: string) => `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "guard", on: "tool.before", onFailure: "block", when: { tool: "shell" }, run: () => ${run} })
`

/** The way each of them puts it. */
export const textOf = ({ stderr, stdout }: Fired): string => `${stdout}${stderr}`

export const ways = ["a host", "a native client alone", "the launcher alone"] as const

export const equipped = async (place: Station, way: (typeof ways)[number]) => {
  await buildShipped(place)
  withoutBuilder(place)
  if (way !== "a host") place.env["HOOKTAPE_HOST"] = "off"
  if (way === "the launcher alone")
    writeFileSync(join(place.state, "bin", "hook"), launcher({ node: process.execPath, state: place.state }))
  return way === "a host" ? startHost(place) : undefined
}

/** Session by session, as agents start: what one was told the next is not. */
export const inSession = (session: string) =>
  JSON.stringify({ ...JSON.parse(bash("ls")), session_id: session })

export const newerTrust = ({ state }: Station): void =>
  writeFileSync(join(state, "trust.json"), JSON.stringify({ version: 3, trusted: ["another shape"] }))

export const keptGuards = ({ state }: Station): string => join(state, "trusted", "guards")

export const update = "trust.json was written by a newer hooktape: update this one"

/** A project with a guard that is trusted. The user has none, and that is written down. */
export const withGuard = async (way: (typeof ways)[number]) => {
  const place = await furnished({ builds: false, hooks: {} })
  place.put(".git/HEAD", "ref: refs/heads/main\n")
  place.put(".hooktape/hooks/guard.ts", guard('blockingFeedback("GUARDED")'))
  await Effect.runPromise(trustProject({ state: place.state, project: place.project }))
  await place.build(true)
  return { place, host: await equipped(place, way) }
}
