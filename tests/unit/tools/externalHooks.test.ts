import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { staleness } from "../../../src/runtime/builds/rebuild.ts"
import { partsOfExternal } from "../../../src/tools/build/external.ts"
import { externalModule, inSettings } from "../../../src/tools/build/externalModule.ts"
import { readTrust } from "../../../src/trust/store.ts"
import { workshop } from "../../support/build/workshop.ts"

const settings = (...external: readonly object[]): string => JSON.stringify({ external })
const guard = { name: "no-nixos", on: "tool.before", when: { tool: "shell" }, run: "python3 tools/guard.py" }

const script = (shop: ReturnType<typeof workshop>, name: string, text: string): string => {
  const file = shop.put(name, text)
  chmodSync(file, 0o755)
  return file
}

describe("external hooks of the settings", () => {
  it("run when they are trusted, with the script they name and what lies beside it; a change of either holds them", async () => {
    const shop = workshop()
    const config = shop.put(".hooktape/config.json", settings(guard))
    const guardFile = shop.put("tools/guard.py", "import rules\n")
    const beside = shop.put("tools/rules.py", "no = 1\n")
    const before = await shop.built()
    expect(before.hooks).toEqual([])
    expect(before.withheld.map(({ file }) => file)).toEqual([
      ".hooktape/config.json#no-nixos",
      ".hooktape/config.json"
    ])

    expect((await shop.review()).items[0]).toMatchObject({
      change: "new",
      command: guard.run,
      files: [
        { file: "tools/guard.py" },
        { file: "tools/rules.py" },
        { file: ".hooktape/config.json#no-nixos" }
      ]
    })
    await shop.trust()
    const trusted = await shop.built()
    expect(trusted.hooks).toMatchObject([
      {
        hook: "no-nixos",
        on: ["tool.before"],
        metadata: { command: guard.run },
        fields: { when: { tool: "shell" } }
      }
    ])
    expect(trusted.withheld).toEqual([])
    expect(trusted.manifest.sources.map(({ file }) => file)).toEqual(
      expect.arrayContaining([config, guardFile, beside, join(shop.project, "tools")])
    )
    expect(staleness(trusted.manifest)).toBe("fresh")

    writeFileSync(beside, "no = 2\n")
    expect(staleness(trusted.manifest)).toBe("stale")
    const held = await shop.built()
    expect(held.hooks.map(({ hook }) => hook)).toEqual(["no-nixos"])
    expect(held.held).toEqual([
      { file: ".hooktape/config.json#no-nixos", reason: "tools/rules.py changed since you trusted it" }
    ])
    // What is kept has the content that was trusted.
    expect(readFileSync(held.hooks[0]?.file ?? "", "utf8")).toContain(
      Buffer.from("no = 1\n").toString("base64")
    )
    writeFileSync(beside, "no = 1\n")
    shop.put("tools/json.py", "stands in for a module\n")
    expect((await shop.review()).items[0]).toMatchObject({
      change: "changed",
      files: expect.arrayContaining([expect.objectContaining({ file: "tools/json.py", change: "new" })])
    })
  })

  it.each([
    [
      "a module, its package and what those import",
      {
        "guard.py": "import sys, checks.names as names\n",
        "checks/__init__.py": "",
        "checks/names.py": "from . import words\nfrom .deep.er import (\n  one,\n)\n",
        "checks/words.py": "",
        "checks/other.py": "",
        "checks/deep/er.py": "",
        "sys.cpython-311.so": "",
        "json/__init__.py": "",
        "src/checks/names.py": ""
      },
      "python3 guard.py",
      [
        "checks/__init__.py",
        "checks/deep/er.py",
        "checks/names.py",
        "checks/words.py",
        "src/checks/names.py",
        "sys.cpython-311.so"
      ]
    ],
    [
      "a folder that it adds to where Python looks",
      {
        "guard.py": 'sys.path.insert(0, here + "/lib")\nimport names\n',
        "lib/names.py": "",
        "lib/other.py": ""
      },
      "python3 guard.py",
      ["lib/names.py"]
    ],
    [
      "code on the command line",
      { "names.py": "import words\n", "words.py": "", "other.py": "" },
      `python3 -c "import json; from names import one"`,
      ["names.py", "words.py"]
    ],
    [
      "files by their place, with or without their ending",
      {
        "guard.mjs":
          'import { a } from "./lib/a.mjs"\nconst b = await import(new URL("./b.json", import.meta.url))\n',
        "lib/a.mjs": 'import { createRequire } from "node:module"\nrequire("../c")\nrequire("fs")\n',
        "b.json": "{}",
        "c/index.js": "",
        "fs.json": "",
        "node_modules/c.js": "",
        "lib/d.mjs": ""
      },
      "node guard.mjs",
      ["b.json", "c/index.js", "lib/a.mjs"]
    ],
    [
      "what a shell reads in",
      {
        "guard.sh": '. "$(dirname "$(readlink -f "$0")")/lib/a.sh" && source lib/b\n',
        "lib/a.sh": "source $HERE/lib/c.sh",
        "lib/b": "",
        "lib/c.sh": "",
        "lib/d.sh": ""
      },
      "bash guard.sh",
      ["lib/a.sh", "lib/b", "lib/c.sh"]
    ]
  ])("in the project's own folder consist of %s", async (_, files, run, reached) => {
    const shop = workshop()
    shop.put(".hooktape/config.json", settings({ name: "guard", on: "tool.before", run }))
    for (const [name, text] of Object.entries(files)) shop.put(name, text)
    const named = Object.keys(files).filter((name) => run.includes(` ${name}`))
    const [item] = (await shop.review()).items
    const consented = item?.files.map(({ file }) => file).filter((file) => !file.startsWith("."))
    expect(consented?.sort()).toEqual([...named, ...reached].sort())
    await shop.trust()
    expect((await shop.built()).withheld).toEqual([])
    writeFileSync(join(shop.project, reached.at(-1) ?? ""), "changed\n")
    expect((await shop.built()).held).toMatchObject([
      { reason: `${reached.at(-1)} changed since you trusted it` }
    ])
  })

  it("know of each file that a text loads whether a copy of the text finds it", () => {
    const { project, put } = workshop()
    const run = `node -e 'require("./rules.cjs")' && bash tools/guard.sh`
    put("tools/guard.sh", '. lib/here.sh\n. "$(dirname "$0")/../lib/beside.sh"\n. "$(dirname "$0")/own.sh"\n')
    for (const name of ["rules.cjs", "lib/here.sh", "lib/beside.sh", "tools/own.sh"]) put(name, "")
    const definition = { name: "guard", on: "tool.before", run }
    const file = inSettings(join(project, ".hooktape/config.json"), "guard")
    const { locals } = partsOfExternal(
      { file, owner: "project", external: { base: project, definition } },
      project
    )
    expect(JSON.parse(locals.get(file) ?? "")).toMatchObject({
      files: ["lib/beside.sh", "lib/here.sh", "rules.cjs", "tools/guard.sh", "tools/own.sh"],
      fixed: ["lib/here.sh", "rules.cjs"]
    })
    const own = partsOfExternal(
      {
        file,
        owner: "project",
        external: { base: project, definition: { ...definition, projectCode: true } }
      },
      project
    )
    const manifest = JSON.parse(own.locals.get(file) ?? "") as { readonly files: readonly string[] }
    expect(manifest.files).toEqual(["tools/guard.sh", "tools/own.sh"])
    expect(manifest).not.toHaveProperty("fixed")
  })

  it("know a file that a text names by the project's folder as one that no copy stands in for, and none by chance", () => {
    const { project, put } = workshop()
    put("guard.sh", '. "$CLAUDE_PROJECT_DIR/lib/a.sh"\n. "$HERE/lib/b.sh"\n')
    put("tools/guard.mjs", 'import "./lib/c.mjs"\n')
    for (const name of ["lib/a.sh", "lib/b.sh", "lib/c.mjs", "tools/lib/c.mjs"]) put(name, "")
    const definition = { name: "guard", on: "tool.before", run: "sh guard.sh && node tools/guard.mjs" }
    const file = inSettings(join(project, ".hooktape/config.json"), "guard")
    const { locals } = partsOfExternal(
      { file, owner: "project", external: { base: project, definition } },
      project
    )
    expect(JSON.parse(locals.get(file) ?? "")).toMatchObject({
      files: ["guard.sh", "lib/a.sh", "lib/b.sh", "tools/guard.mjs", "tools/lib/c.mjs"],
      fixed: ["lib/a.sh"]
    })
  })

  it("need no consent in the user's own, and are told by name where something is wrong with them", async () => {
    const shop = workshop()
    const mine = { name: "mine", on: "turn.stop", run: "true" }
    shop.putUser("config.json", settings(mine, { ...mine, name: "wrong", on: "turn.stopp" }))
    const { hooks, problems } = await shop.builtUser()
    expect(hooks.map(({ hook, owner }) => [hook, owner])).toEqual([["mine", "user"]])
    expect(problems).toMatchObject([{ reason: 'hook "wrong": there is no event "turn.stopp"' }])
  })

  it("are told by what their files say whose answers are on record, and not by what does not belong to them", () => {
    const module = (text: string): string => {
      const manifest = {
        definition: guard,
        parts: [guard.run],
        files: ["tools/guard.py"],
        up: "..",
        owned: false
      }
      const locals = new Map([
        ["/p/.hooktape/config.json#no-nixos", JSON.stringify(manifest)],
        ["/p/tools/guard.py", text],
        ["/p/tools/other.py", `other than ${text}`]
      ])
      return externalModule("/p/.hooktape/config.json#no-nixos", locals, "./runtime.js") ?? ""
    }
    const code = (text: string): string | undefined => /"code":"([\da-f]{16})"/.exec(module(text))?.[1]
    expect(code("exit(2)")).toMatch(/^[\da-f]{16}$/)
    expect(code("exit(2)")).toBe(code("exit(2)"))
    expect(code("exit(0)")).not.toBe(code("exit(2)"))
  })

  it("are as many contents as there are hooks: one that changes leaves the others as they are", async () => {
    const shop = workshop()
    const other = { name: "other", on: "turn.stop", run: "true" }
    shop.put(".hooktape/config.json", settings(guard, other))
    await shop.trust()
    expect(Object.values(readTrust(shop.state).trusted).flatMap(({ names }) => names)).toEqual([
      "no-nixos",
      "other"
    ])
    shop.put(".hooktape/config.json", settings(guard, { ...other, run: "false" }))
    expect((await shop.review()).items.map(({ change, file }) => [file, change])).toEqual([
      [".hooktape/config.json#no-nixos", "same"],
      [".hooktape/config.json#other", "changed"],
      [".hooktape/config.json", "changed"]
    ])
  })
})

