/** `doctor` says whether what happens gets where it is to be sent. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { checkShipping } from "../../../src/programs/cli/doctor/shipping.ts"
import { sinksFile, writeSinks } from "../../../src/tools/shipping/Sink.ts"
import { keepTrouble } from "../../../src/tools/shipping/trouble.ts"

const sink = (name: string) => ({ name, to: `/tmp/${name}.ndjson`, after: 0 })

it("names each sink, and what is wrong with it", () => {
  const state = mkdtempSync(join(homedir(), "ship-"))
  expect(checkShipping(state)).toEqual([])
  writeSinks(state, [sink("audit"), sink("team")])
  keepTrouble(state, "team", { at: 0, error: "the receiver answered 503" })
  expect(checkShipping(state)).toMatchObject([
    { status: "ok", message: "audit is sent what happens" },
    {
      status: "warn",
      message: "team was not reached at 1970-01-01T00:00:00.000Z, the receiver answered 503"
    }
  ])
  const since = Date.parse("2026-01-02T03:04:05Z")
  const waiting = (now: number) =>
    checkShipping(state, {
      now,
      backlogs: new Map([
        ["audit", { facts: 3, more: false, since }],
        ["team", { facts: 1000, more: true, since }]
      ])
    })
  expect(waiting(since + 60_000)).toMatchObject([
    { status: "ok", message: "audit is sent what happens: 3 facts wait since 2026-01-02T03:04:05.000Z" },
    {
      status: "warn",
      message: expect.stringMatching(/503: 1000\+ facts wait since 2026-01-02T03:04:05.000Z$/)
    }
  ])
  expect(waiting(since + 3_600_000)).toMatchObject([
    {
      status: "warn",
      message: "audit is not sent what happens: 3 facts wait since 2026-01-02T03:04:05.000Z"
    },
    { status: "warn" }
  ])
  writeFileSync(sinksFile(state), "{", { mode: 0o600 })
  expect(checkShipping(state)).toMatchObject([{ status: "fail" }])
})

it("says which sink is sent payloads, and since when", () => {
  const state = mkdtempSync(join(homedir(), "ship-"))
  writeSinks(state, [{ ...sink("collector"), kind: "collector", payloads: { decided: 0 } }])
  expect(checkShipping(state)).toMatchObject([
    {
      status: "ok",
      message: "collector is sent what happens, with payloads, as was decided at 1970-01-01T00:00:00.000Z"
    }
  ])
})
