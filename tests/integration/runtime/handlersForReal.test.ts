/** Handlers that misbehave, in real processes: the reply is right to the byte, and their noise is on the log and nowhere else. */
import { beforeAll, describe, expect, it } from "vitest"
import {
  bash,
  dataOf,
  type Fired,
  heardOn,
  inTurns,
  type Run,
  type Station,
  station
} from "../../support/entrypoint.ts"
import { cases, hook } from "../../support/realHandlers.ts"

let place: Station
let fired: readonly Fired[]
let runs: ReadonlyMap<number, Run>

beforeAll(async () => {
  place = await station()
  place.env["HOOKTAPE_FAILURE_HINTS"] = "off"
  place.putUser("config.json", JSON.stringify({ deadlineMs: 60_000 }))
  place.putUser("hooks/acts.ts", hook)
  await place.build()
  fired = await inTurns(cases, 2, ({ act, policy, last }) =>
    place.fire({ input: bash("true", { act, ...(policy ? { policy } : {}), ...(last ? { last } : {}) }) })
  )
  runs = await place.runsByPid()
}, 240_000)

describe("a handler that misbehaves", () => {
  it.each(cases.map((one, at) => ({ ...one, at })))("$act: the reply is right", ({ at, reply }) => {
    const { code, stdout, stderr } = fired[at] as Fired
    expect({ code, stdout, stderr }).toEqual(reply)
  })

  it.each(cases.map((one, at) => ({ ...one, at })))(
    "$act: its noise is on the log, in a complete invocation",
    ({ at, stdout = "", stderr = "" }) => {
      const run = runs.get((fired[at] as Fired).pid) as Run
      expect(run.types.at(-2)).toBe("REPLY_DELIVERED")
      expect(run.types.at(-1)).toBe("EXITED")
      expect(heardOn(run, "stdout")).toBe(stdout)
      expect(heardOn(run, "stderr")).toBe(stderr)
      for (const { handler } of dataOf(run, "NOISE_CAPTURED")) expect(handler).toMatch(/^(allows|blocks)$/)
    }
  )

  it("asks where its policy is to ask", async () => {
    const { code, stdout } = await place.fire({ input: bash("true", { act: "throws", policy: "ask" }) })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "ask" } })
  })

  it("is told to the human at its first failure in a session, and at no other", async () => {
    delete place.env["HOOKTAPE_FAILURE_HINTS"]
    const input = bash("true", { act: "throws" })
    const said = [await place.fire({ input }), await place.fire({ input })].map(({ stdout }) => stdout)
    const systemMessage = 'hooktape: hook allows failed: thrown. "hooktape log --failed" shows it.'
    expect(said).toEqual([`${JSON.stringify({ systemMessage })}\n`, ""])
  })

  it("has all of its bytes counted though not all are kept", () => {
    const flood = cases.findIndex(({ act }) => act === "flood")
    const run = runs.get((fired[flood] as Fired).pid) as Run
    expect(dataOf(run, "NOISE_CAPTURED")[0]).toMatchObject({ stream: "stdout", bytes: 300_000 })
  })
})
