/** The benchmark's table says of each figure whether it is what it has to be, and the page about it leaves none out. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { HostFigures } from "../../bench/host.ts"
import type { Timed } from "../../bench/interleave.ts"
import { hostRows, rateRow, timeRow } from "../../bench/table.ts"

const timed = (name: string, median: number, ratio: number): Timed => {
  const ratios = { "sh -c :": ratio, "exec cat >>file": ratio, "shell spool hook": ratio, "node -e 0": ratio }
  return { name, median, p95: median, min: median, ratios, ratiosP95: ratios, failures: 0 }
}

const host = (p50: number, perSecond: number, mb: number): HostFigures => ({
  bare: [{ connections: 8, perSecond: 9000 }],
  latencies: [
    { name: "socket, no handler", p50, p99: p50 },
    { name: "HTTP, back to back", p50, p99: p50 }
  ],
  throughput: [1, 8, 64].map((connections) => ({ connections, perSecond })),
  memoryMb: { idle: mb, worker: mb, after: mb, calls: 100_000 }
})

describe("the benchmark's table", () => {
  it.each([
    ["entrypoint, cache warm", 1.8, 1.9, "1.8× node -e 0"],
    ["client by sh -c, 4 KB", 0.6, 2.7, "2.6× sh -c :"],
    ["client by sh -c, 4 KB", 0.6, 0.7, "0.6× shell spool hook"],
    ["client, left for a host", 1.3, 1.4, "1.3× sh -c :"],
    ["8 of them in parallel", 8, 8.1, "8× sh -c :"]
  ])("holds %s against its floor", (name, good, bad, budget) => {
    expect(timeRow(timed(name, 1, good))).toContain(`within ${budget}`)
    expect(timeRow(timed(name, 1, bad))).toContain(`OVER ${budget}`)
  })

  it.each([
    ["handing a call over", "client, left for a host", 5],
    ["a whole call", "client by sh -c, 4 KB", 15],
    ["a call in process", "entrypoint, cache warm", 100]
  ])("holds %s against a target in milliseconds", (_, name, target) => {
    expect(timeRow(timed(name, target, 0))).toContain(`within ${target} ms`)
    expect(timeRow(timed(name, target + 1, 0))).toContain(`OVER ${target} ms`)
  })

  it("holds the host against its budgets: time, calls per second, memory idle, of a job's process and after 100,000 calls", () => {
    const good = hostRows(host(0.1, 4000, 80)).join("\n")
    expect(good).not.toMatch(/OVER|UNDER/)
    for (const words of [
      "within 0.15 ms",
      "p99 within 6 ms",
      "at least 4000",
      "within 80 MB",
      "within 160 MB"
    ])
      expect(good).toContain(words)
    expect(good).toMatch(/^8 +4000 +9000 /m)
    expect(good).toContain("memory of a handlers' process")
    const bad = hostRows(host(7, 3999, 161)).join("\n")
    for (const words of ["OVER 0.15 ms", "p99 OVER 6 ms", "UNDER 4000", "OVER 80 MB", "OVER 160 MB"])
      expect(bad).toContain(words)
  })

  it("holds the log against what it has to take", () => {
    expect(rateRow({ name: "log append, batches of 100", perSecond: 80_000, facts: 1 })).toContain(
      "at least 80000"
    )
    expect(rateRow({ name: "log read and decode", perSecond: 299_999, facts: 1 })).toContain("UNDER 300000")
  })
})

describe("docs/explanation/performance.md", () => {
  const page = readFileSync(new URL("../../../docs/explanation/performance.md", import.meta.url), "utf8")

  it("has the figures of starting, of handing over and of the whole, and says which are over their budget", () => {
    for (const words of [
      "node -e 0",
      "leaves a call for a host",
      "client and host",
      "8 calls at once",
      "**over**"
    ])
      expect(page).toContain(words)
  })

  it("answers whether Node is too heavy with figures, not with claims", () => {
    const answer = page.slice(page.indexOf("## Was Node too heavy?"))
    expect(answer).toMatch(/\d+(?:\.\d+)? (?:ms|times)/)
  })
})

describe("docs/explanation/host.md", () => {
  it.each(["systemd", "cron", "message queue", "Python"])("says why it is not %s", (other) => {
    const page = readFileSync(new URL("../../../docs/explanation/host.md", import.meta.url), "utf8")
    expect(page.slice(page.indexOf("## What else it could have been"))).toContain(other)
  })
})
