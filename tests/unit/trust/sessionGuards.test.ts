/** A session never has fewer guards than it began with, whatever happens to files, folders and its working directory while it lasts. */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type { Decoded } from "../../../src/agents/Adapter.ts"
import { makeLackingGuards } from "../../../src/programs/host/lackingGuards.ts"
import { sessionRegistry } from "../../../src/runtime/sessionRegistry.ts"
import type { Manifest } from "../../../src/state/manifest.ts"
import { changeTrust } from "../../../src/tools/build/addTrusted.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { trustProject } from "../../../src/tools/build/trust.ts"
import { retainGuards } from "../../../src/trust/retain.ts"
import { sessionsFolder, writeSession } from "../../../src/trust/sessionGuards.ts"
import { readTrust, withRevoked } from "../../../src/trust/store.ts"
import { hookFile, workshop } from "../../support/build/workshop.ts"

type Shop = ReturnType<typeof workshop>

const guard = (name: string, more = ""): string =>
  hookFile(name, '"tool.before"', `onFailure: "block",\n  ${more}`)

const decoded = (session: string, event = "tool.before"): Decoded =>
  ({ session, events: [{ event }] }) as unknown as Decoded

/** A call of a session where this build serves: which guards it meets, and what is said. */
const call = (shop: Shop, { guards = [] }: Manifest, session = "s", event?: string) => {
  const registry = guards.map(({ name, source }) => ({ hook: { name, on: "tool.before" } as never, source }))
  const options = { state: shop.state, guards, retain: () => retainGuards }
  const found = sessionRegistry(options, registry, decoded(session, event))
  return { ...found, names: found.registry.map(({ hook }) => hook.name).sort() }
}

const serving = async (shop: Shop, project = shop.project): Promise<Manifest> =>
  (await Effect.runPromise(buildHooks({ ...shop.options, project }))).manifest

const guarded = async (): Promise<Shop> => {
  const shop = workshop()
  mkdirSync(join(shop.project, ".git"), { recursive: true })
  shop.put(".hooktape/hooks/a.ts", guard("a"))
  shop.put(".hooktape/hooks/b.ts", guard("b"))
  await shop.trust()
  return shop
}

