import { execFileSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { staleness } from "../../../src/runtime/builds/rebuild.ts"
import { bundleOf, eventOf, type Manifest } from "../../../src/state/manifest.ts"
import type { BuildOptions } from "../../../src/tools/build/build.ts"
import { collectGarbage } from "../../../src/tools/build/output.ts"
import { hookFile, workshop } from "../../support/build/workshop.ts"

const names = (told: { readonly registry: readonly { readonly name: string }[] }): readonly string[] =>
  told.registry.map(({ name }) => name)

describe("bundles", () => {
  it("each event that a hook wants has its own, and all others share one", async () => {
    const shop = workshop()
    shop.putUser("hooks/guard.ts", hookFile("guard"))
    const result = await shop.builtUser()
    expect(result.manifest.events).toEqual({ "tool.before": "tool.before.cjs" })
    expect(shop.tell(result, "tool.before")).toMatchObject({
      adapters: ["raw"],
      registry: [{ name: "guard", answer: { type: "USER_HINT", text: "from guard" } }]
    })
    expect(shop.tell(result, "turn.stop").registry).toEqual([])
    expect(eventOf(result.manifest, "raw", "PreToolUse")).toBe("tool.before")
    expect(eventOf(result.manifest, "raw", "Unheard")).toBe("agent.Unheard")
    expect(eventOf(result.manifest, "raw", "constructor")).toBe("agent.constructor")
  })

  it("hooks of derived events are in the bundles of what they follow from", async () => {
    const shop = workshop()
    shop.putUser("hooks/a.ts", hookFile("edits", '"file.edited"'))
    shop.putUser("hooks/b.ts", hookFile("errors", '"error.observed"'))
    shop.putUser("hooks/c.ts", hookFile("passed", '"agent.Some:Thing"'))
    const result = await shop.builtUser()
    expect(Object.keys(result.manifest.events).sort()).toEqual([
      "agent.Some:Thing",
      "tool.after",
      "tool.batch",
      "tool.failure"
    ])
    expect(names(shop.tell(result, "tool.after"))).toEqual(["edits", "errors"])
    expect(names(shop.tell(result, "tool.failure"))).toEqual(["errors"])
    expect(names(shop.tell(result, "agent.Some:Thing"))).toEqual(["passed"])
  })

  it("registers by file name, then in the order of the exports", async () => {
    const shop = workshop()
    const one = (name: string) => `defineHook({ name: "${name}", on: "tool.before", run() {} })`
    shop.putUser(
      "hooks/b.ts",
      `import { defineHook } from "hooktape"
       const listed = ${one("listed")}
       export const zebra = ${one("zebra")}
       export default [listed, [${one("nested")}]]
       export const apple = ${one("apple")}
       export const unrelated = 42`
    )
    shop.putUser(
      "hooks/a.js",
      `const { defineHook } = require("hooktape"); module.exports = ${one("common")}`
    )
    shop.putUser("hooks/_helper.ts", "throw new Error('a helper is not loaded by itself')")
    shop.putUser("hooks/a.test.ts", "throw new Error('a test is not loaded')")
    shop.putUser("hooks/a.d.ts", "export type A = 1")
    const result = await shop.builtUser()
    expect(names(shop.tell(result, "tool.before"))).toEqual(["common", "zebra", "listed", "nested", "apple"])
  })

  it("of two of one owner with one name the later counts; a project's never replaces the user's", async () => {
    const shop = workshop()
    shop.putUser("hooks/a.ts", hookFile("shared"))
    shop.putUser("hooks/b.ts", hookFile("users"))
    shop.putUser("hooks/c.ts", hookFile("shared"))
    shop.put(".hooktape/hooks/a.ts", hookFile("shared"))
    shop.put(".hooktape/hooks/b.ts", hookFile("own"))
    const file = shop.put(".hooktape/hooks/c.ts", hookFile("own"))
    await shop.trust()
    const result = await shop.built()
    const under = (name: string): string => join(shop.userFolder, name)
    expect(result.replaced).toEqual([
      { hook: "shared", file: under("hooks/a.ts"), by: under("hooks/c.ts") },
      { hook: "own", file: join(shop.project, ".hooktape/hooks/b.ts"), by: file }
    ])
    const taken = 'hook "shared" has the name of one of your own hooks'
    expect(result.withheld).toEqual([{ file: ".hooktape/hooks/a.ts", reason: taken, kind: "taken" }])
    const told = shop.tell(result, "tool.before")
    expect(told.registry.map(({ name, source, withheld }) => [name, source, withheld])).toEqual([
      [".hooktape/hooks/a.ts", ".hooktape/hooks/a.ts", taken],
      ["users", join(shop.userFolder, "hooks/b.ts"), undefined],
      ["shared", join(shop.userFolder, "hooks/c.ts"), undefined],
      ["own", file, undefined]
    ])
    expect(shop.tell(result, "session.start").notices).toMatchObject([
      { text: "hooktape: 1 hook of this project has a name that is taken and does not run." },
      {}
    ])
  })

  it("a file that does not load any more fails as its hooks, and alone", async () => {
    const shop = workshop()
    const when =
      'onFailure: "block", priority: 7, when: { command: /^rm\\b/i }, metadata: { "__proto__": 1 },\n  '
    const only = `if (process.env["BREAK"] === "1")`
    shop.putUser(
      "hooks/a.ts",
      `${only} throw new TypeError("no words")\n${hookFile("a", '"tool.before"', when)}`
    )
    shop.putUser("hooks/b.ts", `${only} process.exit(3)\n${hookFile("b")}`)
    shop.putUser("hooks/c.ts", hookFile("c"))
    const result = await shop.builtUser()
    expect(names(shop.tell(result, "tool.before"))).toEqual(["a", "b", "c"])
    process.env["BREAK"] = "1"
    try {
      const [a, b, c] = shop.tell(result, "tool.before").registry
      expect(a).toMatchObject({ name: "a", onFailure: "block", priority: 7, thrown: "TypeError: no words" })
      expect(b).toMatchObject({ name: "b", thrown: expect.stringContaining("tried to end the process") })
      expect(c).toMatchObject({ name: "c", answer: { text: "from c" } })
    } finally {
      delete process.env["BREAK"]
    }
    expect(readFileSync(bundleOf(result.manifest, "tool.before"), "utf8")).toContain(`"^rm\\\\b"`)
  })

  it("brings packages of the project, local files, JSON and places, and no native or unrelated code", async () => {
    const shop = workshop()
    shop.put("node_modules/left/package.json", '{ "name": "left", "version": "1.0.0", "main": "left.js" }')
    shop.put("node_modules/left/left.js", "exports.left = (text) => text + '!'")
    shop.put(".hooktape/rules.json", '{ "rule": "be kind" }')
    shop.put("lib/where.ts", "export const where: string = import.meta.url")
    shop.put(
      ".hooktape/hooks/a.ts",
      `import { defineHook, userHint } from "hooktape"
       import { left } from "left"
       import rules from "../rules.json"
       import { where } from "../../lib/where.ts"
       export default defineHook({ name: "a", on: "notify", run: () => userHint(left(rules.rule) + where + __filename) })
       export const other = defineHook({ name: "b", on: "turn.stop", run: () => userHint("only-in-turn-stop") })`
    )
    await shop.trust()
    const result = await shop.built()
    const [told] = shop.tell(result, "notify").registry
    expect(told?.answer).toEqual({
      type: "USER_HINT",
      text: `be kind!file://${shop.project}/lib/where.ts${shop.project}/.hooktape/hooks/a.ts`
    })
    const text = readFileSync(bundleOf(result.manifest, "notify"), "utf8")
    expect(text).not.toContain("only-in-turn-stop")
    expect(text).not.toMatch(/better_sqlite3|ParseResult|effect\/Schema|FiberRuntime/)
    expect(text.length).toBeLessThan(8000)
  })

  it("runs Effects with the project's own copy, and only where a hook returns one", async () => {
    const shop = workshop()
    shop.putUser("hooks/plain.ts", hookFile("plain", '"turn.stop"'))
    shop.putUser(
      "hooks/effectful.ts",
      `import * as Effect from "effect/Effect"
       import { defineHook, userHint } from "hooktape"
       export default defineHook({ name: "effectful", on: "notify", run: () => Effect.succeed(userHint("computed")) })`
    )
    const result = await shop.builtUser()
    expect(shop.tell(result, "notify")).toMatchObject({
      effects: true,
      registry: [{ answer: { type: "USER_HINT", text: "computed" } }]
    })
    expect(shop.tell(result, "turn.stop").effects).toBe(false)
    const sizeOf = (event: string) => readFileSync(bundleOf(result.manifest, event)).length
    expect(sizeOf("turn.stop")).toBeLessThan(8000)
    expect(sizeOf("notify")).toBeGreaterThan(50_000)
  })
})

describe("settings", () => {
  it("switch off, move and give time, each owner's for the owner's hooks", async () => {
    const shop = workshop()
    shop.putUser("hooks/a.ts", hookFile("off"))
    shop.putUser("hooks/b.ts", hookFile("moved", '"tool.before"', "priority: 10,\n  "))
    shop.putUser(
      "config.json",
      '{ "hooks": { "off": { "enabled": false }, "moved": { "priority": 20, "onFailure": "ask" } } }'
    )
    shop.put(
      ".hooktape/config.json",
      '{\n  // for this project\n  "deadlineMs": 700, "hooks": { "moved": { "enabled": false }, "own": { "priority": 30 } },\n}'
    )
    shop.put(".hooktape/hooks/a.ts", hookFile("own"))
    await shop.trust()
    const result = await shop.built()
    expect(shop.tell(result, "tool.before").registry).toMatchObject([
      { name: "off", withheld: "disabled in the configuration" },
      { name: "moved", priority: 20, onFailure: "ask" },
      { name: "own", priority: 30, deadline: 700 }
    ])
    expect(result.manifest.deadlineMs).toBe(5000)
    expect(result.warnings.map(({ reason }) => reason)).toEqual([
      'settings for "moved", which is not a hook of this project but one of your own: they change nothing'
    ])
  })

  it("give no time of the call to what runs after the reply, by the hook's word or the configuration's", async () => {
    const shop = workshop()
    shop.put(
      ".hooktape/config.json",
      '{ "deadlineMs": 700, "hooks": { "moved": { "background": true }, "back": { "background": false }, "timed": { "deadline": 900 } } }'
    )
    const background = "background: true,\n  "
    shop.put(".hooktape/hooks/a.ts", hookFile("job", '"tool.before"', background))
    shop.put(".hooktape/hooks/b.ts", hookFile("moved"))
    shop.put(".hooktape/hooks/c.ts", hookFile("back", '"tool.before"', background))
    shop.put(".hooktape/hooks/d.ts", hookFile("timed", '"tool.before"', background))
    await shop.trust()
    const { registry } = shop.tell(await shop.built(), "tool.before")
    const told: readonly { readonly name: string; readonly deadline?: unknown }[] = registry
    expect(told.map(({ deadline, name }) => [name, deadline])).toEqual([
      ["job", undefined],
      ["moved", undefined],
      ["back", 700],
      ["timed", 900]
    ])
  })

  it("decide with the hooks' own word who runs first, and the result says the order", async () => {
    const shop = workshop()
    shop.putUser("hooks/a.ts", hookFile("late", '["tool.before", "turn.stop"]', "priority: 900,\n  "))
    shop.putUser("hooks/b.ts", hookFile("first", '"tool.before"', "priority: 0,\n  "))
    shop.putUser("hooks/c.ts", hookFile("between"))
    shop.putUser("hooks/d.ts", hookFile("off"))
    shop.putUser("config.json", '{ "hooks": { "off": { "enabled": false }, "first": { "priority": 600 } } }')
    expect((await shop.builtUser()).order).toEqual({
      "tool.before": ["between", "first", "late"],
      "turn.stop": ["late"]
    })
  })

  it("for a hook that is not there are pointed out", async () => {
    const shop = workshop()
    shop.putUser("hooks/a.ts", hookFile("no-force-push"))
    shop.putUser("config.json", '{ "hooks": { "no-force-psuh": { "enabled": false } } }')
    expect((await shop.builtUser()).warnings).toMatchObject([
      {
        reason: 'settings for "no-force-psuh", but there is no such hook',
        remedy: 'Did you mean "no-force-push"?'
      }
    ])
  })

  it("that are wrong fail the build by file, line and key", async () => {
    const shop = workshop()
    shop.putUser("config.json", '{\n  "hooks": {\n    "a": {\n      "priorty": 1 } } }')
    expect((await shop.broken()).message).toBe(
      `${shop.userFolder}/config.json:4: unknown key "hooks.a.priorty"\n  Did you mean "priority"?`
    )
  })
})

describe("what does not build", () => {
  const cases: [string, string, RegExp, Partial<BuildOptions>?][] = [
    [
      "a syntax error",
      "import { defineHook } from 'hooktape'\nexport default defineHook({{)",
      /a\.ts:2:\d+: Expected/
    ],
    [
      "a missing package",
      "import { x } from 'not-there'\nexport default x",
      /a\.ts:1:\d+: Could not resolve "not-there"[\s\S]*npm install not-there/
    ],
    [
      "a missing file",
      "import { x } from './gone.ts'\nexport default x",
      /a\.ts:1:\d+: Could not resolve "\.\/gone\.ts"/
    ],
    [
      "a path of ours",
      "import { x } from 'hooktape/inside'\nexport default x",
      /a\.ts:1:\d+: there is no "hooktape\/inside"/
    ],
    ["top-level await", `await 1\n${hookFile("a")}`, /a\.ts:1:\d+: .*top-level await/i],
    [
      "a throw",
      "import 'hooktape'\nconst rules: string[] = []\nthrow new TypeError('no ' + rules.length)",
      /a\.ts:3:\d+: throws while loading: TypeError: no 0/
    ],
    [
      "an exit",
      "console.log('bye')\nprocess.exit(0)",
      /a\.ts: ended the process with code 0 while loading; it said: bye/
    ],
    [
      "a crash",
      "process.kill(process.pid, 'SIGSEGV')\nfor (;;) {}",
      /a\.ts: crashed with SIGSEGV while loading/
    ],
    ["a hang", "for (;;) {}", /a\.ts: did not finish loading within 0\.5 s/, { loadTimeoutMs: 500 }],
    ["no hook", "export const a = 1", /a\.ts: exports no hook\n {2}Export one/],
    [
      "an unwrapped hook",
      "export default {\n  name: 'a', on: 'notify', run() {} }",
      /a\.ts:2: the default export reads like a hook but was not made by defineHook/
    ],
    [
      "a wrong event",
      hookFile("a", '"tool.befor"'),
      /a\.ts:4: hook "a": there is no event "tool\.befor"\n {2}Did you mean "tool\.before"\?/
    ],
    [
      "an event by the name it has elsewhere",
      hookFile("a", '"pre-tool-execution"'),
      /there is no event "pre-tool-execution"\n {2}Here it is called "tool\.before"\./
    ],
    [
      "a wrong limit",
      hookFile("a", '"notify"', "cooldown: 'soon', retry: 99,\n  "),
      /hook "a": `cooldown` must be a number of milliseconds, or a text such as[\s\S]*hook "a": `retry` must be a whole number/
    ],
    [
      "a wrong predicate",
      hookFile("a", '"notify"', "when: { matches: true },\n  "),
      /hook "a": `when\.matches` must be a function/
    ],
    [
      "a wrong priority",
      hookFile("a", '"notify"', "priority: 1001,\n  "),
      /a\.ts:5: hook "a": `priority` must be a whole number from 0 to 1000/
    ],
    [
      "a wrong deadline",
      hookFile("a", '"notify"', "deadline: '2 hours',\n  "),
      /a\.ts:5: hook "a": `deadline` must be/
    ],
    [
      "a wrong policy",
      hookFile("a", '"notify"', "onFailure: 'blok',\n  "),
      /a\.ts:5: hook "a": `onFailure` cannot be "blok"\n {2}Did you mean "block"\?/
    ],
    [
      "a background that is neither",
      hookFile("a", '"notify"', "background: 'yes',\n  "),
      /a\.ts:5: hook "a": `background` must be true or false/
    ],
    [
      "a guard in the background",
      hookFile("a", '"notify"', "background: true,\n  onFailure: 'block',\n  "),
      /a\.ts:6: hook "a": `onFailure` cannot be "block" for a hook in the background\n {2}Its run comes after/
    ],
    [
      "a word for the next event from one that has its own",
      hookFile("a", '"notify"', "deliver: 'next',\n  "),
      /a\.ts:5: hook "a": `deliver` is for a hook in the background\n {2}Without `background: true`/
    ],
    [
      "a word for another event than the next",
      hookFile("a", '"notify"', "background: true,\n  deliver: { to: 'next', within: 'soon' },\n  "),
      /a\.ts:6: hook "a": `deliver` has a `within` that must be a number of milliseconds/
    ],
    [
      "a wrong agent",
      hookFile("a", '"notify"', "agents: ['claude'],\n  "),
      /a\.ts:5: hook "a": `agents` cannot be "claude"/
    ],
    [
      "an unknown key",
      hookFile("a", '"notify"', "prioriti: 1,\n  "),
      /a\.ts:5: hook "a": a hook has no `prioriti`\n {2}Did you mean "priority"\?/
    ],
    [
      "a wrong when",
      hookFile("a", '"notify"', "when: { tol: 'shell' },\n  "),
      /a\.ts:5: hook "a": `when` has no `tol`/
    ],
    [
      "no name",
      "import { defineHook } from 'hooktape'\nexport default defineHook({ on: 'notify', run() {} } as any)",
      /a\.ts: a hook needs a `name`/
    ],
    [
      "one name twice",
      `${hookFile("a")}export const b = defineHook({ name: "a", on: "notify", run() {} })`,
      /a\.ts:7: two hooks of this file are called "a"/
    ]
  ]
  it.each(cases)(
    "%s is told with its place and leaves what worked before in use",
    async (_, text, message, limits) => {
      const shop = workshop()
      shop.putUser("hooks/a.ts", hookFile("before"))
      const before = await shop.builtUser()
      shop.putUser("hooks/a.ts", text)
      const error = await shop.brokenUser(limits)
      expect(error.message).toMatch(message)
      const manifest = JSON.parse(readFileSync(before.manifestFile, "utf8")) as Manifest
      expect(manifest.events).toMatchObject(before.manifest.events)
      expect(manifest.failed?.join("\n")).toMatch(message)
      // The same sources are not tried again at every hook; changed ones are.
      expect(staleness(before.manifest)).toBe("stale")
      expect(staleness(manifest)).toBe("fresh")
      expect(names(shop.tell({ ...before, manifest }, "tool.before"))).toEqual(["before"])
    }
  )

  it("tells of every broken file at once", async () => {
    const shop = workshop()
    shop.putUser("hooks/a.ts", "export const a = 1")
    shop.putUser("hooks/b.ts", "throw new Error('b')")
    const error = await shop.brokenUser()
    expect(error.problems.map(({ file }) => file.slice(-4))).toEqual(["a.ts", "b.ts"])
  })

  it("a file that leaves something running is not waited for", async () => {
    const shop = workshop()
    shop.putUser("hooks/a.ts", `setInterval(() => {}, 1000)\n${hookFile("a")}`)
    expect((await shop.builtUser()).hooks).toHaveLength(1)
  })
})

describe("trust", () => {
  const withheld =
    'hooktape: .hooktape/hooks/b.ts does not build and does not run. "hooktape check" says why. 1 file of this project is not trusted. Read it, then run "hooktape trust".'
  const broken = 'does not build: Expected ";" but found "syntax" (b.ts:1)'

  it("what is not trusted is neither loaded nor bundled, and said once per session", async () => {
    const shop = workshop()
    const mark = join(shop.home, "ran")
    shop.put(
      ".hooktape/hooks/a.ts",
      `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "")\n${hookFile("a-of-nobody")}`
    )
    shop.put(".hooktape/hooks/b.ts", "a syntax error")
    shop.putUser("hooks/mine.ts", hookFile("mine"))
    const result = await shop.built()
    expect(existsSync(mark)).toBe(false)
    expect(result.withheld.map(({ reason }) => reason)).toEqual(["not trusted", broken])
    expect(shop.tell(result, "session.start").notices).toMatchObject([
      { type: "USER_HINT", text: withheld },
      { type: "DIAGNOSTIC" }
    ])
    const told = shop.tell(result, "tool.before")
    expect(told.notices).toBeUndefined()
    expect(told.registry).toMatchObject([
      { name: ".hooktape/hooks/a.ts", withheld: "not trusted" },
      { name: ".hooktape/hooks/b.ts", withheld: broken },
      { name: "mine", answer: {} }
    ])
    for (const file of readdirSync(result.manifest.dir)) {
      expect(readFileSync(join(result.manifest.dir, file), "utf8")).not.toContain("a-of-nobody")
    }
  })

  it("of a changed file, a changed import and changed settings the last trusted version runs", async () => {
    const shop = workshop()
    shop.put(".hooktape/hooks/a.ts", `import "../../lib/deep.ts"\n${hookFile("a")}`)
    shop.put("lib/deep.ts", "import './deeper.ts'")
    shop.put("lib/deeper.ts", "export {}")
    shop.put(".hooktape/hooks/b.ts", hookFile("b"))
    await shop.trust()
    const reasons = async () => {
      const { held, hooks, withheld } = await shop.built()
      expect(hooks.map(({ hook }) => hook)).toEqual(["a", "b"])
      return [...held, ...withheld].map(({ file, reason }) => `${file} ${reason}`)
    }
    expect(await reasons()).toEqual([])
    shop.put("lib/deeper.ts", "export const changed = true")
    expect(await reasons()).toEqual([".hooktape/hooks/a.ts lib/deeper.ts changed since you trusted it"])
    await shop.trust()
    expect(await reasons()).toEqual([])
    shop.put(".hooktape/hooks/b.ts", "broken while untrusted (")
    expect(await reasons()).toEqual([
      '.hooktape/hooks/b.ts does not build: Expected ";" but found "while" (b.ts:1)'
    ])
    shop.put(".hooktape/hooks/b.ts", hookFile("b"))
    shop.put(".hooktape/config.json", '{ "hooks": { "b": { "enabled": false } } }')
    expect(await reasons()).toEqual([
      ".hooktape/hooks/b.ts the configuration changed since you trusted it",
      ".hooktape/config.json not trusted"
    ])
  })

  it("what runs is what was read, even if the file is another one by then", async () => {
    const shop = workshop()
    const evil = JSON.stringify(hookFile("evil"))
    shop.put(
      ".hooktape/hooks/a.ts",
      `require("node:fs").writeFileSync(__filename, ${evil})\n${hookFile("good")}`
    )
    await shop.trust()
    const result = await shop.built()
    expect(names(shop.tell(result, "tool.before"))).toEqual(["good"])
    expect((await shop.built()).held).toMatchObject([{ reason: "changed since you trusted it" }])
  })

  it("holds for packages and for whatever lies in a folder of that name", async () => {
    const shop = workshop()
    shop.put("node_modules/left/package.json", '{ "name": "left", "main": "left.js" }')
    const left = shop.put("node_modules/left/left.js", "exports.left = 1")
    const vendored = shop.put("vendor/node_modules/v", "exports.v = 1")
    shop.put(".hooktape/hooks/a.ts", `import "left"\nimport "../../vendor/node_modules/v"\n${hookFile("a")}`)
    const { files } = await shop.trust()
    expect(files.map(({ file }) => file).sort()).toEqual([
      ".hooktape/hooks/a.ts",
      "node_modules/left/left.js",
      "vendor/node_modules/v"
    ])
    for (const file of [left, vendored]) {
      await shop.trust()
      const { held, manifest, withheld } = await shop.built()
      expect([...held, ...withheld]).toEqual([])
      writeFileSync(file, "exports.evil = 2")
      expect(staleness(manifest)).toBe("stale")
      expect((await shop.built()).held).toMatchObject([
        { reason: expect.stringMatching(/(left\.js|v) changed since you trusted it$/) }
      ])
    }
  })

  it("a link to a device, a pipe, or out of the project is not read", async () => {
    const shop = workshop()
    shop.put(".hooktape/hooks/a.ts", `import "./_x.ts"\n${hookFile("a")}`)
    const link = join(shop.project, ".hooktape/hooks/_x.ts")
    const outside = join(shop.home, "outside.ts")
    writeFileSync(outside, "export {}")
    const pipe = join(shop.project, "pipe.ts")
    execFileSync("mkfifo", [pipe])
    const cases = [
      ["/dev/ptmx", /lies outside of the project/],
      [pipe, /is not a regular file/],
      [outside, /lies outside of the project/]
    ] as const
    for (const [to, reason] of cases) {
      symlinkSync(to, link)
      expect((await shop.trust()).problems).toMatchObject([{ reason: expect.stringMatching(reason) }])
      expect((await shop.built()).withheld).toMatchObject([{ reason: expect.stringMatching(reason) }])
      rmSync(link)
    }
    shop.put(".hooktape/hooks/_x.ts", `//${" ".repeat(2 * 1024 * 1024)}`)
    expect((await shop.trust()).problems).toMatchObject([
      { reason: expect.stringContaining("is larger than 2 MB") }
    ])
    rmSync(link)
    symlinkSync(pipe, join(shop.project, ".hooktape/config.json"))
    shop.put(".hooktape/hooks/_x.ts", "")
    expect((await shop.built()).hooks).toEqual([])
  })

  it("does not follow .hooktape or a hook file out of the project", async () => {
    const shop = workshop()
    const elsewhere = join(shop.home, "elsewhere")
    mkdirSync(join(elsewhere, "hooks"), { recursive: true })
    writeFileSync(join(elsewhere, "hooks/a.ts"), hookFile("a"))
    symlinkSync(elsewhere, join(shop.project, ".hooktape"))
    expect((await shop.built()).withheld).toEqual([
      { file: ".hooktape", reason: "leads out of the project through a symbolic link" }
    ])
    rmSync(join(shop.project, ".hooktape"))
    mkdirSync(join(shop.project, ".hooktape/hooks"), { recursive: true })
    symlinkSync(join(elsewhere, "hooks/a.ts"), join(shop.project, ".hooktape/hooks/a.ts"))
    expect((await shop.built()).withheld).toEqual([
      { file: ".hooktape/hooks/a.ts", reason: "leads out of the project through a symbolic link" }
    ])
  })
})

describe("on disk", () => {
  it("the same sources are the same build, byte for byte; other ones another", async () => {
    const shop = workshop()
    shop.putUser("hooks/a.ts", hookFile("a"))
    const first = await shop.builtUser()
    const again = await shop.builtUser()
    expect(again.manifest).toEqual(first.manifest)
    shop.putUser("hooks/a.ts", hookFile("b"))
    expect((await shop.builtUser()).manifest.build).not.toBe(first.manifest.build)
    expect(readdirSync(join(shop.state, "build")).filter((name) => name.startsWith("."))).toEqual([])
  })

  it("many at once leave one whole build", async () => {
    const shop = workshop()
    shop.putUser("hooks/a.ts", hookFile("a"))
    const results = await Promise.all([1, 2, 3, 4].map(() => shop.builtUser()))
    expect(new Set(results.map(({ manifest }) => manifest.build)).size).toBe(1)
    expect(readdirSync(join(shop.state, "build"))).toEqual([results[0]?.manifest.build])
  })

  it("a file that was lost from a build comes back", async () => {
    const shop = workshop()
    shop.putUser("hooks/a.ts", hookFile("a"))
    const { manifest } = await shop.builtUser()
    rmSync(bundleOf(manifest, "tool.before"))
    await shop.builtUser()
    expect(existsSync(bundleOf(manifest, "tool.before"))).toBe(true)
  })

  it("has what a build before it has as well once on disk, and takes what was kept of it compiled", async () => {
    const shop = workshop()
    shop.putUser("hooks/a.ts", hookFile("a", '["session.start"]'))
    shop.putUser("hooks/b.ts", hookFile("b"))
    const { manifest: before } = await shop.builtUser()
    const cache = ".claude-code.v1.cache"
    for (const name of readdirSync(before.dir).filter((name) => name.endsWith(".cjs")))
      writeFileSync(join(before.dir, `${name}${cache}`), name)
    shop.putUser("hooks/b.ts", hookFile("b", undefined, "priority: 7,\n  "))
    const { manifest } = await shop.builtUser()
    expect(manifest.build).not.toBe(before.build)
    const inode = ({ dir }: Manifest, name: string) => statSync(join(dir, name)).ino
    expect(inode(manifest, "core.cjs")).toBe(inode(before, "core.cjs"))
    expect(inode(manifest, `core.cjs${cache}`)).toBe(inode(before, `core.cjs${cache}`))
    expect(inode(manifest, `default.cjs${cache}`)).toBe(inode(before, `default.cjs${cache}`))
    expect(inode(manifest, "tool.before.cjs")).not.toBe(inode(before, "tool.before.cjs"))
    // Of the same content, but an author's: where its errors come from is known by where the file lies.
    expect(inode(manifest, "session.start.cjs")).toBe(inode(before, "session.start.cjs"))
    expect(existsSync(join(manifest.dir, "session.start.cjs.map"))).toBe(true)
    for (const name of ["session.start.cjs", "tool.before.cjs"])
      expect(existsSync(join(manifest.dir, `${name}${cache}`)), name).toBe(false)
  })

  it("writes what was damaged in a build before it anew, and leaves that one", async () => {
    const shop = workshop()
    shop.putUser("hooks/a.ts", hookFile("a"))
    const { manifest: before } = await shop.builtUser()
    const whole = readFileSync(join(before.dir, "core.cjs"), "utf8")
    writeFileSync(join(before.dir, "core.cjs"), "damaged")
    writeFileSync(join(before.dir, "core.cjs.all.v1.cache"), "")
    shop.putUser("hooks/a.ts", `${hookFile("a")}// changed`)
    shop.putUser("hooks/b.ts", hookFile("b"))
    const { manifest } = await shop.builtUser()
    expect(readFileSync(join(manifest.dir, "core.cjs"), "utf8")).toBe(whole)
    expect(readFileSync(join(before.dir, "core.cjs"), "utf8")).toBe("damaged")
    expect(existsSync(join(manifest.dir, "core.cjs.all.v1.cache"))).toBe(false)
  })

  it("keeps the last three builds and removes older ones once nobody can be about to use them", async () => {
    const shop = workshop()
    const builds: string[] = []
    for (const name of ["a", "b", "c", "d"]) {
      shop.putUser("hooks/a.ts", hookFile(name))
      builds.push((await shop.builtUser()).manifest.build)
    }
    const present = () => readdirSync(join(shop.state, "build")).sort()
    expect(present()).toEqual([...builds].sort())
    const old = new Date(0)
    for (const build of builds) utimesSync(join(shop.state, "build", build), old, old)
    expect(collectGarbage(shop.state, Date.now())).toEqual([builds[0]])
    expect(present()).toEqual(builds.slice(1).sort())
  })

  it("is stale when a source, an import, a folder or the settings change, appear or go", async () => {
    const shop = workshop()
    shop.put(".hooktape/hooks/a.ts", `import "../help.ts"\n${hookFile("a")}`)
    const help = shop.put(".hooktape/help.ts", "export {}")
    await shop.trust()
    const changes: readonly (readonly [string, () => void])[] = [
      ["edited import", () => writeFileSync(help, "export const edited = 1")],
      ["new file", () => shop.put(".hooktape/hooks/b.ts", hookFile("b"))],
      ["gone file", () => rmSync(join(shop.project, ".hooktape/hooks/b.ts"))],
      ["new settings", () => shop.put(".hooktape/config.json", "{}")],
      ["the user's first hook", () => shop.putUser("hooks/a.ts", hookFile("u"))],
      ["touched", () => utimesSync(help, new Date(1000), new Date(1000))]
    ]
    for (const [what, change] of changes) {
      const { manifest } = await shop.built()
      expect(staleness(manifest), `before: ${what}`).toBe("fresh")
      change()
      expect(staleness(manifest), what).toBe("stale")
    }
  })

  it("says which file could not be written", async () => {
    const shop = workshop()
    writeFileSync(shop.state, "in the way")
    const error = await shop.brokenUser()
    expect(error.op).toBe("write")
    expect(error.message).toContain(shop.state)
  })
})

describe("the folder of our code", () => {
  it("is found from the sources, the compiled modules and the command", async () => {
    const { findCore } = await import("../../../src/tools/build/core.ts")
    const root = findCore().root
    expect(findCore().index).toBe(join(root, "src/index.ts"))
    expect(findCore(join(root, "dist/cli.js")).index).toBe(join(root, "dist/src/index.js"))
    expect(findCore(join(root, "dist/src/tools/build/core.js")).main).toBe(
      join(root, "dist/src/programs/entry/main.js")
    )
    expect(() => findCore("/nowhere/x.js")).toThrow("no hooktape package around")
    expect(await Effect.runPromise(Effect.succeed(existsSync(findCore().index)))).toBe(true)
  })
})
