/** Which file a program's name means: here, and as it would be told on Windows. */
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { describe, expect, it } from "vitest"
import { programFor, programNames, programsOnPath } from "../../../src/trust/programOnPath.ts"

const folder = (...names: readonly string[]): string => {
  const made = mkdtempSync(join(tmpdir(), "hooktape-path-"))
  for (const name of names) {
    writeFileSync(join(made, name), "")
    chmodSync(join(made, name), 0o700)
  }
  return made
}

// As npm puts a program into a folder of the path, and as an installer does.
const npm = folder("tool", "tool.cmd", "tool.ps1")
const installed = folder("tool.exe", "other.com")
const path = [npm, installed].join(delimiter)

describe("on Windows", () => {
  it("a name means what the system itself starts, and never a script of a shell", () => {
    expect(programNames("tool", "win32")).toEqual(["tool.exe", "tool.com"])
    expect(programNames("Tool.EXE", "win32")).toEqual(["Tool.EXE"])
    expect(programsOnPath("tool", path, "win32")).toEqual([join(installed, "tool.exe")])
    expect(programsOnPath("tool", npm, "win32")).toEqual([])
  })

  it("a name is looked for along the path alone, however that is spelled", () => {
    expect(programFor("other", { Path: path }, "win32")).toBe(join(installed, "other.com"))
    expect(programFor("tool", { PATH: npm }, "win32")).toBeUndefined()
    expect(programFor("tool", {}, "win32")).toBeUndefined()
  })

  it("a path is taken as it is, but not that of a script for cmd.exe", () => {
    expect(programFor("C:\\a b\\tool.exe", { PATH: path }, "win32")).toBe("C:\\a b\\tool.exe")
    expect(programFor("node_modules/.bin/tool.CMD", { PATH: path }, "win32")).toBeUndefined()
    expect(programFor("tool.bat", { PATH: path }, "win32")).toBeUndefined()
  })
})

it("elsewhere a name means the file of that name, and is left to the system", () => {
  expect(programNames("tool", "linux")).toEqual(["tool"])
  expect(programsOnPath("tool", path, "linux")).toEqual([join(npm, "tool")])
  expect(programFor("tool.cmd", { PATH: path }, "linux")).toBe("tool.cmd")
})
