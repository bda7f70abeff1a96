/** That nothing was written is only said where it is sure. */
import { mkdtempSync, utimesSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makeFileGlance } from "../../../src/log/fileGlance.ts"

const writtenAt = 1_700_000_000.25

const log = (at = writtenAt) => {
  const file = join(mkdtempSync(join(homedir(), "glance-")), "log.sqlite")
  const write = (path: string, text: string, time = at) => {
    writeFileSync(path, text)
    utimesSync(path, time, time)
  }
  write(file, "facts")
  return { file, write }
}

const glanceAt = (file: string, seconds: number) => {
  const glance = makeFileGlance(file, () => seconds * 1000)
  glance.take()
  return glance
}

describe("a look at the times of a log", () => {
  it("says that nothing was written, however often it is asked", () => {
    const { file } = log()
    const glance = glanceAt(file, writtenAt + 2)
    expect([glance.isSame(), glance.isSame()]).toEqual([true, true])
  })

  it.each([
    ["the journal appears", "-wal", "more", writtenAt],
    ["the file is another size", "", "facts and more", writtenAt],
    ["the file is as long and was written later", "", "tacts", writtenAt + 0.5]
  ])("does not where %s", (_, suffix, text, at) => {
    const { file, write } = log()
    const glance = glanceAt(file, writtenAt + 2)
    write(`${file}${suffix}`, text, at)
    expect(glance.isSame()).toBe(false)
  })

  it.each([
    ["within a tick of the clock", writtenAt, writtenAt + 0.9],
    ["on a file system that knows whole seconds only", 1_700_000_000, 1_700_000_002],
    ["and the clock was set back", writtenAt, writtenAt - 3600]
  ])("does not where it was written %s", (_, at, now) => {
    expect(glanceAt(log(at).file, now).isSame()).toBe(false)
  })

  it("does not before the first look", () => {
    expect(makeFileGlance(log().file, () => (writtenAt + 2) * 1000).isSame()).toBe(false)
  })
})
