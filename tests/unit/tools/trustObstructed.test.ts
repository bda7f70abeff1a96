/** A trusted hook file that something else took the place of runs on as it was trusted, until somebody lets it go. */
import { execFileSync } from "node:child_process"
import { chmodSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { hookFile, workshop } from "../../support/build/workshop.ts"

const file = ".hooktape/hooks/guard.ts"
const guard = hookFile("guard", '"tool.before"', 'onFailure: "block",\n  ')

const trusted = async () => {
  const shop = workshop()
  execFileSync("git", ["init", "-q"], { cwd: shop.project, stdio: "ignore" })
  const path = shop.put(file, guard)
  await shop.trust()
  await shop.built()
  return { shop, path }
}

const inPlace: Readonly<Record<string, (path: string) => void>> = {
  "a link to itself": (path) => symlinkSync(path, path),
  "a link to nothing": (path) => symlinkSync("nothing.ts", path),
  "a link out of the project": (path) => symlinkSync("/etc/hosts", path),
  "a device": (path) => symlinkSync("/dev/zero", path)
}

describe("a trusted guard", () => {
  it.each(Object.entries(inPlace))(
    "is let go by trust, and not before, where %s took its place",
    async (_, put) => {
      const { path, shop } = await trusted()
      rmSync(path)
      put(path)
      const before = await shop.built()
      expect(before.held).toEqual([expect.objectContaining({ file })])
      expect(before.manifest.guards?.map(({ name }) => name)).toEqual(["guard"])
      const review = await shop.review()
      expect(review.gone).toEqual([{ file, guarded: ["tool.before"], events: ["tool.before"] }])
      expect(review.problems).toEqual([])
      await shop.trust()
      const after = await shop.built()
      expect(after.held).toEqual([])
      expect(after.manifest.guards ?? []).toEqual([])
      expect((await shop.review()).gone).toEqual([])
    }
  )

  it("runs on where a script that is not executable was written over it", async () => {
    const { path, shop } = await trusted()
    shop.put(file, '#!/bin/sh\n# hooktape: {"on":"tool.before"}\nexit 0\n')
    chmodSync(join(path), 0o644)
    const after = await shop.built()
    expect(after.held).toEqual([{ file, reason: "is no hook file any more" }])
    expect(after.manifest.guards?.map(({ name }) => name)).toEqual(["guard"])
    expect(after.withheld).toEqual([])
  })
})
