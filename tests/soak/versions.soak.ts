/**
 * Two versions in one home: every pairing of client and host, then up and down again amid calls of four agents. Each call is answered
 * with what was decided, and is on the log once; what is forbidden is so before, while and after the version changes.
 */
import { afterEach, describe, expect, it } from "vitest"
import type { Recorded } from "../../events/Recorded.ts"
import { replacedBy } from "../../src/history/calls.ts"
import { type Fired, inTurns } from "../support/entrypoint.ts"
import { learns, successes } from "../support/fire/calls.ts"
import { until } from "../support/fire/place.ts"
import { askers, type Call, type Home, isDenied, makeHome } from "../support/versions/home.ts"
import { type Package, packageIn } from "../support/versions/packages.ts"
import { report, size } from "./size.ts"

/** The run prepares them and says where they are. */
const placed = (name: string): Package => packageIn(process.env[`HOOKTAPE_TEST_${name}`] ?? "")
const earlier = placed("EARLIER")
const today = placed("TODAY")

const calls = size("CALLS", 1000)
const changes = size("CHANGES", 3)
const senders = 8
const perWave = 40

/** A user's own guard, beside the shipped ones. */
const forbids = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "forbids", on: "tool.before", onFailure: "block", when: { command: /^forbidden/ },
  run: () => blockingFeedback("NOT THIS") })
