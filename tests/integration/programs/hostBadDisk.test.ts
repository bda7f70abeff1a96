/** A state directory that takes nothing: hooks answer, the operator hears of it, and what was kept stays. */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import type { Station } from "../../support/entrypoint.ts"
import { fill, readOnly, smallDisk, unmountAll, whyNoMounts } from "../../support/fire/mounts.ts"
import { endPlaces, furnish, furnished, nothing, remains, until } from "../../support/fire/place.ts"
import { hooks, recorded, said } from "../../support/fire/said.ts"
import { dist, startHost } from "../../support/host.ts"

afterEach(() => {
  endPlaces()
  unmountAll()
})

const room = (place: Station) => {
  const { stdout } = spawnSync(process.execPath, [join(dist, "cli.js"), "doctor", "--json"], {
    env: place.env,
    cwd: place.project,
    encoding: "utf8"
  })
  const { checks } = JSON.parse(stdout) as {
    checks: readonly { name: string; status: string; message: string }[]
  }
  return checks.find(({ name }) => name === "room")
}

const onSmallDisk = async (): Promise<Station> => {
  const place = await furnished({ hooks: {} })
  smallDisk(place.state, 24)
  await furnish(place, { hooks })
  return place
}

const ways = [
  { way: "with a host", hosted: true },
  { way: "in process", hosted: false }
]

describe.skipIf(whyNoMounts !== "" || !existsSync(shippedClient()))(`a disk of its own${whyNoMounts}`, () => {
  it.each(ways)(
    "that is full, $way: told once or by each process, recorded again once there is room",
    async ({ hosted }) => {
      const place = await onSmallDisk()
      const env = hosted ? {} : { HOOKTAPE_HOST: "off" }
      const host = hosted ? await startHost(place) : undefined
      expect(await said(place, "before", env)).toBe("")
      const before = await place.facts()
      for (const again of [1, 2]) {
        const free = fill(place.state)
        const told = []
        for (const nth of [1, 2, 3]) told.push(await said(place, `full-${again}-${nth}`, env))
        told.push(await said(place, `prints-${again}`, env, "print"))
        const line = hosted
          ? /^hooktape error: hook calls are not recorded: [^\n]*ENOSPC[^\n]*\n$/
          : /^hooktape error: this hook call is not recorded[^\n]*ENOSPC[^\n]*\n$/
        // One host knows what it has said; processes know nothing of each other on a disk that takes no mark.
        for (const [nth, one] of told.entries()) expect(one).toMatch(hosted && nth > 0 ? /^$/ : line)
        expect(room(place)).toMatchObject({ status: "fail", message: expect.stringContaining("ENOSPC") })
        free()
        expect(await said(place, `after-${again}`, env)).toBe("")
        expect(room(place)).toMatchObject({ status: "ok" })
      }
      expect(await recorded(place)).toEqual(["after-1", "after-2", "before"])
      const gaps = (await place.facts()).flatMap(({ data, type }) =>
        type === "CALLS_UNRECORDED" ? [data as { calls: number; reason: string }] : []
      )
      // The same for whoever looks again: each call that left nothing is counted once.
      expect(gaps).toMatchObject([1, 2].map(() => ({ calls: 4, reason: "ENOSPC" })))
      expect((await place.facts()).slice(0, before.length)).toEqual(before)
      expect(await host?.stop()).toEqual(hosted ? { code: 0, signal: null } : undefined)
      const left = readdirSync(join(place.state, "spool")).filter(
        (name) => name !== "errors" && name !== "blank"
      )
      expect(left, "no file that took nothing").toEqual([])
    }
  )

  it("that is read-only, with a host: what it has open it goes on writing, and calls stay answered", async () => {
    const place = await onSmallDisk()
    const host = await startHost(place)
    expect(await said(place, "before", {})).toBe("")
    const undo = readOnly(place.state)
    for (const id of ["one", "two"]) expect(await said(place, id, {})).toBe("")
    expect(await said(place, "prints", {}, "print")).toBe("")
    expect(room(place)).toMatchObject({ status: "fail", message: expect.stringContaining("EROFS") })
    undo()
    expect(await said(place, "after", {})).toBe("")
    expect(await recorded(place)).toEqual(["after", "before", "one", "prints", "two"])
    expect((await host.status()).pid).toBe(host.child.pid)
    await host.stop()
    await until(async () => (await remains(place)).processes.length === 0)
    expect(await remains(place)).toEqual(nothing)
  })

  it("that is read-only, in process: each call says so, and a host that does not come up leaves nothing behind", async () => {
    const place = await onSmallDisk()
    await (await startHost(place)).stop()
    expect(await said(place, "before", { HOOKTAPE_HOST: "off" })).toBe("")
    const undo = readOnly(place.state)
    for (const id of ["one", "two"])
      expect(await said(place, id, {})).toMatch(
        /^hooktape error: this hook call is not recorded: [^\n]*EROFS[^\n]*\n$/
      )
    expect(await said(place, "prints", {}, "print")).toMatch(/EROFS/)
    const refused = spawnSync(join(place.state, "bin", "host"), [], { env: place.env, encoding: "utf8" })
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^hooktape host: .*EROFS.*\n$/)
    })
    expect(room(place)).toMatchObject({ status: "fail" })
    undo()
    expect(await said(place, "after", { HOOKTAPE_HOST: "off" })).toBe("")
    expect(await recorded(place)).toEqual(["after", "before"])
    await until(async () => (await remains(place)).processes.length === 0)
  })
})
