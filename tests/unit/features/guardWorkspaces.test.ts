/** Scripts of packages that are started from elsewhere: of a workspace, by other programs, through settings that scripts are run with. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { classifyLooking, isCleared } from "../../../src/features/guard/look.ts"

const home = realpathSync(mkdtempSync(join(tmpdir(), "guard-workspaces-")))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const write = (name: string, content: string | object) => {
  const file = join(home, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content))
}
const judge = async (command: string, folder = "app") => {
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

write("app/package.json", {
  name: "root",
  workspaces: ["packages/*", "!packages/left", "tools/**"],
  config: { folder: "/home/x" },
  scripts: {
    dead: "rm -rf ~",
    "dead:all": "rm -rf ~",
    build: "tsc",
    inner: "npm run wipe -w sub",
    outer: "pnpm -r run wipe",
    asked: "rm -rf $npm_package_config_folder",
    again: "$npm_package_scripts_gone",
    gone: "rm -rf /home/x",
    told: 'rm -rf "$npm_config_target"',
    itself: "$npm_execpath run dead",
    "by-node": 'node "$npm_execpath" run dead',
    began: 'rm -rf "$INIT_CWD/.."',
    fine: 'rm -rf "dist/$npm_package_name" "$npm_config_cache_x/y"'
  }
})
const named = (name: string, scripts: object) => ({ name, scripts })
write(
  "app/packages/sub/package.json",
  named("sub", { build: "tsc -b", wipe: "rm -rf ~", "g:wipe": "rm -rf ~" })
)
write("app/packages/two/package.json", named("@s/two", { build: "rimraf dist && tsc -b", test: "vitest" }))
write("app/packages/left/package.json", named("left", { leave: "rm -rf ~" }))
write("app/packages/up/package.json", named("up", { up: "rm -rf ../two/dist", above: "rm -rf ../../.git" }))
write("app/packages/sub/node_modules/other/package.json", named("other", { other: "rm -rf ~" }))
write("app/tools/deep/er/package.json", named("deep", { deep: "rm -rf ~", version: "rm -rf ~" }))

describe("a script of a workspace", () => {
  it.each([
    "npm run wipe -w sub",
    "npm run wipe -w packages/sub",
    "npm run wipe -w ./packages/sub/",
    "npm run wipe --workspace=sub",
    "npm --workspace sub run wipe",
    "npm run wipe --workspaces",
    "npm run wipe -ws --if-present",
    'npm run wipe -w "$PACKAGE"',
    "npm run inner",
    "npm run outer",
    "npm run deep -w tools/deep",
    "npm --prefix packages/sub run wipe",
    "npm -C packages/sub run wipe",
    "npm run dead -w sub --include-workspace-root --workspaces",
    "npm version patch -w deep",
    "npm_config_workspace=sub npm run wipe",
    "npm_config_workspaces=true npm run wipe",
    "export NPM_CONFIG_WORKSPACE=sub; npm run wipe",
    "npx -w sub -c 'rm -rf ~'",
    "yarn workspace sub wipe",
    "yarn workspace sub run wipe",
    "yarn workspaces run wipe",
    "yarn workspaces foreach -A run wipe",
    "yarn workspaces foreach --all --parallel --from 'x' run wipe",
    "yarn --cwd packages/sub wipe",
    "yarn g:wipe",
    "pnpm --filter sub wipe",
    "pnpm --filter=sub run wipe",
    "pnpm -F sub wipe",
    "pnpm --filter '...sub' wipe",
    "pnpm --filter './packages/**' run wipe",
    "pnpm --filter '{packages/sub}' run wipe",
    "pnpm -r run wipe",
    "pnpm -r wipe",
    "pnpm recursive run wipe",
    "pnpm multi run wipe",
    "pnpm -w run dead",
    "bun --filter sub wipe",
    "bun run --filter '*' wipe",
    "bun --cwd packages/sub run wipe",
    "bun run --cwd=packages/sub wipe",
    "lerna run wipe",
    "npx lerna run wipe --scope sub",
    "turbo run wipe",
    "turbo wipe --filter=sub",
    "npx turbo run build wipe",
    "nx run sub:wipe",
    "nx wipe sub",
    "nx run-many -t wipe",
    "nx run-many --target=wipe --all",
    "nx affected -t build,wipe",
    "wsrun wipe",
    "rushx dead",
    "nr dead",
    "concurrently npm:build npm:dead",
    "concurrently 'pnpm:de*'",
    "npm-run-all 'de*'",
    "run-p 'dead:*'",
    "pnpm run '/^dead/'"
  ])("is read: %s", async (command) => {
    expect(await judge(command)).toBe("delete-outside block")
  })

  it("is read from within one as well, and means what it says in its own folder", async () => {
    expect(await judge("npm run wipe -w sub", "app/packages/two")).toBe("delete-outside block")
    expect(await judge("pnpm -w dead", "app/packages/two")).toBe("delete-outside block")
    expect(await judge("yarn g:wipe", "app/packages/two")).toBe("delete-outside block")
    expect(await judge("npm run above -w up")).toBe("delete-project block")
    expect(await judge("npm run up -w up")).toBeNull()
  })

  it.each([
    "npm run build -w sub",
    "npm run wipe -w @s/two",
    "npm test --workspaces --if-present",
    "npm run leave --workspaces",
    "npm run other --workspaces",
    "npm run nothing -w nobody",
    "npm run wipe -w nobody",
    "yarn workspace @s/two test",
    "yarn workspaces foreach -A run build",
    "yarn workspaces list",
    "yarn workspace sub add left-pad",
    "pnpm --filter '@s/*' test",
    "pnpm --filter two wipe",
    "pnpm -r build",
    "pnpm -r exec ls",
    "pnpm -r update wipe",
    "bun --filter '*' build",
    "lerna run build",
    "lerna version wipe",
    "turbo run build --filter=wipe",
    "turbo prune wipe",
    "nx graph wipe",
    "nx run two:build",
    "concurrently npm:build 'echo wipe'",
    "npm ci"
  ])("is another, or does no harm: %s", async (command) => {
    expect(await judge(command)).toBeNull()
  })

  it("is read where a file of settings names its package", async () => {
    write("set/package.json", { workspaces: ["a"] })
    write("set/a/package.json", { name: "a", scripts: { test: "rm -rf ~" } })
    expect(await judge("npm test", "set")).toBeNull()
    for (const text of ["workspace=a", "workspaces = true"]) {
      write("set/.npmrc", `${text}\n`)
      expect([text, await judge("npm test", "set")]).toEqual([text, "delete-outside block"])
    }
  })

  it("is read in each of many packages, with what each starts of its own", async () => {
    for (let at = 0; at < 90; at++)
      write(`many/libs/p${at}/package.json`, {
        name: `p${at}`,
        scripts: {
          build: "npm run clean && tsc -b",
          clean: "rimraf dist",
          ...(at === 80 ? { wipe: "npm run end", end: "rm -rf ~" } : {})
        }
      })
    write("many/package.json", { workspaces: { packages: ["libs/*"] } })
    expect(await judge("npm run build --workspaces", "many")).toBeNull()
    expect(await judge("npm run wipe --workspaces", "many")).toBe("delete-outside block")
  })

  it("runs as packages are installed", async () => {
    write("installed/package.json", { workspaces: ["a"] })
    write("installed/a/package.json", { name: "a", scripts: { postinstall: "rm -rf ~" } })
    for (const command of ["npm ci", "npm install", "pnpm install", "yarn"])
      expect([command, await judge(command, "installed")]).toEqual([command, "delete-outside block"])
    expect(await judge("npm ci --ignore-scripts", "installed")).toBeNull()
  })

  it("is looked for past a folder that has a manifest's name, as package managers do", async () => {
    write("odd/package.json", { scripts: { dead: "rm -rf ~" } })
    mkdirSync(join(home, "odd/inner/package.json"), { recursive: true })
    expect(await judge("npm run dead", "odd/inner")).toBe("delete-outside block")
  })
})

describe("a package of pnpm", () => {
  write("pn/pnpm-workspace.yaml", "packages:\n  - 'libs/*'\n  # more\n  - \"apps/*\"\n")
  write("pn/package.json", { scripts: {} })
  write(
    "pn/libs/y/package.yaml",
    "name: y\nscripts:\n  wipe: rm -rf ~\n  long: |\n    cd /\n    rm -rf home\n  test: 'vitest'\n"
  )
  write(
    "pn/apps/j/package.json5",
    "// of it\n{name: 'j', scripts: {wipe: 'rm -rf ~', \"test\": 'vitest', /* x */},}\n"
  )
  write("pn/apps/f/package.yaml", "{name: f, scripts: {wipe: rm -rf ~}}\n")
  write("loose/x/package.json", { scripts: { wipe: "rm -rf ~" } })

  it.each([
    ["pnpm -r run wipe", "pn"],
    ["pnpm --filter y wipe", "pn"],
    ["pnpm --filter j wipe", "pn"],
    ["pnpm wipe", "pn/libs/y"],
    ["pnpm long", "pn/libs/y"],
    ["pnpm run wipe", "pn/apps/j"],
    ["pnpm run wipe", "pn/apps/f"],
    ["pnpm -r wipe", "loose"]
  ])("is read in each form that it may have: %s in %s", async (command, folder) => {
    expect(await judge(command, folder)).toBe("delete-outside block")
  })

  it.each([
    ["pnpm test", "pn/libs/y"],
    ["pnpm test", "pn/apps/j"],
    ["pnpm -r test", "pn"]
  ])("does no harm where it says none: %s in %s", async (command, folder) => {
    expect(await judge(command, folder)).toBeNull()
  })

  it("is asked about where it cannot be read to its end", async () => {
    write("odd/package.json", { workspaces: ["a"] })
    write("odd/a/package.json", `{"scripts": {"wipe": "rm -rf ~", "filler": "${"x".repeat(1_100_000)}"}}`)
    expect(await judge("npm run wipe -w a", "odd")).toBe("hidden-code ask")
    write("odd/b/package.json", { scripts: { wipe: "vitest" } })
    expect(await judge("npm run wipe", "odd/b")).toBeNull()
  })
})

