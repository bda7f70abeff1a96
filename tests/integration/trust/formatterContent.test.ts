/** A formatter's configuration that is code: it runs once somebody said yes to what it is, wherever that content is, and no other. */
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { privateDirectory } from "../../../src/state/state.ts"
import { changeTrust } from "../../../src/tools/build/addTrusted.ts"
import { reviewFormatters, trustFormatters } from "../../../src/tools/build/formatterTrust.ts"
import { readTrust, withRevoked } from "../../../src/trust/store.ts"
import { type Clone, installPrettier, makeClone, plant, type Tree } from "../../support/clone.ts"
import { formatting } from "../../support/formatting.ts"

const ugly = "const a   = 1;const  b=2\n"
const neat = "const a = 1;\nconst b = 2;\n"
const told = "require('node:fs').writeFileSync('$canary', 'ran')\n"
const ignored = { ".gitignore": "node_modules\n", "src/a.ts": ugly }

const clones: Clone[] = []
const opened = (committed: Tree): Clone => {
  const clone = makeClone({ ...ignored, ...committed })
  installPrettier(join(clone.project, "node_modules"))
  clones.push(clone)
  return clone
}
afterEach(() => {
  vi.unstubAllEnvs()
  for (const clone of clones.splice(0)) clone.remove()
})
beforeEach(() => vi.stubEnv("PATH", [dirname(process.execPath), "/usr/bin", "/bin"].join(":")))

const stateOf = ({ root }: Clone): string => {
  const state = join(root, "state")
  privateDirectory(state)
  return state
}

const reviewed = (clone: Clone, state = stateOf(clone)) =>
  Effect.runPromise(reviewFormatters({ state, project: clone.project, again: [] }))

/** As `hooktape trust` does. */
const trust = async (clone: Clone, state = stateOf(clone)) => {
  const found = await reviewed(clone, state)
  await Effect.runPromise(trustFormatters({ state, project: clone.project, again: [] }, found))
  return found
}

const edited = async (clone: Clone, state = stateOf(clone)): Promise<string> => {
  const file = join(clone.project, "src/a.ts")
  writeFileSync(file, ugly)
  const said = await formatting(clone.project, "src/a.ts", { state, session: `${Math.random()}` })
  if (readFileSync(file, "utf8") === neat) return "formatted"
  return typeof said === "string" ? said : said.map((one) => ("text" in one ? one.text : "")).join("")
}

const code: Tree = {
  "prettier.config.js": `${told}module.exports = { ...require("./tools/style") }\n`,
  "tools/style.js": "module.exports = { semi: true }\n"
}

describe("a configuration that is code", () => {
  it("runs once it was trusted, and not before", async () => {
    const clone = opened(code)
    expect(await edited(clone)).toMatch(/is code\. .*"hooktape trust", in a terminal of yours, shows it/)
    expect(clone.hasRun()).toBe(false)
    const [found] = await trust(clone)
    expect(found).toMatchObject({ file: "prettier.config.js", change: "new" })
    expect(found?.files.map(({ file }) => file)).toEqual(["prettier.config.js", "tools/style.js"])
    expect(await edited(clone)).toBe("formatted")
    expect(clone.hasRun()).toBe(true)
    expect(await reviewed(clone)).toMatchObject([{ change: "same", diff: "" }])
  })

  it("is trusted in another clone of the same content", async () => {
    const first = opened({
      ...code,
      "prettier.config.js": code["prettier.config.js"]?.replace(told, "") ?? ""
    })
    const second = opened({
      ...code,
      "prettier.config.js": code["prettier.config.js"]?.replace(told, "") ?? ""
    })
    await trust(first)
    expect(await edited(second, stateOf(first))).toBe("formatted")
  })

  it.each<[string, Tree]>([
    ["itself", { "prettier.config.js": "module.exports = { semi: true }\n" }],
    ["what it loads", { "tools/style.js": "module.exports = { semi: true, tabWidth: 4 }\n" }],
    ["a file that Node would rather take", { "tools/style.json": "{}" }]
  ])("does not run when this is another: %s", async (_, change) => {
    const clone = opened(code)
    await trust(clone)
    plant(clone.project, change)
    expect(await edited(clone)).toContain("is code")
    expect(clone.hasRun()).toBe(false)
    const [found] = await reviewed(clone)
    expect(found?.change).toBe("changed")
    expect(found?.diff).not.toBe("")
    await trust(clone)
    expect(await edited(clone)).toBe("formatted")
  })

  it("does not run once that was revoked", async () => {
    const clone = opened(code)
    const [found] = await trust(clone)
    expect(Object.values(readTrust(stateOf(clone)).trusted)).toMatchObject([{ kind: "formatter" }])
    changeTrust(stateOf(clone), (store) => withRevoked(store, found?.digest ?? "", 1))
    expect(await edited(clone)).toContain("is code")
    expect(await reviewed(clone)).toMatchObject([{ change: "revoked" }])
    await trust(clone)
    expect(await edited(clone)).toContain("is code")
  })

  it.each<[string, Tree, string]>([
    ["a plugin by its path", { ".prettierrc": '{ "plugins": ["./tools/plugin.js"] }' }, ".prettierrc"],
    ["a plugin in plain YAML", { ".prettierrc": "plugins:\n  - ./tools/plugin.js\n" }, ".prettierrc"],
    [
      "a plugin in package.json",
      { "package.json": '{ "prettier": { "plugins": ["./tools/plugin.js"] } }' },
      "package.json"
    ]
  ])("counts what settings name: %s", async (_, settings, file) => {
    const clone = opened({ ...settings, "tools/plugin.js": `${told}module.exports = {}\n` })
    expect(await edited(clone)).toContain("hooktape trust")
    const [found] = await trust(clone)
    expect(found).toMatchObject({ file })
    expect(found?.files.map((one) => one.file)).toContain("tools/plugin.js")
    expect(await edited(clone)).toBe("formatted")
    plant(clone.project, { "tools/plugin.js": "module.exports = { other: 1 }\n" })
    expect(await edited(clone)).toContain("hooktape trust")
  })

  it("runs no package with it that the repository brings", async () => {
    const clone = opened({
      "prettier.config.js": 'module.exports = { plugins: ["@acme/plugin"] }\n',
      "packages/plugin/index.js": told
    })
    plant(join(clone.project, "node_modules"), { "@acme/plugin": "-> ../../packages/plugin" })
    await trust(clone)
    expect(await edited(clone)).toContain("is committed to the repository")
    expect(clone.hasRun()).toBe(false)
  })
})

