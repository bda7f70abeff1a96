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
      message: "team was not reached at 1970-01-01T00:00:00.000Z: the receiver answered 503"
    }
  ])
  writeFileSync(sinksFile(state), "{", { mode: 0o600 })
  expect(checkShipping(state)).toMatchObject([{ status: "fail" }])
})