describe("a session's guards", () => {
  it("stay when their files are deleted, are told of once, and end where the session begins anew", async () => {
    const shop = await guarded()
    expect(call(shop, await serving(shop)).names).toEqual(["a", "b"])
    rmSync(join(shop.project, ".hooktape/hooks/a.ts"))
    const after = await serving(shop)
    expect(after.guards?.map(({ name }) => name)).toEqual(["b"])
    const first = call(shop, after)
    expect(first.names).toEqual(["a", "b"])
    expect(first.hints).toEqual([expect.stringContaining("a is gone or changed here")])
    expect(await first.registry.find(({ hook }) => hook.name === "a")?.hook.run({} as never)).toMatchObject({
      text: "from a"
    })
    expect(call(shop, after)).toMatchObject({ names: ["a", "b"], hints: [] })
    // Another session begins with what is there, and is told that something is missing.
    expect(call(shop, after, "t").names).toEqual(["b"])
    expect(after.withheld).toEqual([
      { file: ".hooktape/hooks/a.ts", reason: "trusted, but gone", kind: "gone" }
    ])
    expect(call(shop, after, "s", "session.end").names).toEqual(["a", "b"])
    // Whoever says that it is over may be the model.
    expect(call(shop, after).names).toEqual(["a", "b"])
    expect(call(shop, after, "s", "session.start").names).toEqual(["b"])
    expect(call(shop, after).names).toEqual(["b"])
    rmSync(join(shop.project, ".hooktape/hooks/b.ts"))
    const none = await serving(shop)
    call(shop, none, "s", "session.start")
    expect(call(shop, none).names).toEqual(["b"])
    call(shop, none, "s", "session.end")
    call(shop, none, "s", "session.start")
    expect(call(shop, none).names).toEqual([])
  })

  it("stay where the session moves into another project or a plain directory", async () => {
    const shop = await guarded()
    call(shop, await serving(shop))
    const other = join(shop.home, "elsewhere")
    mkdirSync(join(other, ".hooktape/hooks"), { recursive: true })
    const there = await serving(shop, other)
    const lacking = makeLackingGuards(shop.state)
    expect(lacking({ ...there, natives: {} })("raw", "tool.before")).toBe(false)
    const natives = { raw: { PreToolUse: "tool.before" } }
    expect(lacking({ ...there, natives })("raw", "PreToolUse")).toBe(true)
    expect(call(shop, there).names).toEqual(["a", "b"])
    const plain = (await shop.builtUser()).manifest
    expect(call(shop, plain).names).toEqual(["a", "b"])
    expect(call(shop, plain, "t").names).toEqual([])
  })

  it("are seen by a host also where the clock of the file system stood still between two sessions", async () => {
    const shop = await guarded()
    const { guards = [], ...none } = await serving(shop)
    const manifest = { ...none, guards: [], natives: { raw: { PreToolUse: "tool.before" } } } as Manifest
    const folder = sessionsFolder(shop.state)
    const enter = (session: string, of: typeof guards) => {
      writeSession(shop.state, { version: 1, session, began: 0, guards: of })
      utimesSync(folder, 1000, 1000)
    }
    enter("first", [])
    const lacking = makeLackingGuards(shop.state, () => 1_000_010)
    const looked = lacking(manifest)
    expect(looked("raw", "PreToolUse")).toBe(false)
    enter("second", guards)
    // All events of a build are asked about with the look that was taken for it.
    expect(looked("raw", "PreToolUse")).toBe(false)
    expect(lacking(manifest)("raw", "PreToolUse")).toBe(true)
  })

  it("are those of the trust that was given since, and none that was revoked", async () => {
    const shop = await guarded()
    call(shop, await serving(shop))
    await new Promise((resolve) => setTimeout(resolve, 2))
    shop.put(".hooktape/hooks/a.ts", guard("a", "priority: 1,\n  "))
    await shop.trust()
    const after = await serving(shop)
    expect(call(shop, after)).toMatchObject({ names: ["a", "b"], hints: [] })
    rmSync(join(shop.project, ".hooktape/hooks/b.ts"))
    const { digest = "" } =
      Object.values(readTrust(shop.state).trusted).find(({ names }) => names.includes("b")) ?? {}
    changeTrust(shop.state, (store) => withRevoked(store, digest, 9))
    expect(call(shop, await serving(shop)).names).toEqual(["a"])
  })

  it("of which nothing is left block in their place", async () => {
    const shop = await guarded()
    call(shop, await serving(shop))
    rmSync(join(shop.state, "trusted", "content"), { recursive: true })
    rmSync(join(shop.project, ".hooktape/hooks"), { recursive: true })
    const { names, registry, warnings } = call(shop, await serving(shop))
    expect(names).toEqual(["a", "b"])
    expect(warnings).toHaveLength(2)
    expect(registry.map(({ hook }) => hook.onFailure)).toEqual(["block", "block"])
    expect(() => registry[0]?.hook.run({} as never)).toThrow("this session began with it")
  })

  it("are never fewer, over any sequence of edits, deletions, trust, folders and moves", async () => {
    const shop = await guarded()
    const began = call(shop, await serving(shop)).names
    const places = [shop.project, join(shop.project, "vendor/dep"), join(shop.home, "plain")]
    // A fixed seed: the sequence is any, and the same each time.
    let seed = 7
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed % below
    }
    const steps: readonly (() => unknown)[] = [
      () => shop.put(".hooktape/hooks/a.ts", `${guard("a")}// ${seed}\n`),
      () => shop.put(".hooktape/hooks/b.ts", "export default {"),
      () => rmSync(join(shop.project, ".hooktape/hooks/a.ts"), { force: true }),
      () => rmSync(join(shop.project, ".hooktape"), { recursive: true, force: true }),
      () => shop.put(".hooktape/config.json", '{ "hooks": { "a": { "enabled": false } } }'),
      () => mkdirSync(join(shop.project, "vendor/dep/.hooktape/hooks"), { recursive: true }),
      () => shop.put(".hooktape/hooks/a.ts", guard("a")),
      () => writeFileSync(join(shop.project, "x"), "")
    ]
    for (let step = 0; step < 25; step++) {
      steps[random(steps.length)]?.()
      const place = places[random(places.length)] ?? shop.project
      mkdirSync(place, { recursive: true })
      const { names } = call(shop, await serving(shop, place))
      for (const name of began) expect(names, `step ${step} in ${place}`).toContain(name)
    }
    await Effect.runPromise(trustProject({ ...shop.options, project: shop.project }))
  }, 60_000)
})
