/** A project's build that is gone where the user's is there or not: its guards answer in any case, or what stands for them blocks. */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { projectManifest } from "../../../src/state/manifest.ts"
import { guardsFile } from "../../../src/trust/keptGuards.ts"
import type { Fired, Station } from "../../support/entrypoint.ts"
import {
  inSession,
  isBlocked,
  newerTrust,
  textOf,
  update,
  ways,
  withGuard
} from "../../support/fire/losing.ts"
import { endPlaces } from "../../support/fire/place.ts"

afterEach(endPlaces)

/** What of a project's build is lost; whether that of the user is there in its place. */
const losses: Readonly<Record<string, (place: Station) => void>> = {
  "its manifest": ({ project, state }) => rmSync(projectManifest(state, project)),
  "what its manifest says": ({ project, state }) => writeFileSync(projectManifest(state, project), "{"),
  "its manifest, to a shape that is not known yet": ({ project, state }) => {
    const file = projectManifest(state, project)
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), version: 2 }))
  },
  "all manifests and builds": ({ state }) => {
    for (const name of ["build", "projects"]) rmSync(join(state, name), { recursive: true })
  }
}

const loseKept = ({ project, state }: Station): void => rmSync(guardsFile(state, project))

describe.each(ways)("with %s, where a newer hooktape wrote what is trusted and a project has lost", (way) => {
  it.each(Object.entries(losses))("%s, its guard answers", async (_, lose) => {
    const { host, place } = await withGuard(way)
    newerTrust(place)
    lose(place)
    const fired: Fired = await place.fire({ input: inSession("a") })
    expect([isBlocked(fired), textOf(fired)]).toEqual([true, expect.stringContaining("GUARDED")])
    expect((await place.fire({ event: "Stop", input: "{}" })).code).toBe(0)
    await host?.stop()
  })

  it.each(Object.entries(losses))(
    "%s, and what was kept of its guards, each tool call is blocked",
    async (_, lose) => {
      const { host, place } = await withGuard(way)
      newerTrust(place)
      lose(place)
      loseKept(place)
      for (const session of ["a", "b"]) {
        const fired = await place.fire({ input: inSession(session) })
        expect([isBlocked(fired), textOf(fired)]).toEqual([true, expect.stringContaining(update)])
      }
      expect((await place.fire({ event: "Stop", input: "{}" })).code).toBe(0)
      // Elsewhere nothing of this is missing.
      const outside = await place.fire({ input: inSession("c"), cwd: place.home })
      expect(isBlocked(outside)).toBe(false)
      await host?.stop()
    }
  )
})

describe.each(ways)("with %s, where a project's build is gone and cannot be made anew for now", (way) => {
  it("its guard answers beside the user's own hooks, and it is said that the others do not run", async () => {
    const { host, place } = await withGuard(way)
    rmSync(projectManifest(place.state, place.project))
    const fired = await place.fire({ input: inSession("a") })
    expect([isBlocked(fired), textOf(fired)]).toEqual([true, expect.stringContaining("GUARDED")])
    expect(fired.stderr).toContain(
      "the hooks of this project could not be built; until then only those of them run"
    )
    const again = await place.fire({ input: inSession("b") })
    expect([isBlocked(again), again.stderr]).toEqual([
      true,
      expect.stringContaining("the hooks of this project could not be built a moment ago;")
    ])
    await host?.stop()
  })
})
