/** What a host keeps in memory, measured: of the program that is shipped, idle and after calls. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { bash, inTurns, station } from "../../support/entrypoint.ts"
import { equip, startHost } from "../../support/host.ts"

/** Resident, in megabytes. */
const memoryOf = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

// The bars of the benchmark, of a session and of what is left after very many calls.
it.runIf(process.platform === "linux")(
  "keeps a host small, idle and after calls",
  async () => {
    const place = await station()
    await place.build()
    await equip(place)
    const host = await startHost(place)
    try {
      expect(memoryOf(host.child.pid)).toBeGreaterThan(20)
      expect(memoryOf(host.child.pid)).toBeLessThan(110)
      const calls = Array.from({ length: 300 }, (_, nth) => nth)
      await inTurns(calls, 8, (nth) => place.fire({ input: bash(`echo ${nth}`) }))
      expect((await host.status()).served).toBe(calls.length)
      expect(memoryOf(host.child.pid)).toBeLessThan(160)
    } finally {
      await host.stop()
    }
  },
  120_000
)
