/** A place that takes nothing is named, with the reason, whatever the error was wrapped in. */
import { mkdirSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { unwritable } from "../../../src/programs/cli/unwritable.ts"

const systemError = (code: string, syscall: string, path: string): Error =>
  Object.assign(new Error(`${code}: said by the system, ${syscall} '${path}'`), { code, syscall, path })

const thrownBy = (act: () => void): unknown => {
  try {
    act()
    return undefined
  } catch (thrown) {
    return thrown
  }
}

describe("a place that cannot be written", () => {
  it.each([
    ["EROFS", "open", "/a cannot be opened for writing: its file system is read-only"],
    ["EACCES", "mkdir", "/a cannot be written: permission is denied"],
    ["ENOSPC", "write", "/a cannot be written: the disk is full"],
    ["ENOENT", "mkdir", "/a cannot be made: the directory above it cannot be written"]
  ])("is told of %s of %s", (code, syscall, sentence) => {
    const error = systemError(code, syscall, "/a")
    expect(unwritable(error)).toBe(sentence)
    expect(unwritable(new Error("cannot use /b", { cause: error }))).toBe(sentence)
  })

  it("is not what else can go wrong", () => {
    const file = join(homedir(), "unwritable")
    writeFileSync(file, "")
    for (const thrown of [
      thrownBy(() => mkdirSync(join(file, "x"))),
      new Error("x"),
      systemError("ENOENT", "open", "/a"),
      "x",
      undefined
    ])
      expect(unwritable(thrown)).toBeUndefined()
  })
})
