/**
 * Calls under fire: hosts are killed while hooks spoil descriptors, a guard says no and jobs are left behind. Each call is answered with
 * what was decided and is on the log once; each job is done once.
 */
import { existsSync } from "node:fs"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../src/programs/cli/prepare.ts"
import { barrage } from "../support/fire/barrage.ts"
import { answers, answerTo, learns, successes, tally } from "../support/fire/calls.ts"
import { does, everyDeed } from "../support/fire/deeds.ts"
import { endHosts, endPlaces, furnished, nothing, remains, until } from "../support/fire/place.ts"
import { answering, startHost } from "../support/host.ts"
import { report, size } from "./size.ts"

afterEach(endPlaces)

const calls = size("CALLS", 10_000)
const kills = size("KILLS", 20)
const seed = size("SEED", 20261124)
const learning = 10

const forbids = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "forbids", on: "tool.before", priority: 900, onFailure: "block", when: { command: /^forbidden/ },
  run: ({ payload }) => blockingFeedback("NOT " + payload["tool_use_id"]) })
`

const isForbidden = (nth: number): boolean => nth % learning !== 0 && nth % 7 === 3

/** A quarter spoils a descriptor, a seventh is forbidden, a tenth leaves a job. */
const command = (nth: number): string => {
  if (isForbidden(nth)) return "forbidden"
  return nth % 4 === 1 ? (everyDeed[nth % everyDeed.length]?.command ?? "ls") : "ls"
}

interface Answer {
  readonly hookSpecificOutput?: {
    readonly permissionDecision?: string
    readonly permissionDecisionReason?: string
  }
}

/** What was decided, whatever else stands in the reply. */
const isAnswered = (nth: number, stdout: string): boolean => {
  const id = `call-${nth}`
  if (!isForbidden(nth)) return stdout === answerTo(id)
  const { hookSpecificOutput: said } = JSON.parse(stdout || "{}") as Answer
  return said?.permissionDecision === "deny" && said.permissionDecisionReason === `NOT ${id}`
}

/** A hook that ends its own process so is told of, to the person; nothing else is said. */
const isQuiet = (nth: number, stderr: string): boolean =>
  stderr === "" ||
  (command(nth).startsWith("deed") && /^hooktape error: hook does failed: [^\n]*\n$/.test(stderr))

const quantile = (sorted: readonly number[], part: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0)

describe.skipIf(!existsSync(shippedClient()))("under fire", () => {
  it("every call is answered with what was decided, and nothing is lost or done twice", async () => {
    const place = await furnished({ hooks: { does, answers, forbids, learns } })
    const began = performance.now()
    const { sent, killed } = await barrage(place, { calls, senders: 16, kills, seed, learning, command })
    const seconds = Math.round((performance.now() - began) / 1000)
    const wrong = sent.filter(
      ({ fired }, nth) => fired.code !== 0 || !isQuiet(nth, fired.stderr) || !isAnswered(nth, fired.stdout)
    )

    // Whoever comes last finds what was left for it, and does the jobs.
    const last = await startHost(place)
    await answering(place.state)
    await until(async () => [...successes(await place.facts()).values()].every((times) => times > 0))
    await last.stop("SIGTERM")
    await until(() => endHosts(place) === 0)
    const figures = tally(await place.runs(), sent)
    const facts = await place.facts()
    const jobs = successes(facts)
    const doneTwice = [...jobs].filter(([, times]) => times !== 1)
    const times = sent.map(({ ms }) => ms).sort((a, b) => a - b)
    report("chaos", {
      calls: sent.length,
      killed,
      seed,
      seconds,
      wrong: wrong.length,
      missing: figures.missing.length,
      twice: figures.twice.length,
      otherwise: figures.otherwise.length,
      byHost: figures.byHost,
      byEntry: figures.byEntry,
      replaced: figures.replaced,
      forbidden: sent.filter((_, nth) => isForbidden(nth)).length,
      deeds: sent.filter((_, nth) => nth % learning !== 0 && command(nth).startsWith("deed")).length,
      jobs: jobs.size,
      jobsNotOnce: doneTwice.length,
      hosts: facts.filter(({ type }) => type === "HOST_READY").length,
      ms: { p50: quantile(times, 0.5), p99: quantile(times, 0.99), max: quantile(times, 1) }
    })
    expect(killed).toBe(kills)
    expect(wrong.slice(0, 5)).toEqual([])
    expect(figures).toMatchObject({ missing: [], twice: [], otherwise: [] })
    expect(figures.byHost + figures.byEntry).toBe(calls)
    expect(figures.byHost, "hosts had their part").toBeGreaterThan(calls / 2)
    expect(jobs.size).toBe(Math.ceil(calls / learning))
    expect(doneTwice).toEqual([])
    expect(await remains(place)).toEqual(nothing)
  })
})