describe("what a script is run with", () => {
  it.each([
    "npm run asked",
    "yarn again",
    "npm run told --target=/home/x",
    "npm run told --target /home/x",
    "npm run itself",
    "npm run by-node",
    "npm run began",
    "corepack yarn dead",
    "corepack pnpm run dead",
    "corepack yarn@3.1.0 dead",
    "npx -p a -p b -p c -p d -c 'rm -rf ~'",
    "npm exec -p a -p b -p c -p d -c 'rm -rf ~'",
    "npm exec --call='npm run dead'",
    "npm x -- rm -rf ~",
    "npm explore sub -- rm -rf ~",
    "pnpm -c exec 'rm -rf ~'",
    "pnpm exec -c 'rm -rf ~'"
  ])("is read: %s", async (command) => {
    expect(await judge(command)).toBe("delete-outside block")
  })

  it.each([
    "npm run fine",
    "npm run told --target=dist",
    "corepack enable",
    "corepack yarn build",
    "npx jest -c jest.config.js",
    "npm exec -- eslint -c .eslintrc ."
  ])("does no harm where it says none: %s", async (command) => {
    expect(await judge(command)).toBeNull()
  })

  it("may be another shell, which is read or asked about where the project brings it", async () => {
    const scripts = { test: "vitest" }
    write("shell/package.json", { workspaces: ["a"], scripts })
    write("shell/a/package.json", { name: "a", scripts })
    write("shell/evil.sh", "#!/bin/sh\nrm -rf ~\n")
    write("shell/odd.mjs", "#!/usr/bin/env node\n")
    const withShell = async (file: string, text: string, command = "npm test", folder = "shell") => {
      write(`shell/${file}`, text)
      const found = await judge(command, folder)
      rmSync(join(home, "shell", file))
      return found
    }
    expect(await withShell(".npmrc", "script-shell = ./evil.sh\n")).toBe("delete-outside block")
    expect(await withShell(".npmrc", `script-shell="${join(home, "shell", "evil.sh")}"\n`)).toBe(
      "delete-outside block"
    )
    expect(await withShell(".npmrc", "script-shell=../evil.sh", "npm test", "shell/a")).toBe(
      "delete-outside block"
    )
    expect(await withShell(".npmrc", "script-shell=./odd.mjs\n")).toBe("hidden-code ask")
    expect(await withShell(".npmrc", "script-shell=unheard-of\n")).toBe("hidden-code ask")
    expect(await withShell(".yarnrc", 'script-shell "./odd.mjs"\n', "yarn test")).toBe("hidden-code ask")
    expect(await withShell("pnpm-workspace.yaml", "scriptShell: ./odd.mjs\n", "pnpm test")).toBe(
      "hidden-code ask"
    )
    expect(await judge("npm test --script-shell=./odd.mjs", "shell")).toBe("hidden-code ask")
    expect(await judge("npm_config_script_shell=./evil.sh npm test", "shell")).toBe("delete-outside block")
    for (const fine of [
      "/bin/bash",
      "bash",
      "C:\\Program Files\\Git\\bin\\bash.exe",
      "pwsh",
      "/usr/bin/zsh",
      "null"
    ])
      expect([fine, await withShell(".npmrc", `registry=x\nscript-shell=${fine}\n`)]).toEqual([fine, null])
    expect(await withShell(".npmrc", "# script-shell=./odd.mjs\n; script-shell=./odd.mjs\n")).toBeNull()
  })

  it("is a folder as the system finds it, not as it is written", async () => {
    write("other/sub/x", "")
    write("other/package.json", { scripts: { test: "rm -rf ~" } })
    write("other/Makefile", "wipe:\n\trm -rf ~\n")
    write("other/wipe.sh", "rm -rf ~\n")
    write("linked/package.json", { scripts: { test: "vitest" } })
    symlinkSync(join(home, "other", "sub"), join(home, "linked", "link"))
    for (const command of [
      "make -C link/.. wipe",
      "cd link && make -C .. wipe",
      "sh link/../wipe.sh",
      "cd link && npm --prefix .. test"
    ])
      expect([command, await judge(command, "linked")]).toEqual([command, "delete-outside block"])
    expect(await judge("cd link/.. && npm test", "linked")).toBeNull()
  })

  it("is no word of a deno that has comments in its manifest", async () => {
    write("deno/deno.jsonc", '{ // of it\n "tasks": { "wipe": "rm -rf ~", },\n}')
    expect(await judge("deno task wipe", "deno")).toBe("delete-outside block")
  })
})

describe("a script that is not read where it is told", () => {
  it("is wanted by whoever judges the command", () => {
    const place = { project: join(home, "app"), cwd: join(home, "app"), home }
    for (const command of ["npm run wipe -w sub", "pnpm -r run wipe", "turbo run wipe"])
      expect(isCleared(command, place)).toBe(false)
  })
})
