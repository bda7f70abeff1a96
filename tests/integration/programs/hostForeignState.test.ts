/** A state directory that others were at: what is not ours is refused or replaced, said so, and hooks answer. */
import { spawnSync } from "node:child_process"
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { dataOf, type Station } from "../../support/entrypoint.ts"
import { endPlaces, furnished, until } from "../../support/fire/place.ts"
import { hooks, recorded, said } from "../../support/fire/said.ts"
import { startHost } from "../../support/host.ts"

afterEach(endPlaces)

const asRoot = process.getuid?.() === 0

describe.skipIf(!existsSync(shippedClient()))("a state directory that others were at", () => {
  const run = (place: Station, name: string) => join(place.state, "run", name)

  const spoiled: readonly (readonly [string, (place: Station) => void, RegExp, boolean])[] = [
    [
      "a link in place of run/",
      (place) => {
        renameSync(join(place.state, "run"), join(place.home, "elsewhere"))
        symlinkSync(join(place.home, "elsewhere"), join(place.state, "run"))
      },
      /run is a symbolic link: remove it/,
      true
    ],
    [
      "a token behind a link",
      (place) => {
        renameSync(run(place, "token"), join(place.home, "token"))
        symlinkSync(join(place.home, "token"), run(place, "token"))
      },
      /token is a symbolic link: remove it/,
      true
    ],
    [
      "a directory in place of the token",
      (place) => {
        rmSync(run(place, "token"))
        mkdirSync(run(place, "token"))
      },
      /token is not a file: move it away/,
      true
    ],
    [
      "a token of somebody else",
      (place) => chownSync(run(place, "token"), 65534, 65534),
      /token belongs to another user: remove it/,
      asRoot
    ],
    [
      "a damaged token",
      (place) => writeFileSync(run(place, "token"), "?"),
      /token is damaged: remove it/,
      true
    ]
  ]

  it.each(spoiled.filter(([, , , possible]) => possible))(
    "has %s: no host comes up and says why, and hooks answer",
    async (_, spoil, why) => {
      const place = await furnished({ hooks })
      const host = await startHost(place)
      expect(await said(place, "before", {})).toBe("")
      await host.stop()
      spoil(place)
      const refused = spawnSync(join(place.state, "bin", "host"), [], { env: place.env, encoding: "utf8" })
      expect(refused.status).toBe(1)
      expect(refused.stderr).toMatch(/^hooktape host: [^\n]*\n$/)
      expect(refused.stderr).toMatch(why)
      expect(await said(place, "without", {})).toBe("")
      expect(await recorded(place)).toEqual(["before", "without"])
    }
  )

  it("has a link in place of the spool: what lies behind it is not read, and calls are recorded by the host", async () => {
    const place = await furnished({ hooks })
    const elsewhere = join(place.home, "elsewhere")
    renameSync(join(place.state, "spool"), elsewhere)
    symlinkSync(elsewhere, join(place.state, "spool"))
    const name = "01890000-0000-7000-8000-000000000001.frame"
    writeFileSync(join(elsewhere, name), "not ours")
    const host = await startHost(place)
    expect(await said(place, "with", {})).toBe("")
    await host.stop()
    expect(await said(place, "without", { HOOKTAPE_HOST: "off" })).toMatch(
      /^hooktape error: this hook call is not recorded: [^\n]*spool is a symbolic link[^\n]*\n$/
    )
    expect(await recorded(place)).toEqual(["with"])
    expect(readdirSync(elsewhere)).toEqual([name])
    expect(readFileSync(join(elsewhere, name), "utf8")).toBe("not ours")
  })

  it("has a frame behind a link: it is set aside, and what it points to is not touched", async () => {
    const place = await furnished({ hooks })
    const name = "01890000-0000-7000-8000-000000000001.frame"
    writeFileSync(join(place.home, "secret"), "HKT1 secret")
    symlinkSync(join(place.home, "secret"), join(place.state, "spool", name))
    await startHost(place)
    await until(() => existsSync(join(place.state, "spool", "errors", name)))
    expect(readFileSync(join(place.state, "logs", "host.log"), "utf8")).toMatch(
      /is a symbolic link: remove it/
    )
    expect(readFileSync(join(place.home, "secret"), "utf8")).toBe("HKT1 secret")
    expect(await said(place, "with", {})).toBe("")
  })

  it.skipIf(!asRoot)("has a socket of somebody else: the next host makes its own", async () => {
    const place = await furnished({ hooks })
    const first = await startHost(place)
    await first.stop("SIGKILL")
    chownSync(run(place, "host.sock"), 65534, 65534)
    expect(await said(place, "without", { HOOKTAPE_HOST: "off" })).toBe("")
    await startHost(place)
    expect(statSync(run(place, "host.sock"))).toMatchObject({ uid: 0 })
    expect(await said(place, "with", {})).toBe("")
    const transports = (await place.runs()).map((one) => dataOf(one, "INVOCATION_OPENED")[0]?.transport)
    expect(transports).toEqual(["entry", "socket"])
  })
})
