/** Links that a repository brings, and where what is written through them would land. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { leadsOut } from "../../../src/state/leadsOut.ts"

let root = ""
const at = (...parts: readonly string[]): string => join(root, ...parts)
const link = (to: string, path: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(to, path)
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hooktape-leads-")))
  mkdirSync(at("project", "inside"), { recursive: true })
  mkdirSync(at("elsewhere"))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe("a file of a project", () => {
  it("is within it, whether it is there, is to be made, or is behind a link that stays", () => {
    writeFileSync(at("project", "inside", "a"), "")
    link("inside", at("project", "other"))
    link(at("project"), at("by another name"))
    for (const file of ["inside/a", "inside/b", "new/folder/c", "other/a", "other/new/d", "."])
      expect(leadsOut(at("project", file), at("project")), file).toBe(false)
    expect(leadsOut(at("by another name", "inside", "a"), at("project"))).toBe(false)
    expect(leadsOut(at("project", "inside", "a"), at("by another name"))).toBe(false)
  })

  it("is outside behind a link that leads out, to what is there and to what is not", () => {
    link("../elsewhere", at("project", "folder"))
    link("../elsewhere/there", at("project", "file"))
    writeFileSync(at("elsewhere", "there"), "")
    link("../elsewhere/not there", at("project", "missing"))
    link("missing", at("project", "twice"))
    link(at("project-two"), at("project", "sibling"))
    for (const file of [
      "folder",
      "folder/a",
      "folder/new/a",
      "file",
      "missing",
      "twice",
      "missing/a",
      "sibling",
      "../x"
    ])
      expect(leadsOut(at("project", file), at("project")), file).toBe(true)
  })

  it("is nowhere where links lead round in a circle, and is told of a project that is not there yet", () => {
    link("round", at("project", "round"))
    link("b", at("project", "a"))
    link("a", at("project", "b"))
    for (const file of ["round", "round/x", "a"])
      expect(leadsOut(at("project", file), at("project")), file).toBe(true)
    expect(leadsOut(at("elsewhere", "x"), at("no such project"))).toBe(true)
    expect(leadsOut(at("no such project", "x"), at("no such project"))).toBe(false)
  })
})
