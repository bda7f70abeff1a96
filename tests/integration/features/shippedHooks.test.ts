/** The hooks that come with the package: in every build, under the configuration, replaced by name, guards by the user alone. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { beforeEach, describe, expect, it } from "vitest"
import { defaults } from "../../../src/features/defaults.ts"
import { parseConfig } from "../../../src/state/config.ts"
import type { BuildResult } from "../../../src/tools/build/build.ts"
import type { FoundHook } from "../../../src/tools/build/check.ts"
import { defaultsWanted } from "../../../src/tools/build/shipped.ts"
import { hookFile, workshop } from "../../support/build/workshop.ts"
import { rows } from "../../support/markdown.ts"

const page = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../docs/reference/hooks/${name}.md`, import.meta.url)), "utf8")

let place: ReturnType<typeof workshop>
/** Beside those there are, one more that guards. */
let core: ReturnType<typeof workshop>["core"]
beforeEach(() => {
  place = workshop()
  const [first] = place.core.shipped
  const file = place.put(
    "../shipped/guardAll.mjs",
    'export const guardAll = { name: "guard-all", on: "tool.before", run: () => ({ type: "USER_HINT", text: "guarded" }) }\n'
  )
  const guard: FoundHook = {
    ...(first as FoundHook),
    file,
    name: "guardAll",
    hook: "guard-all",
    on: ["tool.before"],
    fields: { name: "guard-all", on: "tool.before" },
    guards: true
  }
  core = { ...place.core, shipped: [guard, ...place.core.shipped] }
})

const named = ({ hooks }: BuildResult, owner: FoundHook["owner"]) =>
  hooks.filter((hook) => hook.owner === owner).map(({ hook }) => hook)
const all = () => core.shipped.filter(({ serves }) => serves === undefined).map(({ hook }) => hook)

