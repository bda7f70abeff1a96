/** What a command or a setting says of a workspace adds packages to the nearest one, and is soon told however large the workspace is. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { classifyLooking } from "../../../src/features/guard/look.ts"

const home = realpathSync(mkdtempSync(join(tmpdir(), "guard-added-")))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const put = (folder: string, files: Readonly<Record<string, string | object>>) => {
  for (const [name, content] of Object.entries(files)) {
    const file = join(home, folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content))
  }
}
const judge = async (command: string, folder: string) => {
  const [project = ""] = folder.split("/")
  const place = {
    project: join(home, project),
    cwd: join(home, folder),
    home,
    environment: { HOME: home }
  }
  const verdict = await classifyLooking(command, place, async () => undefined)
  return verdict === undefined ? null : `${verdict.rule} ${verdict.action}`
}
const dead = "rm -rf ~"
const blocked = "delete-outside block"
const harmless = { dead: "true", test: "true" }

describe("the package that a command is given in", () => {
  const root = { name: "a", workspaces: ["p/*"], scripts: { dead, test: dead } }
  const member = { name: "b", scripts: harmless }
  put("each", { "package.json": root, "p/b/package.json": member, ".npmrc": "workspaces=true\n" })
  put("one", { "package.json": root, "p/b/package.json": member, ".npmrc": "workspace=b\n" })
  put("told", { "package.json": root, "p/b/package.json": member })
  put("outer", { ".npmrc": "workspaces=true\n", "app/package.json": { name: "a", scripts: { dead } } })

  it.each([
    ["each", "pnpm run dead"],
    ["each", "yarn dead"],
    ["each", "bun run dead"],
    ["each", "node --run dead"],
    ["each", "run-s dead"],
    ["each", "npm test"],
    ["each", "npm run dead --workspaces=false"],
    ["each", "npm run dead --no-workspaces"],
    ["each", "npm run dead --include-workspace-root"],
    ["each", "npm_config_workspaces=false npm run dead"],
    ["each", "nr dead"],
    ["one", "pnpm run dead"],
    ["one", "yarn dead"],
    ["one", "npm run dead --workspaces=false"],
    ["one", "npm run dead --workspace="],
    ["outer/app", "npm run dead"],
    ["outer", "npm --prefix app run dead"],
    ["told", "NPM_CONFIG_WORKSPACE= npm run dead"],
    ["told", "npm_config_workspaces=0 npm run dead"],
    ["told", "npm_config_workspaces=null npm run dead"],
    ["told", "npm_config_workspace=b; npm run dead"],
    ["told", "export npm_config_workspace=b; unset npm_config_workspace; npm run dead"],
    ["told", "npm_config_workspaces=true pnpm run dead"],
    ["told", "npm_config_workspace=b yarn dead"],
    ["told", "npm run dead -w b"],
    ["told", "npm run dead --workspaces"],
    ["told", "yarn dead --workspace prod"],
    ["told", "pnpm run dead --workspace prod"],
    ["told", "bun dead --workspace=x"]
  ])("is read whatever else is named: in %s %s", async (folder, command) => {
    expect(await judge(command, folder)).toBe(blocked)
  })

  it("is told nothing by the settings of another program, nor by what its script is given", async () => {
    const files = { "package.json": { workspaces: ["b"], scripts: harmless } }
    put("others", { ...files, "b/package.json": { name: "b", scripts: { dead } }, ".npmrc": "workspace=b\n" })
    for (const command of ["yarn dead", "pnpm run dead", "bun run dead", "node --run dead"])
      expect([command, await judge(command, "others")]).toEqual([command, null])
    expect(await judge("npm run dead", "others")).toBe(blocked)
    put("others", { ".npmrc": "" })
    for (const command of ["yarn dead --workspace b", "pnpm run dead --workspace b"])
      expect([command, await judge(command, "others")]).toEqual([command, null])
    put("others", { ".npmrc": "workspace[]=b\n" })
    expect(await judge("npm run dead", "others")).toBe(blocked)
    put("others", { ".npmrc": "workspaces=0\nworkspace=null\n" })
    expect(await judge("npm run dead", "others")).toBeNull()
  })

  it("is installed with its own scripts where it is no member of the workspace around it", async () => {
    put("around", {
      "package.json": { workspaces: ["p/*", "!p/left"], scripts: harmless },
      "p/b/package.json": { name: "b", scripts: harmless },
      "p/left/package.json": { name: "left", scripts: { postinstall: dead } },
      "examples/e/package.json": { name: "e", scripts: { prepare: dead } }
    })
    for (const [command, at] of [
      ["npm install", "around/examples/e"],
      ["npm ci", "around/p/left"],
      ["pnpm install", "around/examples/e"],
      ["npm install --prefix examples/e", "around"],
      ["cd examples/e && npm install", "around"]
    ] as const)
      expect([command, await judge(command, at)]).toEqual([command, blocked])
    expect(await judge("npm install", "around")).toBeNull()
  })

  it("is read beside a file of pnpm that names no packages", async () => {
    put("flow", {
      "package.json": { name: "a", scripts: { dead } },
      "pnpm-workspace.yaml": "onlyBuiltDependencies:\n  - esbuild\n"
    })
    for (const command of ["pnpm dead", "pnpm -w dead", "pnpm -r dead", "pnpm --filter a dead"])
      expect([command, await judge(command, "flow")]).toEqual([command, blocked])
  })

  it.each(["- 'p/*' # why", "[\n    'p/*', # why\n  ]", "['q/*',\n 'p/*']"])(
    "has the others that pnpm is told as %s",
    async (text) => {
      put("listed", {
        "package.json": { name: "a", scripts: {} },
        "p/b/package.json": { name: "b", scripts: { dead } },
        "pnpm-workspace.yaml": `packages:\n  ${text}\n`
      })
      expect(await judge("pnpm --filter b dead", "listed")).toBe(blocked)
      expect(await judge("pnpm -r dead", "listed")).toBe(blocked)
    }
  )
})

describe("a workspace without end", () => {
  it.each([
    ["*".repeat(20_000)],
    [`${"{".repeat(5000)}a${"}".repeat(5000)}`],
    ["a/".repeat(9000)],
    Array.from({ length: 3000 }, (_, at) => [`n${at}`, `!n${at}`]).flat(),
    Array.from({ length: 300 }, (_, at) => `!*/${at}`)
  ])("is read as far as its patterns are written by hand, and asked about beyond", async (...patterns) => {
    put("endless", { "package.json": { workspaces: patterns, scripts: { dead, fine: "true" } } })
    expect(await judge("npm run dead --workspaces", "endless")).toBe(blocked)
    expect(await judge("npm run fine --workspaces", "endless")).toBe("hidden-code ask")
    expect(await judge("npm run fine", "endless")).toBeNull()
    expect(await judge(`npm-run-all '${"*".repeat(20_000)}'`, "endless")).not.toBeNull()
  })

  it("is counted by its packages, whatever folders they have", async () => {
    for (let at = 0; at < 90; at++) {
      put(`folders/p/p${at}`, { "package.json": { name: `p${at}`, scripts: { build: "tsc -b" } } })
      for (let of = 0; of < 11; of++)
        mkdirSync(join(home, `folders/p/p${at}/src/m${of}`), { recursive: true })
    }
    put("folders", { "package.json": { name: "r" }, "pnpm-workspace.yaml": "packages:\n  - 'p/**'\n" })
    for (const command of [
      "pnpm install",
      "pnpm -r build",
      "pnpm --filter p1 build",
      "npx turbo build",
      "nx serve p1"
    ])
      expect([command, await judge(command, "folders")]).toEqual([command, null])
    put("folders", { "p/p1/dist/package.json": { name: "written", scripts: { dead } } })
    expect(await judge("pnpm -r dead", "folders")).toBe(blocked)
  }, 30_000)

  it("is no question where the package that is named was found", async () => {
    const long = "a/".repeat(9000)
    put("found", {
      "package.json": { workspaces: [long, "b"], scripts: {} },
      "b/package.json": { name: "b", scripts: harmless }
    })
    expect(await judge("npm run dead -w b", "found")).toBeNull()
    expect(await judge("npm run dead -w c", "found")).toBe("hidden-code ask")
    expect(await judge("npm run dead --workspaces", "found")).toBe("hidden-code ask")
  })

  it("may start many scripts that start others", async () => {
    const scripts = {
      build: "npm run clean && npm run compile",
      clean: "rm -rf dist",
      compile: "tsc -b",
      test: "npm run build && npm run unit",
      unit: "vitest",
      prepare: "npm run build"
    }
    const many = { name: "root", workspaces: ["p/*"], scripts: { test: "npm test -ws" } }
    put("chained", { "package.json": many })
    for (let at = 0; at < 40; at++) put(`chained/p/p${at}`, { "package.json": { name: `p${at}`, scripts } })
    const commands = ["npm test", "npm install", "yarn", "pnpm install", "pnpm -r build", "turbo run build"]
    for (const command of commands)
      expect([command, await judge(command, "chained")]).toEqual([command, null])
    put("chained/p/p39", { "package.json": { name: "p39", scripts: { ...scripts, compile: dead } } })
    for (const command of commands)
      expect([command, await judge(command, "chained")]).toEqual([command, blocked])
  }, 30_000)
})

describe("what starts a script", () => {
  put("plain", { "package.json": { scripts: { test: "vitest" } } })

  it.each([
    "npx --loglevel silent -c 'rm -rf ~'",
    "npx --prefix . -c 'rm -rf ~'",
    "npx --cache x -c 'rm -rf ~'",
    "npx --userconfig x -c 'rm -rf ~'",
    "npx --tag latest -c 'rm -rf ~'",
    "npx --before 2020 -c 'rm -rf ~'",
    "npx --omit dev -c 'rm -rf ~'",
    "npx --color always -c 'rm -rf ~'",
    "npx --node-arg x -c 'rm -rf ~'",
    "npx -C . -c 'rm -rf ~'",
    "npx --registry u -c 'rm -rf ~'",
    "npx -yc 'rm -rf ~'",
    "npx --color rimraf ~",
    "npx --loglevel silent rimraf ~"
  ])("is found behind the options of npx: %s", async (command) => {
    expect(await judge(command, "plain")).toBe(blocked)
  })

  it("is npm by the place of its file, not by a name that anything may have", async () => {
    for (const file of ["scripts/npm.js", "./npm.js", "build/npm-cli.js"])
      expect([file, await judge(`node ${file} publish`, "plain")]).toEqual([file, null])
    expect(await judge("node scripts/npx.js rimraf ~", "plain")).toBeNull()
    for (const file of ["node_modules/npm/bin/npm-cli.js", "/usr/lib/node_modules/npm/bin/npm-cli.js"])
      expect([file, await judge(`node ${file} exec rimraf ~`, "plain")]).toEqual([file, blocked])
    expect(await judge("node .yarn/releases/yarn-4.1.0.cjs exec rm -rf ~", "plain")).toBe(blocked)
  })

  it.each(["/opt/homebrew/bin/fish", "/usr/bin/nu", "/usr/bin/env bash", `\${SHELL}`, "fish"])(
    "may be the system's shell: %s",
    async (shell) => {
      put("plain", { ".npmrc": `script-shell=${shell}\n` })
      expect(await judge("npm test", "plain")).toBeNull()
      put("plain", { ".npmrc": "" })
    }
  )
})
