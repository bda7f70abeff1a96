/** What a person names for a sink is looked at when they name it: a place that cannot be written, a token that cannot be read. */
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { fileProblem, isStandardStream, tokenProblem } from "../../../src/tools/shipping/givenFiles.ts"

const root = mkdtempSync(join(tmpdir(), "ship-add-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const at = (name: string): string => join(root, name)

mkdirSync(at("folder"))
execFileSync("mkfifo", [at("pipe")])
writeFileSync(at("there.ndjson"), "{}\n")
writeFileSync(at("token"), "abc-123\n", { mode: 0o600 })
writeFileSync(at("empty"), "\n", { mode: 0o600 })
writeFileSync(at("two"), "abc\ndef\n", { mode: 0o600 })
writeFileSync(at("public"), "abc-123\n")
chmodSync(at("public"), 0o644)
writeFileSync(at("of-a-group"), "abc-123\n")
chmodSync(at("of-a-group"), 0o640)
mkdirSync(at("closed"), { mode: 0o500 })
writeFileSync(at("sealed"), "abc\n")
chmodSync(at("sealed"), 0o000)
/** Root may write anywhere. */
const isRoot = process.getuid?.() === 0

describe("where a sink is to go", () => {
  it.each([
    ["new.ndjson", undefined],
    ["there.ndjson", undefined],
    ["folder", "is a folder"],
    ["pipe", "is no regular file"],
    ["nowhere/events.ndjson", "lies in a folder that is not there"],
    ["token/events.ndjson", "lies in a folder that is not there"]
  ])("%s: %s", (name, problem) => expect(fileProblem(at(name))).toBe(problem))

  it.each(["-", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/proc/self/fd/1", "/dev/../dev/stdout"])(
    "not %s, of which a host in the background has none",
    (to) => expect(isStandardStream(to)).toBe(true)
  )

  it.each(["./-", "/tmp/stdout", "https://example.com/-"])("%s is no stream of a process", (to) =>
    expect(isStandardStream(to)).toBe(false)
  )

  it("no device counts as a file", () => expect(fileProblem("/dev/null")).toBe("is no regular file"))

  it.skipIf(isRoot)("not where its user may not write", () => {
    expect(fileProblem(at("closed/events.ndjson"))).toBe("lies in a folder that you may not write in")
    expect(fileProblem(at("sealed"))).toBe("is a file that you may not write")
  })
})

describe("the file with its token", () => {
  it.each([
    ["token", undefined],
    ["missing", "is not there"],
    ["folder", "is no regular file"],
    ["pipe", "is no regular file"],
    ["empty", "is empty"],
    ["two", "holds more than one token"]
  ])("%s: %s", (name, problem) => expect(tokenProblem(at(name))).toBe(problem))

  it("is its user's alone", () => {
    expect(tokenProblem(at("public"))).toBe(
      `can be read or written by others: run chmod 600 '${at("public")}'`
    )
    // A secret that a container is given is root's, and read by the group that its process runs as.
    expect(tokenProblem(at("of-a-group")) === undefined).toBe(isRoot)
  })

  it.skipIf(isRoot)("has to be its user's to read", () =>
    expect(tokenProblem(at("sealed"))).toBe("cannot be read")
  )
})