describe("shipped hooks", () => {
  it("are joined by the one that another hook needs, also where there are no others, and its name is kept for it", async () => {
    const asking = "background: true,\n  deliver: 'next',\n  "
    place.putUser("hooks/mine.ts", hookFile("mine", '"notify"', asking))
    place.putUser("hooks/named.ts", hookFile("after-reply"))
    const bare = await place.built({ core, defaults: false })
    expect(named(bare, "hooktape")).toEqual(["after-reply"])
    expect(named(bare, "user")).toEqual(["mine"])
    expect(bare.manifest.shipped).toEqual({})
    expect(bare.manifest.withheld).toMatchObject([
      { reason: expect.stringContaining("which another hook needs") }
    ])
    const { registry } = place.tell(bare, "prompt.submit")
    expect(registry).toMatchObject([
      expect.anything(),
      { name: "after-reply", source: "hooktape:after-reply" }
    ])
    const whole = await place.built({ core, defaults: true })
    expect(named(whole, "hooktape")).toEqual([...all(), "after-reply"])
  })

  it("are in every build, before the user's, and need no trust", async () => {
    place.putUser("hooks/mine.ts", hookFile("mine"))
    place.put(".hooktape/hooks/theirs.ts", hookFile("theirs"))
    const built = await place.built({ core, defaults: true })
    expect(built.hooks.map(({ hook }) => hook)).toEqual([...all(), "mine"])
    expect(named(built, "hooktape")).toEqual(all())
    expect(built.manifest.shipped).toMatchObject({ "guard-all": true })
    const { registry } = place.tell(built, "tool.before")
    expect(registry).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: "guard-all",
          source: "hooktape:guard-all",
          answer: { type: "USER_HINT", text: "guarded" }
        })
      ])
    )
  })

  it("are left out by the user's configuration and by the environment", async () => {
    expect((await place.built({ core })).hooks).toEqual([])
    const none = { user: {}, project: {} }
    expect(defaultsWanted(none, undefined, {})).toBe(true)
    expect(defaultsWanted(none, undefined, { HOOKTAPE_DEFAULTS: "off" })).toBe(false)
    expect(defaultsWanted({ ...none, user: { defaults: false } }, undefined, {})).toBe(false)
    expect(defaultsWanted({ ...none, project: { defaults: false } }, undefined, {})).toBe(true)
  })

  it("a project's word on all of them is not heard, and that is said", async () => {
    place.put(".hooktape/config.json", '{ "defaults": false }')
    await place.trust()
    const built = await place.built({ core, defaults: true })
    expect(named(built, "hooktape")).toEqual(all())
    expect(built.warnings).toMatchObject([{ reason: '"defaults" changes nothing here' }])
  })

  it("are switched off and set by name, by the user and over that by the project", async () => {
    place.putUser(
      "config.json",
      '{ "hooks": { "response-log": { "enabled": false, "settings": { "longest": 7, "more": 1 } }, "guard-all": { "settings": { "kind": "mine" } } } }'
    )
    const off = await place.builtUser({ core, defaults: true })
    expect(off.manifest.shipped).toMatchObject({ "response-log": false, "guard-all": true })
    expect(off.warnings).toEqual([])
    const own = (built: BuildResult) =>
      place.tell(built, "turn.stop").registry.filter(({ name }) => name === "response-log")
    expect(own(off)).toMatchObject([
      { name: "response-log", source: "hooktape:response-log", withheld: "disabled in the configuration" }
    ])
    place.put(
      ".hooktape/config.json",
      '{ "hooks": { "response-log": { "enabled": true, "settings": { "longest": 9 } }, "guard-all": { "enabled": false } } }'
    )
    await place.trust()
    const on = await place.built({ core, defaults: true })
    expect(on.manifest.shipped).toMatchObject({ "response-log": true, "guard-all": true })
    expect(own(on)).toEqual([
      expect.objectContaining({ name: "response-log", settings: { longest: 9, more: 1 } })
    ])
    expect(on.warnings).toMatchObject([{ reason: expect.stringMatching(/"guard-all", which guards you/) }])
  })

  it("are replaced by a hook of their name, a guard by the user's only", async () => {
    place.put(".hooktape/hooks/a.ts", hookFile("response-log"))
    place.put(".hooktape/hooks/b.ts", hookFile("guard-all"))
    await place.trust()
    const built = await place.built({ core, defaults: true })
    expect(named(built, "hooktape")).toEqual(all().filter((hook) => hook !== "response-log"))
    expect(named(built, "project")).toEqual(["response-log"])
    expect(built.replaced).toMatchObject([{ hook: "response-log", file: "hooktape:response-log" }])
    expect(built.withheld).toEqual([
      {
        file: ".hooktape/hooks/b.ts",
        reason: expect.stringMatching(/comes with hooktape and guards you/),
        kind: "taken"
      }
    ])
    place.putUser("hooks/mine.ts", hookFile("guard-all"))
    expect(named(await place.builtUser({ core, defaults: true }), "user")).toEqual(["guard-all"])
  })
})

describe("docs/reference/hooks", () => {
  it("has every shipped hook and no other, with its events", () => {
    const told = rows(page("README")).flatMap(([hook = "", on = "", background = ""]) => {
      const name = /^\[`([\w-]+)`\]/.exec(hook)?.[1]
      return name === undefined ? [] : [{ name, on, background }]
    })
    expect(told).toEqual(
      defaults.map(({ hook }) => ({
        name: hook.name,
        on: (typeof hook.on === "string" ? [hook.on] : hook.on)
          .map((event: string) => `\`${event}\``)
          .join(", "),
        background: hook.background ? "yes" : "no"
      }))
    )
  })

  it.each(defaults.map(({ hook }) => hook))(
    "$name: its page begins with settings that are accepted, and lists them",
    ({ name, settings = {} }) => {
      const text = page(name)
      const example = /^# [\w-]+\n\n```json\n([\s\S]*?)```/.exec(text)?.[1] ?? ""
      const parsed = parseConfig("config.json", example)
      expect(parsed).toMatchObject({ _tag: "Right", right: { hooks: { [name]: {} } } })
      const keys = rows(text).flatMap(([key = ""]) => /^`(\w+)`$/.exec(key)?.[1] ?? [])
      expect(keys).toEqual(Object.keys(settings))
    }
  )
})
