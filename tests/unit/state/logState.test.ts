/** Where state lives, and what makes it private. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  digestKey,
  installationId,
  openState,
  readPrivate,
  StateError,
  stateDirectory
} from "../../../src/state/state.ts"

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "state-"))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe("stateDirectory", () => {
  it("is what HOOKTAPE_HOME says, else what the platform says", () => {
    expect(stateDirectory({ HOOKTAPE_HOME: "/x/y", XDG_STATE_HOME: "/z" }, "linux", "/home/u")).toBe("/x/y")
    expect(stateDirectory({ XDG_STATE_HOME: "/z" }, "linux", "/home/u")).toBe("/z/hooktape")
    expect(stateDirectory({ XDG_STATE_HOME: "relative" }, "linux", "/home/u")).toBe(
      "/home/u/.local/state/hooktape"
    )
    expect(stateDirectory({ HOME: "" }, "linux").startsWith("/")).toBe(true)
    expect(stateDirectory({ HOOKTAPE_HOME: "" }, "linux", "/home/u")).toBe("/home/u/.local/state/hooktape")
    expect(stateDirectory({}, "darwin", "/Users/u")).toBe("/Users/u/Library/Application Support/hooktape")
    expect(stateDirectory({ LOCALAPPDATA: "/l" }, "win32", "/u")).toBe("/l/hooktape")
  })
})

describe("openState", () => {
  it("makes a private directory, and one that was wider private", () => {
    const state = openState(join(root, "a", "b"))
    expect(statSync(state).mode & 0o777).toBe(0o700)
    chmodSync(state, 0o755)
    openState(state)
    expect(statSync(state).mode & 0o777).toBe(0o700)
  })

  it("refuses links and files", () => {
    mkdirSync(join(root, "there"))
    symlinkSync(join(root, "there"), join(root, "link"))
    writeFileSync(join(root, "file"), "")
    expect(() => openState(join(root, "link"))).toThrow(/symbolic link/)
    expect(() => openState(join(root, "file"))).toThrow(StateError)
  })
})

describe("the files of an installation", () => {
  it("are made once and stay", () => {
    const key = digestKey(root)
    expect(key).toHaveLength(32)
    expect(digestKey(root).equals(key)).toBe(true)
    const id = installationId(root)
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(installationId(root)).toBe(id)
    expect(readdirSync(root).sort()).toEqual(["installation", "key"])
    expect(statSync(join(root, "key")).mode & 0o777).toBe(0o600)
  })

  it("are not followed through a link, and not believed when damaged", () => {
    symlinkSync(join(root, "elsewhere"), join(root, "key"))
    expect(() => digestKey(root)).toThrow(/symbolic link/)
    expect(existsSync(join(root, "elsewhere"))).toBe(false)
    writeFileSync(join(root, "installation"), "short")
    expect(() => installationId(root)).toThrow(/damaged/)
    expect(readPrivate(join(root, "none"))).toBeUndefined()
  })
})