/** The same code before and after, but for a file that only the hidden name leads to. */
const hidden: Readonly<Record<string, string>> = {
  "behind what looks like a comment": 'const a = "/*"; module.exports = require("./evil.js") // */\n',
  "behind a quote in a pattern": 'const a = /"/; module.exports = require("./evil.js")\n',
  "with escapes": 'module.exports = require("\\x2e/\\u0065vil.js")\n',
  "with escapes that are none": 'module.exports = require(".\\/ev\\il.js")\n',
  "by an address": 'export { default } from "./%65vil.js"\n',
  "by the start of its path": 'module.exports = require("./tools/" + "one.js")\n',
  "without its ending": 'module.exports = require("./evil")\n',
  "as a text": "module.exports = { plugins: [`./evil.js`] }\n",
  "over another file": 'module.exports = require("./tools/one.js")\n'
}

describe("a name that is to be overlooked", () => {
  it.each(Object.entries(hidden))("is not: %s", async (_, text) => {
    const clone = opened({
      [`prettier.config.${text.startsWith("export") ? "mjs" : "js"}`]: text,
      "evil.js": "module.exports = {}\n",
      "tools/one.js": 'module.exports = require("../evil.js")\n'
    })
    const [before] = await reviewed(clone)
    expect(before?.files.map(({ file }) => file)).toContain("evil.js")
    plant(clone.project, { "evil.js": told })
    const [after] = await reviewed(clone)
    expect(after?.digest).not.toBe(before?.digest)
  })

  it.each<[string, Tree]>([
    ["any file", { "prettier.config.js": 'require("./" + process.env.NAME)\n' }],
    ["an address", { "prettier.config.mjs": 'export { default } from " file:///tmp/evil.js"\n' }],
    ["out of a package", { "prettier.config.js": 'require("prettier/../../evil.js")\n' }],
    ["its own package", { "prettier.config.js": 'require("acme")\n', "package.json": '{ "name": "acme" }' }],
    ["folders of plugins", { ".prettierrc": '{ "pluginSearchDirs": ["./evil"] }' }],
    ["YAML that can hide a name", { ".prettierrc": 'plugins: &a\n  - "\\x2e/evil.js"\n' }],
    [
      "an import of its package",
      { "prettier.config.js": 'require("#a")\n', "package.json": '{ "imports": {} }' }
    ]
  ])("keeps it from being trusted where it cannot be told: %s", async (_, committed) => {
    const clone = opened({ ...committed, "evil.js": "" })
    expect(await reviewed(clone)).toEqual([])
    expect(await edited(clone)).toContain("projectTools")
  })

  it("is not trusted in a file that others may write", async () => {
    const clone = opened(code)
    chmodSync(join(clone.project, "tools/style.js"), 0o666)
    expect(await reviewed(clone)).toEqual([])
    expect(await edited(clone)).toContain("everybody may write")
  })

  it("is not followed out of the repository, nor from a link", async () => {
    const clone = opened({ "prettier.config.js": 'module.exports = require("./tools/linked.js")\n' })
    plant(clone.root, { "outside.js": "module.exports = {}\n" })
    plant(clone.project, { "tools/linked.js": "-> ../../outside.js" })
    expect(await reviewed(clone)).toEqual([])
    const linked = opened({ "tools/p.js": "module.exports = {}\n" })
    symlinkSync("tools/p.js", join(linked.project, "prettier.config.js"))
    expect(await reviewed(linked)).toEqual([])
  })
})
