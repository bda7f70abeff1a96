/** Sets of shipped hooks: which are in them, how a choice is written, and that an upgrade adds nothing to one. */
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import { defaults } from "../../../src/features/defaults.ts"
import { hooksOf, type Preset, presetNamed, presets } from "../../../src/features/presets.ts"
import { parseConfig } from "../../../src/state/config.ts"
import {
  findShipped,
  serving,
  shippedNow,
  shippedSettings,
  shippedStates
} from "../../../src/tools/build/shipped.ts"
import { choosePreset } from "../../../src/tools/presets/choosePreset.ts"

const all = findShipped((module) => module)
/** Those that anybody chooses. */
const shipped = all.filter(({ serves }) => serves === undefined)
const guards = defaults.flatMap(({ hook, isGuard }) => (isGuard ? [hook.name] : []))
const byThemselves = shipped.filter(({ enabled }) => enabled).map(({ hook }) => hook)

/** A folder of the user's settings that hold this. */
const folderWith = (text?: string): string => {
  const folder = mkdtempSync(join(homedir(), "presets-"))
  if (text !== undefined) writeFileSync(join(folder, "config.json"), text)
  return folder
}
const textIn = (folder: string): string => readFileSync(join(folder, "config.json"), "utf8")
const chosen = (folder: string, preset: Preset) => Effect.runSync(choosePreset(folder, preset))

/** Which of the shipped hooks a build with these settings of the user has on. */
const onWith = (text: string, hooks = shipped): readonly string[] => {
  const user = Either.getOrThrow(parseConfig("config.json", text))
  const states = shippedStates(hooks, shippedSettings(hooks, { user, project: {} }))
  // What is said before the next build is what the build then does.
  expect(shippedNow(shippedStates(hooks, {}), user)).toEqual(states)
  return Object.keys(states).filter((hook) => states[hook])
}

describe("a set", () => {
  it("has the guards, whichever it is", () => {
    for (const preset of presets) expect(hooksOf(preset)).toEqual(expect.arrayContaining(guards))
  })

  it("that is quiet changes no file and leaves prompts alone; standard is today's; full is all", () => {
    expect(byThemselves.filter((hook) => !hooksOf("quiet").includes(hook))).toEqual([
      "context",
      "format-on-edit"
    ])
    expect(hooksOf("standard")).toEqual(byThemselves)
    expect(hooksOf("full")).toEqual(shipped.map(({ hook }) => hook))
  })
})

it("is told from an answer by its first letters, and from no answer none", () => {
  expect(["quiet\n", "Q", " full", "", "no", undefined].map(presetNamed)).toEqual([
    "quiet",
    "quiet",
    "full",
    undefined,
    undefined,
    undefined
  ])
})

describe("a choice", () => {
  it("leaves alone what other hooks need", () => {
    const user = Either.getOrThrow(parseConfig("config.json", '{"shipped": []}'))
    const settings = shippedSettings(all, { user, project: {} })
    expect(settings["after-reply"]).toBeUndefined()
    expect(settings["context"]).toEqual({ enabled: false })
    const [asking] = all.map((hook) => ({ ...hook, fields: { deliver: "next" } }))
    expect(serving(all, asking === undefined ? [] : [asking]).map(({ hook }) => hook)).toEqual([
      "after-reply"
    ])
    expect(serving(all, shipped)).toEqual([])
  })

  it.each(presets)("of %s is what a build then has on", (preset) => {
    const folder = folderWith()
    chosen(folder, preset)
    expect(onWith(textIn(folder))).toEqual(hooksOf(preset))
  })

  it("is none where nobody chose", () => {
    expect(onWith("{}")).toEqual(byThemselves)
  })

  it("leaves comments and all else as they are, and what is said of one hook counts over it", () => {
    const folder = folderWith(
      '{\n  // mine\n  "deadlineMs": 3000,\n  "hooks": { "context": { "enabled": true } }\n}\n'
    )
    expect(chosen(folder, "quiet").apart).toEqual(["context"])
    expect(textIn(folder)).toMatch(/^\{\n {2}\/\/ mine\n {2}"deadlineMs": 3000,/)
    expect(onWith(textIn(folder))).toContain("context")
  })

  it("shortens the briefing of the quiet set, gives it back, and never takes a number of the user", () => {
    const tokens = (text: string) =>
      Either.getOrThrow(parseConfig("config.json", text)).hooks?.["session-brief"]?.settings?.["tokens"]
    const folder = folderWith()
    chosen(folder, "quiet")
    expect(tokens(textIn(folder))).toBe(400)
    chosen(folder, "full")
    expect(tokens(textIn(folder))).toBeUndefined()
    const own = folderWith('{ "hooks": { "session-brief": { "settings": { "tokens": 90 } } } }')
    chosen(own, "quiet")
    expect(tokens(textIn(own))).toBe(90)
  })

  it("is written through a link, and over nothing that cannot be read", () => {
    const elsewhere = folderWith("{}")
    const folder = join(folderWith(), "hooktape")
    mkdirSync(folder)
    symlinkSync(join(elsewhere, "config.json"), join(folder, "config.json"))
    chosen(folder, "quiet")
    expect(textIn(elsewhere)).toContain("shipped")
    const broken = folderWith("{ nope")
    const answer = Effect.runSync(Effect.either(choosePreset(broken, "quiet")))
    expect(Either.isLeft(answer) ? answer.left.problems[0]?.reason : "").toMatch(/is not JSON/)
    expect(textIn(broken)).toBe("{ nope")
  })

  it("is not changed by a version that ships one more", () => {
    const folder = folderWith()
    chosen(folder, "full")
    const [first] = shipped
    if (first === undefined) throw new Error("nothing is shipped")
    const later = [...shipped, { ...first, hook: "new-in-this-version", enabled: true }]
    expect(onWith(textIn(folder), later)).toEqual(hooksOf("full"))
  })

  it("cannot leave a guard off", () => {
    expect(onWith('{ "shipped": [] }')).toEqual(guards)
    expect(onWith('{ "shipped": [], "hooks": { "own-guards": { "enabled": false } } }')).not.toContain(
      "own-guards"
    )
  })

  it("is no list of anything else", () => {
    expect(Either.isLeft(parseConfig("config.json", '{ "shipped": "quiet" }'))).toBe(true)
  })
})