`

let home: Home | undefined
afterEach(() => home?.end())
const furnished = (): Home => {
  home = makeHome({ forbids, learns })
  return home
}

/** A fifth is forbidden by a shipped guard, a fifth by the user's, a tenth leaves a job. */
const commandOf = (nth: number): string => {
  if (nth % 5 === 0) return "git push --force origin main"
  if (nth % 5 === 1) return `forbidden ${nth}`
  return nth % 10 === 2 ? `learn ${nth}` : `ls ${nth}`
}

/** Agents take turns more slowly than commands do: each asks about all of them. */
const callOf = (nth: number, part: string): Call => ({
  id: `${part}/${nth}`,
  agent: askers[Math.floor(nth / 10) % askers.length] ?? "",
  command: commandOf(nth)
})

const callsOf = (part: string, count: number): readonly Call[] =>
  Array.from({ length: count }, (_, nth) => callOf(nth, part))

interface Sent {
  readonly call: Call
  readonly fired: Fired
}

const isForbidden = ({ command }: Call): boolean => /^(?:git push|forbidden)/.test(command)

/** Answered as decided, by the agent's own rules, with nothing about hooktape itself. Versions before say a block's reason by exit code. */
const isRight = ({ call, fired: { code, stderr, stdout } }: Sent): boolean =>
  isDenied({ code, stdout }) === isForbidden(call) &&
  (code === 2 ? stdout === "" && !/^hooktape/m.test(stderr) : code === 0 && stderr === "")

const sendAll = (to: Home, all: readonly Call[], answered: () => void = () => undefined) =>
  inTurns(all, senders, async (call): Promise<Sent> => {
    const fired = await to.fire(call)
    answered()
    return { call, fired }
  })

interface Opened {
  readonly env?: Readonly<Record<string, string>>
  readonly transport?: string
}

/** Which calls are not on the log once, by the invocations that stand for them, and how many of each part came to a host. */
const recorded = (facts: readonly Recorded[], sent: readonly Sent[]) => {
  const opened = facts.filter(({ type }) => type === "INVOCATION_OPENED")
  const replaced = replacedBy(opened)
  const standing = new Map<string, Recorded[]>()
  const ended = new Set(facts.filter(({ type }) => type === "EXITED").map(({ stream }) => stream))
  const ways: Record<string, number> = {}
  for (const fact of opened.filter(({ stream }) => !replaced.has(stream))) {
    const { env, transport = "" } = fact.data as Opened
    const id = env?.["TERM_PROGRAM"] ?? ""
    standing.set(id, [...(standing.get(id) ?? []), fact])
    const way = `${id.split("/")[0]} ${transport}`
    ways[way] = (ways[way] ?? 0) + 1
  }
  const times = ({ call: { id } }: Sent): number => standing.get(id)?.length ?? 0
  return {
    missing: sent.filter((one) => times(one) === 0).map(({ call }) => call.id),
    twice: sent.filter((one) => times(one) > 1).map(({ call }) => call.id),
    unended: sent
      .filter(({ call }) => !ended.has(standing.get(call.id)?.[0]?.stream ?? ""))
      .map(({ call }) => call.id),
    ways
  }
}

const hostsIn = (facts: readonly Recorded[]): readonly string[] =>
  facts
    .filter(({ type }) => type === "HOST_STARTED")
    .map(({ data }) => (data as { readonly build: string }).build)

/** Ends what runs, and looks at all of it with today's version. */
const looked = async (at: Home, sent: readonly Sent[]) => {
  const hosts = hostsIn(await at.facts(today))
  const done = async () => [...successes(await at.facts(today)).values()].every((times) => times > 0)
  await at.run(today, ["host", "start"])
  await until(done)
  await at.run(today, ["host", "stop"])
  const facts = await at.facts(today)
  const jobs = [...successes(facts).values()]
  return {
    sound: await at.run(today, ["log", "verify"]),
    wrong: sent.filter((one) => !isRight(one)).slice(0, 5),
    jobs: jobs.length,
    jobsNotOnce: jobs.filter((times) => times !== 1).length,
    hosts,
    ...recorded(facts, sent)
  }
}

const holds = { wrong: [], missing: [], twice: [], unended: [], jobsNotOnce: 0 }
const learning = (sent: readonly Sent[]): number =>
  sent.filter(({ call }) => call.command.startsWith("learn")).length

describe("an earlier version and today's in one home", () => {
  it("answer, guard and record in every pairing of client and host", async () => {
    const at = furnished()
    const pairings = [
      { part: "earlier-earlier", client: earlier, host: earlier },
      { part: "today-earlier", client: today, host: earlier },
      { part: "earlier-today", client: earlier, host: today },
      { part: "today-today", client: today, host: today }
    ]
    const each = Math.ceil(calls / pairings.length)
    const sent: Sent[] = []
    for (const { client, host, part } of pairings) {
      await at.install(host)
      await at.run(host, ["host", "start"])
      // A host sees at a call that another build is installed.
      for (let asked = 0; (await at.hostBuild(today)) !== host.build; asked++)
        sent.push(...(await sendAll(at, [callOf(asked, `before-${part}`)])))
      at.placeClient(client)
      sent.push(...(await sendAll(at, callsOf(part, each))))
      expect(await at.hostBuild(today), "the host of this pairing answered all of it").toBe(host.build)
    }
    const found = await looked(at, sent)
    report("pairings", { calls: sent.length, ...found })
    expect(found).toMatchObject({ ...holds, jobs: learning(sent) })
    for (const { part } of pairings)
      expect(found.ways[`${part} socket`], `${part}: client and host understood each other`).toBeGreaterThan(
        0.9 * each
      )
  })

  it("change up and down again amid calls", async () => {
    const at = furnished()
    await at.install(earlier)
    await at.run(earlier, ["host", "start"])
    let answered = 0
    let reached: () => void = () => undefined
    const atCall = async (moment: number): Promise<void> => {
      while (answered < moment)
        await new Promise<void>((resolve) => {
          reached = resolve
        })
    }
    const changing = (async () => {
      for (let nth = 0; nth < changes; nth++) {
        await atCall(Math.floor(((nth + 1) * calls) / (changes + 1)))
        const next = nth % 2 === 0 ? today : earlier
        const refused = at.refusals()
        await at.install(next)
        // One of before a change of the log has no host on what a later one left: its calls go on without.
        await until(async () => at.refusals() > refused || (await at.hostBuild(today)) === next.build)
      }
    })()
    let isChanging = true
    const over = changing.finally(() => {
      isChanging = false
    })
    const sent: Sent[] = []
    // However quickly calls are answered, they go on until the last change has come to its host.
    while (sent.length < calls || isChanging) {
      const wave = Array.from({ length: perWave }, (_, nth) => callOf(sent.length + nth, "changing"))
      sent.push(
        ...(await sendAll(at, wave, () => {
          answered++
          reached()
        }))
      )
    }
    await over
    const found = await looked(at, sent)
    report("up and down", { calls: sent.length, changes, refusals: at.refusals(), ...found })
    expect(found).toMatchObject({ ...holds, jobs: learning(sent) })
    expect(found.ways["changing socket"], "hosts had their part").toBeGreaterThan(
      at.refusals() > 0 ? calls / 4 : calls / 2
    )
    expect(new Set(found.hosts), "both versions had hosts").toEqual(new Set([earlier.build, today.build]))
  })
})
