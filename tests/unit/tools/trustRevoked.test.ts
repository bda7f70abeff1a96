/** What was revoked is in force nowhere: neither as it is, nor as the last version that was trusted, nor in the settings of a hook. */
import { execFileSync } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { changeTrust } from "../../../src/tools/build/addTrusted.ts"
import type { BuildResult } from "../../../src/tools/build/build.ts"
import { configDigest } from "../../../src/trust/digest.ts"
import { readTrust, withRevoked } from "../../../src/trust/store.ts"
import { hookFile, workshop } from "../../support/build/workshop.ts"

type Shop = ReturnType<typeof workshop>

const config = ".hooktape/config.json"
const off = '{ "hooks": { "guard": { "enabled": false } } }\n'
const later = '{ "hooks": { "guard": { "priority": 7 } } }\n'
const guard = hookFile("guard", '"tool.before"', 'onFailure: "block",\n  ')

const revoke = (shop: Shop, digest: string): void => {
  changeTrust(shop.state, (store) => withRevoked(store, digest, 1))
}

/** A project with a guard that was trusted, each of these configurations in turn with it. */
const trusted = async (...configs: readonly string[]): Promise<Shop> => {
  const shop = workshop()
  execFileSync("git", ["init", "-q"], { cwd: shop.project, stdio: "ignore" })
  shop.put(".hooktape/hooks/guard.ts", guard)
  for (const text of configs) {
    shop.put(config, text)
    await shop.trust()
    await shop.built()
  }
  return shop
}

const guards = ({ hooks, manifest }: BuildResult) => ({
  on: manifest.guards?.map(({ name }) => name),
  priority: hooks.find(({ hook }) => hook === "guard")?.settings?.priority
})
const defaults = { on: ["guard"], priority: undefined }

describe("a configuration that was revoked", () => {
  it("counts as none: the guards that it switched off are on", async () => {
    const shop = await trusted(off)
    expect(guards(await shop.built()).on).toEqual([])
    revoke(shop, configDigest(off))
    const after = await shop.built()
    expect(guards(after)).toEqual(defaults)
    expect(after.withheld).toEqual([{ file: config, reason: "revoked", kind: "revoked" }])
    expect(after.held).toEqual([])
  })

  it("counts as none in a file that only looks different, or that is gone", async () => {
    const shop = await trusted(off)
    revoke(shop, configDigest(off))
    for (const text of [`${off}\n`, "{}\n", "{"]) {
      shop.put(config, text)
      expect(guards(await shop.built()), text).toEqual(defaults)
    }
    rmSync(join(shop.project, config))
    expect(guards(await shop.built())).toEqual(defaults)
  })

  it("counts as none for a guard of which only the last version runs", async () => {
    const shop = await trusted(off)
    revoke(shop, configDigest(off))
    shop.put(".hooktape/hooks/guard.ts", `${guard}// not trusted\n`)
    expect(guards(await shop.built())).toEqual(defaults)
    // And what runs now is what is missed when it goes.
    rmSync(join(shop.project, ".hooktape/hooks/guard.ts"))
    expect((await shop.built()).withheld).toContainEqual({
      file: ".hooktape/hooks/guard.ts",
      reason: "trusted, but gone",
      kind: "gone"
    })
  })

  it("gives way to the version before it that stands", async () => {
    const shop = await trusted(later, off)
    revoke(shop, configDigest(off))
    const after = await shop.built()
    expect(guards(after)).toEqual({ on: ["guard"], priority: 7 })
    expect(after.held).toEqual([{ file: config, reason: "revoked", kind: "revoked" }])
    revoke(shop, configDigest(later))
    expect(guards(await shop.built())).toEqual(defaults)
  })

  it("brings no hook back that was revoked with other settings", async () => {
    const shop = await trusted(off)
    const { digest = "" } =
      Object.values(readTrust(shop.state).trusted).find(({ kind }) => kind === "hook") ?? {}
    revoke(shop, digest)
    revoke(shop, configDigest(off))
    const { hooks, withheld } = await shop.built()
    expect(hooks).toEqual([])
    expect(withheld).toContainEqual({ file: ".hooktape/hooks/guard.ts", reason: "revoked", kind: "revoked" })
  })
})
