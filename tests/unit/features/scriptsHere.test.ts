/** What plain commands such as `npm test` start in a folder, as it is read when a call is planned. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { areScriptsCleared } from "../../../src/features/guard/scriptsHere.ts"

let root: string
let inner: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "scripts-")))
  inner = join(root, "packages", "web")
  mkdirSync(inner, { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const asked: [script: string, folder: string][] = []
const cleared = (directory: string, isHarmless = true): boolean => {
  asked.length = 0
  return areScriptsCleared(directory, (script, folder) => {
    asked.push([script, folder])
    return isHarmless
  })
}
const put = (folder: string, text: string): void => writeFileSync(join(folder, "package.json"), text)

describe("the scripts of a package", () => {
  it("are those of the nearest one, with what runs before and behind them", () => {
    put(root, JSON.stringify({ scripts: { test: "node t.js", posttest: "x", prelint: "y", deploy: "z" } }))
    expect(cleared(inner)).toBe(true)
    expect(asked).toEqual([
      ["node t.js", root],
      ["x", root],
      ["y", root]
    ])
    expect(cleared(inner, false)).toBe(false)
    put(inner, JSON.stringify({ scripts: { deploy: "z" } }))
    expect(cleared(inner, false)).toBe(true)
  })

  it("are not asked about where they only look", () => {
    put(root, JSON.stringify({ scripts: { check: "git status", lint: "npm run format && ls" } }))
    expect(cleared(root, false)).toBe(true)
    expect(asked).toEqual([])
  })

  it("are read in each form that a manifest may have", () => {
    writeFileSync(join(root, "package.yaml"), "scripts:\n  test: node t.js\n  posttest: |\n    x\n    y\n")
    expect(cleared(inner)).toBe(true)
    expect(asked).toEqual([
      ["node t.js", root],
      ["x\ny", root]
    ])
    writeFileSync(join(inner, "package.json5"), "{scripts: {lint: 'z'}} // of it\n")
    expect(cleared(inner, false)).toBe(false)
    expect(asked).toEqual([["z", inner]])
  })

  it("are not cleared where they are run by another shell, or with what the manager sets", () => {
    put(inner, JSON.stringify({ scripts: { test: "vitest run" } }))
    expect(cleared(inner)).toBe(true)
    for (const [name, text] of [
      [".npmrc", "script-shell=./sh"],
      [".npmrc", "workspaces = true"],
      [".yarnrc", "script-shell ./sh"],
      ["pnpm-workspace.yaml", "scriptShell: ./sh"]
    ] as const) {
      writeFileSync(join(root, name), `${text}\n`)
      expect([name, cleared(inner)]).toEqual([name, false])
      rmSync(join(root, name))
    }
    for (const name of ["npm_config_x", "npm_package_config_x", "INIT_CWD", "npm_execpath"]) {
      put(inner, JSON.stringify({ scripts: { test: `vitest $${name}` } }))
      expect([name, cleared(inner)]).toEqual([name, false])
    }
  })

  it("are not asked about further up than their repository, nor where there is none", () => {
    writeFileSync(join(root, ".npmrc"), "script-shell=./sh\n")
    put(inner, JSON.stringify({ scripts: { deploy: "x" } }))
    expect(cleared(inner)).toBe(true)
    put(inner, JSON.stringify({ scripts: { test: "x" } }))
    expect(cleared(inner)).toBe(false)
    mkdirSync(join(root, "packages", ".git"))
    expect(cleared(inner)).toBe(true)
  })

  it("are not cleared where nobody can read them", () => {
    for (const text of ["{", "[", "", "\uFEFF\uFEFF{}"]) {
      put(root, text)
      expect([text, cleared(root)]).toEqual([text, false])
    }
    put(root, `\uFEFF${JSON.stringify({ scripts: { test: "x" } })}`)
    expect(cleared(root, false)).toBe(false)
    rmSync(join(root, "package.json"))
    symlinkSync("/dev/zero", join(root, "package.json"))
    expect(cleared(root)).toBe(false)
    rmSync(join(root, "package.json"))
    mkdirSync(join(root, "package.json"))
    expect(cleared(root)).toBe(false)
  })
})
