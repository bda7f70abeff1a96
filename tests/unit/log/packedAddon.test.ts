/** An addon is compared with what was packed before it is first loaded, and once anything of it moved; not at each start. */
import { createHash } from "node:crypto"
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import {
  comparedFile,
  forgetFirst,
  isAltered,
  notAsFirst,
  notAsPacked
} from "../../../src/log/sqlite/packedAddon.ts"

const sumOf = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex")

const place = () => {
  const home = mkdtempSync(join(homedir(), "addon-"))
  const state = join(home, "state")
  mkdirSync(join(state, "run"), { recursive: true, mode: 0o700 })
  const addon = (name: string, text: string): string => {
    const file = join(home, name)
    writeFileSync(file, text)
    const sums = join(home, "sums.json")
    const there = (() => {
      try {
        return JSON.parse(readFileSync(sums, "utf8"))
      } catch {
        return {}
      }
    })()
    writeFileSync(sums, JSON.stringify({ ...there, [name]: { bytes: text.length, sha256: sumOf(file) } }))
    return file
  }
  let summed = 0
  const look = (file: string): string | undefined =>
    notAsPacked(file, {
      state,
      sum: (one) => {
        summed++
        return sumOf(one)
      }
    })
  return { addon, home, look, state, summed: () => summed }
}

it("is read whole once, and again when its file is another, has other times or another sum is packed", () => {
  const { addon, home, look, summed } = place()
  const file = addon("a.node", "what was packed")
  expect([look(file), look(file), look(file)]).toEqual([undefined, undefined, undefined])
  expect(summed()).toBe(1)
  utimesSync(file, 1, 1)
  expect([look(file), look(file), summed()]).toEqual([undefined, undefined, 2])
  writeFileSync(join(home, "other"), "what was packed")
  utimesSync(join(home, "other"), 1, 1)
  renameSync(join(home, "other"), file)
  expect([look(file), look(file), summed()]).toEqual([undefined, undefined, 3])
  addon("a.node", "what is packed!")
  expect([look(file), summed()]).toEqual([undefined, 4])
})

it("is refused when it was altered, before and after it was compared, with its size and its time as they were", () => {
  const { addon, look } = place()
  const file = addon("a.node", "what was packed")
  const altered = "is not the file that came with hooktape"
  utimesSync(file, 1, 1)
  expect(look(file)).toBeUndefined()
  writeFileSync(file, "what was PACKED")
  utimesSync(file, 1, 1)
  expect([look(file), look(file)]).toEqual([altered, altered])
  expect(isAltered(file)).toBe(true)
  writeFileSync(file, "what was packed")
  expect([look(file), isAltered(file)]).toEqual([undefined, false])
  writeFileSync(file, "what was")
  expect(look(file)).toBe("is not as long as it was packed")
})

it("is refused where nobody says what was packed", () => {
  const { addon, home, look } = place()
  const file = addon("a.node", "what was packed")
  expect(look(file)).toBeUndefined()
  rmSync(join(home, "sums.json"))
  expect(look(file)).toBe("is not the file that came with hooktape")
})

it("is known beside those of other versions, of which the last few are kept", () => {
  const { addon, look, state, summed } = place()
  const files = ["a", "b", "c"].map((name) => addon(`${name}.node`, name))
  for (const file of [...files, ...files]) expect(look(file)).toBeUndefined()
  expect(summed()).toBe(3)
  for (let at = 0; at < 20; at++) look(addon(`${at}.node`, String(at)))
  expect(readFileSync(comparedFile(state), "utf8").trim().split("\n")).toHaveLength(8)
})

it("is compared each time where nothing can be kept of it, or what is kept is not the state directory's own", () => {
  const { addon, home, look, state, summed } = place()
  const file = addon("a.node", "what was packed")
  expect(look(file)).toBeUndefined()
  renameSync(comparedFile(state), join(home, "elsewhere"))
  symlinkSync(join(home, "elsewhere"), comparedFile(state))
  expect([look(file), summed()]).toEqual([undefined, 2])
  rmSync(join(state, "run"), { recursive: true })
  expect([look(file), look(file), summed()]).toEqual([undefined, undefined, 4])
  mkdirSync(join(state, "run"))
  chmodSync(join(state, "run"), 0o700)
  expect([look(file), look(file), summed()]).toEqual([undefined, undefined, 5])
})

it("of the package for a platform is what the release says, whatever lies beside it", () => {
  const { addon } = place()
  const file = addon("a.node", "what was packed")
  const released = { "a.node": { bytes: 15, sha256: sumOf(file) } }
  expect([notAsPacked(file, { released }), isAltered(file, released)]).toEqual([undefined, false])
  addon("a.node", "what was PACKED")
  expect([notAsPacked(file), isAltered(file)]).toEqual([undefined, false])
  const refused = ["is not the file that came with hooktape", true]
  expect([notAsPacked(file, { released }), isAltered(file, released)]).toEqual(refused)
  expect([notAsPacked(file, { released: {} }), isAltered(file, {})]).toEqual(refused)
})

it("that somebody compiled is remembered however many others are compared after it", () => {
  const { addon, state } = place()
  const file = addon("a.node", "what was compiled")
  expect(notAsFirst(file, "12.0.0-115", { state })).toBeUndefined()
  for (let nth = 0; nth < 12; nth++)
    expect(notAsPacked(addon(`packed-${nth}.node`, `packed ${nth}`), { state })).toBeUndefined()
  writeFileSync(file, "what was COMPILED")
  expect(notAsFirst(file, "12.0.0-115", { state })).toBe("is not the one that was loaded before it")
})

it("that somebody compiled must be the first of its kind, until whoever sets hooktape up takes another", () => {
  const { addon, home, state } = place()
  const file = addon("a.node", "what was compiled")
  const packed = addon("b.node", "what was packed")
  let summed = 0
  const look = (kind = "12.0.0-115") =>
    notAsFirst(file, kind, {
      state,
      sum: (one) => {
        summed++
        return sumOf(one)
      }
    })
  expect([look(), look(), summed]).toEqual([undefined, undefined, 1])
  expect(notAsPacked(packed, { state })).toBeUndefined()
  writeFileSync(file, "what was COMPILED")
  const refused = "is not the one that was loaded before it"
  expect([look(), look()]).toEqual([refused, refused])
  // The same again at another time, of another Node, and back.
  writeFileSync(file, "what was compiled")
  expect([look(), look("12.0.0-127")]).toEqual([undefined, undefined])
  writeFileSync(file, "what was COMPILED")
  expect(look("12.0.0-127")).toBe(refused)
  forgetFirst(state)
  expect(look("12.0.0-127")).toBeUndefined()
  expect(
    readFileSync(comparedFile(state), "utf8")
      .split("\n")
      .filter((line) => line.endsWith(packed))
  ).toHaveLength(1)
  // Nowhere to keep it: whoever loads it takes it as it is.
  expect(notAsFirst(file, "12.0.0-115", { state: join(home, "none") })).toBeUndefined()
})
