/** Whole payloads are made ready one after the other: whoever waits for an answer of the host comes in between. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { noMarks, type Recorded } from "../../../events/Recorded.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import { collectorCourier } from "../../../src/tools/shipping/collectorCourier.ts"
import { buffered } from "../../support/facts.ts"

/** `read`: called when its data is asked for, which is when it is made ready. */
const factAt = (position: number, read: () => void): Recorded => {
  const data = buffered({ payload: "x" })
  const fact = { ...noMarks, id: `f${position}`, stream: "invocation/i1", source: "test", type: data.type }
  const placed = { ...fact, position, at: 0, recordedAt: 0, cause: null, schemaVersion: 1, known: true }
  return Object.defineProperty(placed, "data", {
    enumerable: true,
    get: () => {
      read()
      return data
    }
  }) as unknown as Recorded
}

it("a turn of the host comes between two facts", async () => {
  const state = mkdtempSync(join(homedir(), "turns-"))
  const tokenFile = join(state, "token")
  writeFileSync(tokenFile, "t\n", { mode: 0o600 })
  const server = createServer((request, response) => {
    request.resume()
    request.on("end", () => void response.writeHead(200).end("{}"))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  let turns = 0
  const turnsOf = new Map<number, number>()
  const facts = Array.from({ length: 20 }, (_, nth) => factAt(nth + 1, () => void turnsOf.set(nth, turns)))
  let isOver = false
  const turn = (): void => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const sink = { name: "c", kind: "collector", to, tokenFile, after: 0, payloads: { decided: 1 } } as const
  const sent = await Effect.gen(function* () {
    const log = yield* EventLog
    const courier = collectorCourier({ sink, log, key: Buffer.alloc(32, 7), state, timeoutMs: 60_000 })
    return yield* courier.send(facts as never, 0)
  }).pipe(Effect.provide(layerMemory()), Effect.runPromise)
  isOver = true
  server.close()
  expect(sent).toBe(20)
  expect(new Set(turnsOf.values()).size).toBe(20)
})
