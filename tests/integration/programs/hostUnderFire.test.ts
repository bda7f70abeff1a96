/**
 * Hosts that are killed while they answer: every call is answered, on the log exactly once, and nothing is left behind.
 * HOOKTAPE_TEST_CALLS, HOOKTAPE_TEST_KILLS and HOOKTAPE_TEST_ROUNDS make the runs longer.
 */
import { existsSync } from "node:fs"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { barrage, mulberry } from "../../support/fire/barrage.ts"
import { answers, answerTo, learns, successes, tally } from "../../support/fire/calls.ts"
import { endHosts, endPlaces, furnished, nothing, remains, until } from "../../support/fire/place.ts"
import { volley } from "../../support/fire/volley.ts"
import { answering, startHost } from "../../support/host.ts"

afterEach(endPlaces)

const count = (name: string, usual: number): number => Number(process.env[`HOOKTAPE_TEST_${name}`] ?? usual)

const calls = count("CALLS", 240)
const kills = count("KILLS", 4)
const rounds = count("ROUNDS", 6)
/** Ends what hangs, however long the run is. */
const longest = 120_000 + calls * 200 + rounds * 10_000

const report = (figures: object): void => {
  if (process.env["HOOKTAPE_TEST_REPORT"]) console.info(JSON.stringify(figures))
}

const quantile = (sorted: readonly number[], part: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0)

describe.skipIf(!existsSync(shippedClient()))("hosts that are killed", () => {
  it(
    `${kills} times under ${calls} calls of 16 senders: each is answered, and on the log once`,
    async () => {
      const place = await furnished({ hooks: { answers, learns } })
      const began = performance.now()
      const { sent, killed } = await barrage(place, {
        calls,
        senders: 16,
        kills,
        seed: 20261121,
        learning: 10
      })
      const seconds = Math.round((performance.now() - began) / 1000)
      expect(killed).toBe(kills)
      const wrong = sent.filter(({ id, fired }) => fired.code !== 0 || fired.stdout !== answerTo(id))
      expect(wrong).toEqual([])
      expect(sent.filter(({ fired }) => fired.stderr !== "")).toEqual([])

      // Whoever comes last finds what was left for it, and does the jobs.
      const last = await startHost(place)
      await answering(place.state)
      await until(async () => [...successes(await place.facts()).values()].every((times) => times > 0))
      await last.stop("SIGTERM")
      // One that a client started for a host that was killed may come up only now.
      await until(() => endHosts(place) === 0)
      const figures = tally(await place.runs(), sent)
      const facts = await place.facts()
      const jobs = successes(facts)
      const times = sent.map(({ ms }) => ms).sort((a, b) => a - b)
      report({
        ...figures,
        calls: sent.length,
        killed,
        seconds,
        jobs: jobs.size,
        hosts: facts.filter(({ type }) => type === "HOST_READY").length,
        ms: { p50: quantile(times, 0.5), p99: quantile(times, 0.99), max: quantile(times, 1) }
      })
      expect(figures).toMatchObject({ missing: [], twice: [], otherwise: [] })
      expect(figures.byHost + figures.byEntry).toBe(calls)
      expect(figures.byHost, "hosts had their part").toBeGreaterThan(0)
      // Also of calls that were begun by a host and answered elsewhere.
      expect(jobs.size).toBe(Math.ceil(calls / 10))
      expect([...jobs].filter(([, times]) => times !== 1)).toEqual([])
      expect(await remains(place)).toEqual(nothing)
    },
    longest
  )

  it(
    `${rounds} times amid what they commit: whatever they answered is on the log completely`,
    async () => {
      const place = await furnished({ hooks: { answers } })
      const random = mulberry(20261122)
      const answered = []
      for (let round = 0; round < rounds; round++) {
        const host = await startHost(place)
        const after = 1 + Math.floor(random() * 60)
        answered.push(
          ...(await volley(place, {
            senders: 8,
            name: `round-${round}`,
            answered: (times) => {
              if (times === after) host.child.kill("SIGKILL")
            }
          }))
        )
        await host.stop("SIGKILL")
      }
      const figures = tally(await place.runs(), answered)
      report({ ...figures, rounds, answered: answered.length })
      expect(answered.length).toBeGreaterThanOrEqual(rounds)
      expect(figures).toMatchObject({ missing: [], twice: [], otherwise: [], byHost: answered.length })
      // A killed host leaves its socket; nobody is at it, nobody holds the lock, and no handler's process lives on.
      await until(async () => (await remains(place)).processes.length === 0)
      expect(await remains(place)).toEqual({ ...nothing, sockets: ["host.sock"] })
    },
    longest
  )
})