describe("executable files among the hooks", () => {
  it("are none without leave to be executed, and whoever builds is told how they get it", async () => {
    const shop = workshop()
    const file = shop.put(
      ".hooktape/hooks/no-publish.sh",
      '#!/bin/sh\n# hooktape: {"on": "tool.before"}\nexit 2\n'
    )
    chmodSync(file, 0o644)
    shop.put(".hooktape/hooks/lib.sh", "# what the others share\n")
    const { hooks, warnings } = await shop.built()
    expect(hooks).toEqual([])
    expect(warnings).toEqual([
      { file, reason: "is no hook: it is not executable", remedy: `Run: chmod +x '${file}'` }
    ])
    chmodSync(file, 0o755)
    expect((await shop.built()).warnings).toEqual([])
  })

  it("that lose that leave are named as such, and are hooks again as soon as they have it", async () => {
    const shop = workshop()
    const file = script(shop, ".hooktape/hooks/stop.sh", '#!/bin/sh\n# hooktape: {"on": "turn.stop"}\n')
    await shop.trust()
    chmodSync(file, 0o644)
    const without = await shop.built()
    expect(without.hooks).toEqual([])
    expect(without.withheld).toEqual([
      { file: ".hooktape/hooks/stop.sh", reason: "trusted, but not executable", kind: "unstarted" }
    ])
    expect(staleness(without.manifest)).toBe("fresh")
    chmodSync(file, 0o755)
    expect(staleness(without.manifest)).toBe("stale")
    expect((await shop.built()).hooks.map(({ hook }) => hook)).toEqual(["stop"])
  })

  it("are hooks where their head says so, under the file's name unless it says another", async () => {
    const shop = workshop()
    script(
      shop,
      ".hooktape/hooks/stop.sh",
      '#!/bin/sh\n# hooktape: {"on": "turn.stop", "priority": 7}\nexit 2\n'
    )
    script(shop, ".hooktape/hooks/helper.sh", "#!/bin/sh\nexit 2\n")
    shop.put(".hooktape/hooks/plain.sh", '#!/bin/sh\n# hooktape: {"on": "turn.stop"}\n')
    await shop.trust()
    const { hooks, problems } = await shop.built()
    expect(problems).toEqual([])
    expect(hooks).toMatchObject([{ hook: "stop", priority: 7, on: ["turn.stop"] }])
  })

  it("may have a module's name: those for Node are started, and without leave to be executed no trust lets them be imported", async () => {
    const shop = workshop()
    const head = '#!/usr/bin/env node\n// hooktape: {"on": "turn.stop"}\n'
    const file = script(shop, ".hooktape/hooks/stop.mjs", `${head}process.exitCode = 2\n`)
    await shop.trust()
    const { hooks, problems } = await shop.built()
    expect(problems).toEqual([])
    expect(hooks).toMatchObject([
      { hook: "stop", on: ["turn.stop"], metadata: { command: expect.any(String) } }
    ])
    chmodSync(file, 0o644)
    const without = await shop.built()
    expect(without.hooks.filter(({ metadata }) => metadata?.["command"] === undefined)).toEqual([])
    expect([...without.withheld, ...without.held]).toMatchObject([{ file: ".hooktape/hooks/stop.mjs" }])
  })

  it("are held when a helper beside them changes, and missed when they are gone", async () => {
    const shop = workshop()
    const file = script(
      shop,
      ".hooktape/hooks/stop.sh",
      '#!/bin/sh\n# hooktape: {"on": "turn.stop"}\n. ./_lib.sh\n'
    )
    const helper = shop.put(".hooktape/hooks/_lib.sh", "exit 2\n")
    await shop.trust()
    expect((await shop.review()).items.map(({ change }) => change)).toEqual(["same"])
    writeFileSync(helper, "exit 0\n")
    expect((await shop.review()).items).toMatchObject([
      {
        change: "changed",
        files: [
          { file: ".hooktape/hooks/stop.sh", change: "same" },
          { file: ".hooktape/hooks/_lib.sh", change: "changed" }
        ]
      }
    ])
    rmSync(file)
    expect((await shop.review()).gone).toMatchObject([
      { file: ".hooktape/hooks/stop.sh", events: ["turn.stop"] }
    ])
  })
})
