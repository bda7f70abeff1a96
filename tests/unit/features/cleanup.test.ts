/** cleanup: hooktape's own leftovers go, a few at a time, and nothing else does. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { cleanup } from "../../../src/features/cleanup/cleanup.ts"
import { sweep } from "../../../src/features/cleanup/sweep.ts"
import { makeHandlerServices } from "../../../src/runtime/services/handlerServices.ts"
import { isAlive } from "../../../src/state/isAlive.ts"

const limits = { days: 30, most: 200 }
const hour = 3_600_000
let root: string
let state: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cleanup-"))
  state = join(root, "state")
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const now = Date.now()
const put = (path: string, hours: number): string => {
  const file = join(state, path)
  mkdirSync(path.endsWith("/") ? file : dirname(file), { recursive: true })
  if (!path.endsWith("/")) writeFileSync(file, "")
  const at = new Date(now - hours * hour)
  utimesSync(file, at, at)
  return file
}
/** A number that no process has. */
const dead = (): number => {
  let pid = 4_000_000
  while (isAlive(pid)) pid--
  return pid
}

describe("sweep", () => {
  it("removes what was left behind, and only that", () => {
    const pid = dead()
    const goes = [
      put(`run/noise.${pid}.1`, 2),
      put(`run/noise.${pid}-7.2`, 2),
      put("bin/hook.0123456789ab.tmp", 2),
      put("spool/errors/x.ndjson.3.json", 31 * 24),
      put("build/.tmp-abc/", 2),
      put("build/.load-abc/", 2),
      put("trust.json.owner.0123456789ab.tmp/", 2),
      put("projects/user.json.owner.0123456789ab.tmp/", 2)
    ]
    const stays = [
      put(`run/noise.${pid}.2`, 0.5),
      put(`run/noise.${process.pid}.1`, 99),
      put("run/token", 9999),
      put("run/noise.txt", 9999),
      put("bin/hook", 9999),
      put("bin/hook.tmp", 9999),
      put("spool/errors/y.ndjson.3.json", 29 * 24),
      put("spool/x.ndjson", 9999),
      put("build/.tmp-new/", 0.5),
      put("build/0123456789abcdef/", 9999),
      put("projects/user.json.owner/", 9999),
      put("projects/user.json.owner.ba9876543210.tmp/", 0.5),
      put("log.sqlite", 9999)
    ]
    expect(sweep(state, now, limits)).toEqual({
      "files of processes that are gone": 2,
      "unfinished builds": 2,
      "unfinished files": 1,
      "unfinished locks": 2,
      "old lines that were no facts": 1
    })
    expect(goes.filter((file) => existsSync(file))).toEqual([])
    expect(stays.filter((file) => !existsSync(file))).toEqual([])
  })

  it("takes a few at a time", () => {
    for (let n = 0; n < 5; n++) put(`spool/errors/${n}.ndjson.1.json`, 9999)
    const few = { ...limits, most: 2 }
    expect([1, 2, 3, 4].map(() => Object.values(sweep(state, now, few)))).toEqual([[2], [2], [1], []])
  })

  it("follows no link, and does not mind what is not there", () => {
    expect(sweep(state, now, limits)).toEqual({})
    const elsewhere = join(root, "elsewhere")
    mkdirSync(join(elsewhere, ".tmp-theirs"), { recursive: true })
    mkdirSync(state)
    symlinkSync(elsewhere, join(state, "build"))
    expect(sweep(state, now + 9999 * hour, limits)).toEqual({})
    rmSync(join(state, "build"))
    mkdirSync(join(state, "build"))
    symlinkSync(elsewhere, join(state, "build", ".tmp-link"))
    expect(sweep(state, now + 9999 * hour, limits)).toEqual({})
    expect(readdirSync(elsewhere)).toEqual([".tmp-theirs"])
  })
})

describe("cleanup", () => {
  it("says what it removed, and removes nothing in a replay", async () => {
    const asking = { handler: "cleanup", event: "session.end", index: 0, attempt: 1 }
    put("build/.tmp-abc/", 2)
    const run = (handlerServices: ReturnType<typeof makeHandlerServices>) =>
      cleanup.run({ settings: {}, services: handlerServices.services(root, {}) } as never)
    const elapsed = () => 0
    const live = makeHandlerServices({ state, project: root, elapsed }, asking)
    const said = { type: "DIAGNOSTIC", level: "info", message: "removed unfinished builds (1)" }
    expect(await run(live)).toEqual(said)
    const recorded = live.end()
    const again = put("build/.tmp-abc/", 2)
    expect(await run(makeHandlerServices({ state, project: root, elapsed, recorded }, asking))).toEqual(said)
    expect(existsSync(again)).toBe(true)
    expect(
      await run(makeHandlerServices({ state: join(root, "none"), project: root, elapsed }, asking))
    ).toBeUndefined()
  })
})
