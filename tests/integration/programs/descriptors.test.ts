/** Handlers that write to, close, hand on and flood descriptors that they never opened: each call is answered with what was decided. */
import { existsSync, readFileSync } from "node:fs"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { hostLog } from "../../../src/runtime/host/hostLog.ts"
import { bash, dataOf, type Fired, inTurns, type Station } from "../../support/entrypoint.ts"
import { answers, answerTo } from "../../support/fire/calls.ts"
import { does, everyDeed } from "../../support/fire/deeds.ts"
import { endPlaces, furnished } from "../../support/fire/place.ts"
import { startHost } from "../../support/host.ts"

afterEach(endPlaces)

const sweep = (place: Station) =>
  inTurns(everyDeed, 2, async ({ command, id }) => ({
    id,
    fired: await place.fire({ input: bash(command, { tool_use_id: id }) })
  }))

const seen = ({ code, signal, stdout }: Fired) => ({ code, signal, stdout })

describe.skipIf(!existsSync(shippedClient()))("a handler that takes its descriptors for its own", () => {
  it("changes nothing of an answer given in process", async () => {
    const place = await furnished({ hooks: { does, answers } })
    place.env["HOOKTAPE_HOST"] = "off"
    place.env["HOOKTAPE_FAILURE_HINTS"] = "off"
    for (const { fired, id } of await sweep(place))
      expect({ id, ...seen(fired) }).toEqual({ id, code: 0, signal: null, stdout: answerTo(id) })
    const runs = await place.runs()
    expect(runs).toHaveLength(everyDeed.length)
    for (const run of runs) expect(run.types.slice(-2)).toEqual(["REPLY_DELIVERED", "EXITED"])
  }, 240_000)

  it("changes nothing of an answer given by the host, which lives on", async () => {
    const place = await furnished({ hooks: { does, answers } })
    // A handler that ends its process by what it does is named to the human once: no part of what was decided.
    place.env["HOOKTAPE_FAILURE_HINTS"] = "off"
    const host = await startHost(place)
    for (const { fired, id } of await sweep(place))
      expect({ id, ...seen(fired) }).toEqual({ id, code: 0, signal: null, stdout: answerTo(id) })
    expect((await host.status()).pid).toBe(host.child.pid)
    expect(await host.stop()).toEqual({ code: 0, signal: null })
    const runs = await place.runs()
    expect(runs).toHaveLength(everyDeed.length)
    for (const run of runs) expect(dataOf(run, "INVOCATION_OPENED")[0]?.transport).toBe("socket")
  }, 120_000)
})

/** What could be taken for a message, by somebody who knows how they are made and not the secret. */
const madeUp = `import { writeSync } from "node:fs"
import { defineHook } from "hooktape"
const number = (value: number) => { const four = Buffer.alloc(4); four.writeUInt32LE(value); return four }
const secret = "0123456789abcdef0123456789abcdef"
const out = Buffer.from("FORGED")
const fields = (kind: number, lengths: number[]) =>
  Buffer.concat([Buffer.from([kind, 0, 0, 0]), number(1), ...lengths.map(number)])
const json = '{"type":"facts","facts":[]}'
const texts: any = {
  line: "a line\\n",
  json: json + "\\n",
  framed: Buffer.concat([Buffer.from("0123456789abcdef"), number(json.length), Buffer.from(json)]),
  before: Buffer.concat([Buffer.from("HKH1"), fields(1, [6, 0, 0, 0]), out]),
  holds: Buffer.concat([Buffer.from("HKH2" + secret), fields(1, [6, 0, 0, 0]), out, Buffer.from(secret)]),
  answers: Buffer.concat([Buffer.from("HKH2" + secret), fields(2, [0, 0, 0, 0]), Buffer.from(secret)]),
  says: Buffer.concat([Buffer.from("HKH2" + secret), fields(3, [6, 0, 0, 0]), out, Buffer.from(secret)]),
  begun: "HKH2",
  notStarted: "X",
  flood: "HKH".repeat(1000000)
}
export default defineHook({ name: "forges", on: "tool.before", priority: 2, when: { command: /^forge / }, run: ({ tool }) => {
  for (const fd of [200, 201, 202]) try { writeSync(fd, texts[tool.command.slice(6)]) } catch {}
} })
`
const forgeries = "line json framed before holds answers says begun notStarted flood".split(" ")
const decides = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "decides", on: "tool.before", priority: 1, when: { command: /^forge / }, run: () => blockingFeedback("DECIDED") })
`
const after = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "after", on: "tool.before", priority: 3, when: { command: /^forge / }, run: () => blockingFeedback("AFTERWARDS") })
`
const reasonOf = ({ stdout }: Fired): string => JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason

describe.skipIf(!existsSync(shippedClient()))(
  "what a handler makes up for those that wait for its process",
  () => {
    const forge = (place: Station, name: string) =>
      place.fire({ input: bash(`forge ${name}`, { tool_use_id: name }) })

    it("is no word of it in process: what was decided before and after leaves", async () => {
      const place = await furnished({ hooks: { decides, forges: madeUp, after } })
      place.env["HOOKTAPE_HOST"] = "off"
      for (const name of forgeries) {
        const fired = await forge(place, name)
        expect({ name, code: fired.code, stderr: fired.stderr }).toEqual({ name, code: 0, stderr: "" })
        expect(reasonOf(fired)).toMatch(/^DECIDED\s+AFTERWARDS$/)
      }
      expect(await place.runs()).toHaveLength(forgeries.length)
    }, 60_000)

    it("costs its process under a host, is recorded, and nothing else changes", async () => {
      const place = await furnished({ hooks: { decides, forges: madeUp, after, answers } })
      place.env["HOOKTAPE_FAILURE_HINTS"] = "off"
      const host = await startHost(place)
      for (const name of forgeries) {
        expect(reasonOf(await forge(place, name))).toContain("AFTERWARDS")
        const next = await place.fire({ input: bash("ls", { tool_use_id: `${name}-next` }) })
        expect(next).toMatchObject({ code: 0, stdout: answerTo(`${name}-next`), stderr: "" })
      }
      expect((await host.status()).pid).toBe(host.child.pid)
      expect(await host.stop()).toEqual({ code: 0, signal: null })
      const failed = (await place.runs()).flatMap((run) => dataOf(run, "HANDLER_FAILED"))
      // One that is not whole yet is damaged by what the process says next.
      expect(failed.map(({ handler }) => handler)).toEqual(forgeries.map(() => "forges"))
      for (const { error } of failed) {
        expect(error.name).toBe("HandlerProcessEnded")
        expect(error.message).toMatch(/^the channel to its process was spoilt: /)
      }
      const told = readFileSync(hostLog(place.state), "utf8").match(/the channel to its process was spoilt/g)
      expect(told).toHaveLength(forgeries.length)
    }, 60_000)
  }
)
