/** Reading files for handlers: what says that it is empty and is not, and what cannot be read. */
import { existsSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { kindAt, listAt, readText } from "../../../src/state/readFiles.ts"

const scratch = (): string => mkdtempSync(join(homedir(), "files-"))

it.skipIf(!existsSync("/proc/self/status"))("a file of /proc is read to the bound", () => {
  const whole = readText("/proc/self/status", undefined)
  expect(whole?.text).toMatch(/^Name:\t/)
  expect(whole).toMatchObject({ bytes: Buffer.byteLength(whole?.text ?? ""), truncated: false })
  expect(readText("/proc/self/status", 5)).toMatchObject({ text: "Name:", truncated: true })
})

it("an empty file is empty", () => {
  const path = join(scratch(), "empty")
  writeFileSync(path, "")
  expect(readText(path, undefined)).toEqual({ text: "", bytes: 0, truncated: false })
})

it("what cannot be read is told in plain words, not in the system's", () => {
  const folder = scratch()
  const circle = join(folder, "circle")
  symlinkSync(circle, circle)
  const long = join(folder, "x".repeat(5000))
  writeFileSync(join(folder, "file"), "x")
  expect(() => readText(circle, undefined)).toThrow(`${circle} is a link that leads round in a circle`)
  expect(() => kindAt(circle)).toThrow(`${circle} is a link that leads round in a circle`)
  expect(() => readText(long, undefined)).toThrow(`${long} is too long for a path`)
  expect(() => readText("a\0b", undefined)).toThrow("a\\0b is no path")
  expect(() => readText(folder, undefined)).toThrow(`${folder} is not a file`)
  expect(() => listAt(join(folder, "file"))).toThrow(`${join(folder, "file")} is no directory`)
})
