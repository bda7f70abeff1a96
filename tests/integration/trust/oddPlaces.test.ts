/** A repository in which what hooktape looks for is something else: no shape of it takes a guard away. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, expect, it } from "vitest"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { launcher } from "../../../src/tools/install/launcher.ts"
import { bash, type Station } from "../../support/entrypoint.ts"
import { endPlaces, furnished } from "../../support/fire/place.ts"
import { startHost } from "../../support/host.ts"

afterEach(endPlaces)

const linkTo = (target: string, name: string) => (project: string) => symlinkSync(target, join(project, name))
const within = (target: string, name: string) => (project: string) => {
  mkdirSync(join(project, ".hooktape"), { recursive: true })
  symlinkSync(target, join(project, ".hooktape", name))
}

const shapes: Readonly<Record<string, (project: string) => void>> = {
  "a link to itself": linkTo(".hooktape", ".hooktape"),
  "a link to nothing": linkTo("/nowhere/hooks", ".hooktape"),
  "a link to a device": linkTo("/dev/null", ".hooktape"),
  "a link to the folder above": linkTo("..", ".hooktape"),
  "a file": (project) => writeFileSync(join(project, ".hooktape"), "x"),
  "hooks that are a link to themselves": within("hooks", "hooks"),
  "settings that are a link to themselves": within("config.json", "config.json"),
  "settings without an end": within("/dev/zero", "config.json"),
  "a link to itself for .git": linkTo(".git", ".git")
}

const alone = ({ env }: Station): undefined => {
  env["HOOKTAPE_HOST"] = "off"
}

const ways: Readonly<
  Record<string, (place: Station) => Promise<{ stop: () => Promise<unknown> }> | undefined>
> = {
  "a host": startHost,
  "a native client alone": alone,
  "the launcher alone": (place) => {
    alone(place)
    const { state } = place
    writeFileSync(join(state, "bin", "hook"), launcher({ node: process.execPath, state }))
    return undefined
  }
}

it.each(Object.entries(ways))("with %s, the shipped guard answers in each of them", async (_, prepare) => {
  const place = await furnished({ hooks: {} })
  const { env, home, state, userFolder } = place
  delete env["HOOKTAPE_DEFAULTS"]
  await Effect.runPromise(buildHooks({ state, userFolder, defaults: true }))
  const host = await prepare(place)
  for (const [name, shape] of Object.entries(shapes)) {
    const project = join(home, name)
    mkdirSync(project)
    shape(project)
    const { stdout } = await place.fire({ input: bash("rm -rf ~"), cwd: project })
    expect(stdout, name).toContain('"permissionDecision":"deny"')
  }
  await host?.stop()
})
