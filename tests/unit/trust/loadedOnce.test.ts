/** To load a hook takes a process of its own: with thousands of them, how often it is done is what somebody waits for. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { trustProject } from "../../../src/tools/build/trust.ts"
import type { Watching } from "../../../src/tools/build/Watching.ts"
import { hookFile, workshop } from "../../support/build/workshop.ts"

const many = ["a", "b", "c"]

const made = () => {
  const shop = workshop()
  const loads = join(shop.home, "loads")
  const says = `import { appendFileSync } from "node:fs"\nappendFileSync(${JSON.stringify(loads)}, "x")\n`
  for (const name of many) shop.put(`.hooktape/hooks/${name}.ts`, says + hookFile(name))
  const told: string[] = []
  const watching: Watching = { loaded: new Map(), told: (what) => void told.push(what) }
  const trust = (how: { readonly watching?: Watching }) =>
    Effect.runPromise(trustProject({ state: shop.state, project: shop.project, core: shop.core, ...how }))
  const build = (how: { readonly watching?: Watching }) =>
    Effect.runPromise(buildHooks({ ...shop.options, ...how }))
  const times = () => (existsSync(loads) ? readFileSync(loads, "utf8").length : 0)
  return { shop, told, watching, trust, build, times }
}

it("each hook is loaded once for the yes and the build that follows it, and whoever waits hears of each", async () => {
  const { build, times, told, trust, watching } = made()
  await trust({ watching })
  expect(told.filter((what) => what === "read")).toHaveLength(many.length)
  expect(told.filter((what) => what === "loaded")).toHaveLength(many.length)
  const { hooks } = await build({ watching })
  expect(hooks.map(({ hook }) => hook)).toEqual(many)
  expect(times()).toBe(many.length)
})

it("a hook that is trusted and kept is not loaded to be trusted again", async () => {
  const { shop, times, trust } = made()
  await trust({})
  expect(times()).toBe(many.length)
  const again = await trust({})
  expect(times()).toBe(many.length)
  expect(again.items.map(({ change, file }) => [file, change])).toEqual(
    many.map((name) => [`.hooktape/hooks/${name}.ts`, "same"])
  )
  shop.put(".hooktape/hooks/b.ts", hookFile("b"))
  const changed = await trust({})
  expect(changed.items.map(({ change }) => change)).toEqual(["same", "changed", "same"])
  expect(times()).toBe(many.length)
})

it("what is loaded anew is what stands there now, also for whoever has waited before", async () => {
  const { build, shop, trust, watching } = made()
  await trust({ watching })
  shop.put(".hooktape/hooks/b.ts", hookFile("later"))
  await trust({ watching })
  const { hooks } = await build({ watching })
  expect(hooks.map(({ hook }) => hook)).toEqual(["a", "later", "c"])
})
