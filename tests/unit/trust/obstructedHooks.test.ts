/** A hook file that was trusted, with something in its place that is no file: it was not deleted, and what was trusted guards on. */
import { execFileSync } from "node:child_process"
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { hookFile, workshop } from "../../support/build/workshop.ts"

type Shop = ReturnType<typeof workshop>

const guarded = async (): Promise<Shop> => {
  const shop = workshop()
  mkdirSync(join(shop.project, ".git"), { recursive: true })
  shop.put(".hooktape/hooks/guard.ts", hookFile("guard", '"tool.before"', 'onFailure: "block",\n  '))
  shop.put(".hooktape/hooks/other.ts", hookFile("other"))
  await shop.trust()
  return shop
}

const stateOf = async (shop: Shop) => {
  const { held, hooks, withheld } = await shop.built()
  return {
    hooks: hooks.map(({ hook }) => hook).sort(),
    held: held.map(({ file, reason }) => `${file}: ${reason}`),
    withheld: withheld.map(({ file }) => file)
  }
}

const file = ".hooktape/hooks/guard.ts"

describe("a trusted hook file", () => {
  it.each<readonly [what: string, put: (path: string) => void]>([
    ["a link that leads to itself", (path) => symlinkSync(path, path)],
    ["a link to nothing", (path) => symlinkSync("nothing", path)],
    ["a link out of the project", (path) => symlinkSync(dirname(dirname(dirname(dirname(path)))), path)],
    ["a folder", (path) => mkdirSync(path)],
    ["a device", (path) => symlinkSync("/dev/zero", path)],
    ["a pipe", (path) => execFileSync("mkfifo", [path])]
  ])("guards on as it was trusted where %s took its place, and is told of", async (_, put) => {
    const shop = await guarded()
    const path = join(shop.project, file)
    rmSync(path)
    put(path)
    const { held, hooks, withheld } = await stateOf(shop)
    expect(hooks).toEqual(["guard", "other"])
    expect(held).toEqual([expect.stringContaining(`${file}: `)])
    expect(withheld).toEqual([])
  })

  it.each<readonly [what: string, put: (folder: string) => void]>([
    ["a file", (folder) => execFileSync("touch", [folder])],
    ["a link that leads to itself", (folder) => symlinkSync(folder, folder)],
    ["a link to nothing", (folder) => symlinkSync("nothing", folder)],
    [
      "a link to an empty folder elsewhere",
      (folder) => {
        const elsewhere = `${dirname(dirname(dirname(folder)))}/elsewhere`
        mkdirSync(elsewhere, { recursive: true })
        symlinkSync(elsewhere, folder)
      }
    ]
  ])("guards on where %s took the place of its folder", async (_, put) => {
    for (const folder of [".hooktape/hooks", ".hooktape"]) {
      const shop = await guarded()
      const path = join(shop.project, folder)
      renameSync(path, join(shop.home, "away"))
      put(path)
      const { held, hooks, withheld } = await stateOf(shop)
      expect([folder, hooks]).toEqual([folder, ["guard", "other"]])
      expect(held).toHaveLength(2)
      expect(withheld).toEqual([])
    }
  })

  it("is deleted where nothing is, and is back with its file", async () => {
    const shop = await guarded()
    const path = join(shop.project, file)
    renameSync(path, join(shop.home, "away"))
    expect(await stateOf(shop)).toEqual({ hooks: ["other"], held: [], withheld: [file] })
    mkdirSync(path)
    expect((await stateOf(shop)).hooks).toEqual(["guard", "other"])
    rmSync(path, { recursive: true })
    renameSync(join(shop.home, "away"), path)
    expect(await stateOf(shop)).toEqual({ hooks: ["guard", "other"], held: [], withheld: [] })
  })
})
