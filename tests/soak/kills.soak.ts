/** Hosts that are killed amid what they commit, while a hook spoils descriptors: whatever they answered is on the log completely. */
import { existsSync } from "node:fs"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../src/programs/cli/prepare.ts"
import { mulberry } from "../support/fire/barrage.ts"
import { answers, answerTo, type Sent, tally } from "../support/fire/calls.ts"
import { does, everyDeed } from "../support/fire/deeds.ts"
import { endPlaces, furnished, nothing, remains, until } from "../support/fire/place.ts"
import { volley } from "../support/fire/volley.ts"
import { startHost } from "../support/host.ts"
import { report, size } from "./size.ts"

afterEach(endPlaces)

const rounds = size("ROUNDS", 200)
const seed = size("SEED", 20261124)

/** Lanes with an even number ask for a handler's word. */
const isHandled = ({ id }: Sent): boolean => Number(id.split("-").at(-2)) % 2 === 0

describe.skipIf(!existsSync(shippedClient()))("amid what it commits", () => {
  it("a killed host loses nothing that it answered", async () => {
    const place = await furnished({ hooks: { does, answers } })
    const random = mulberry(seed)
    const answered: Sent[] = []
    for (let round = 0; round < rounds; round++) {
      const host = await startHost(place)
      const after = 1 + Math.floor(random() * 60)
      const command = (nth: number): string =>
        nth % 4 === 1 ? (everyDeed[(round + nth) % everyDeed.length]?.command ?? "ls") : "ls"
      const name = `round-${round}`
      const hear = (times: number): void => {
        if (times === after) host.child.kill("SIGKILL")
      }
      answered.push(...(await volley(place, { senders: 8, name, answered: hear, command })))
      await host.stop("SIGKILL")
    }
    const wrong = answered.filter(
      (sent) => sent.fired.code !== 0 || (isHandled(sent) && sent.fired.stdout !== answerTo(sent.id))
    )
    const figures = tally(await place.runs(), answered)
    report("kills", {
      rounds,
      seed,
      answered: answered.length,
      wrong: wrong.length,
      missing: figures.missing.length,
      twice: figures.twice.length,
      otherwise: figures.otherwise.length
    })
    expect(wrong.slice(0, 5)).toEqual([])
    expect(answered.length).toBeGreaterThanOrEqual(rounds)
    expect(figures).toMatchObject({ missing: [], twice: [], otherwise: [], byHost: answered.length })
    // A killed host leaves its socket; nobody is at it, nobody holds the lock, and no handler's process lives on.
    await until(async () => (await remains(place)).processes.length === 0)
    expect(await remains(place)).toEqual({ ...nothing, sockets: ["host.sock"] })
  })
})
