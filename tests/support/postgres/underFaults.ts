/** A collector under everything that can befall one, while machines go on sending: what it holds in the end, and what it should. */
import { mulberry } from "../fire/barrage.ts"
import { type BadWay, type Harm, harms, startBadWay } from "./badWay.ts"
import { batchOf, event, roles } from "./collector.ts"
import { collect, type Running, startCollect } from "./processes.ts"
import type { Postgres } from "./server.ts"

const perBatch = 40
const sessions = 5

interface Sender {
  readonly name: string
  readonly token: string
  after: number
  /** Batches that were taken. */
  batches: number
}

const factsAfter = (name: string, after: number, many = perBatch) =>
  Array.from({ length: many }, (_, at) =>
    event(after + at + 1, { session: `${name}-${(after + at) % sessions}` })
  )

type Kind = "serve" | "run"

export const faultNames = [
  "a door is killed",
  "a door is asked to end",
  "a door freezes",
  "an owner is killed",
  "an owner is asked to end",
  "an owner freezes",
  "one owner more",
  "PostgreSQL is stopped",
  "PostgreSQL is stopped at once",
  "everything is restarted, one after the other",
  "a fact is none",
  "a gap",
  "a fork",
  "a session of very many facts",
  "a token is revoked"
] as const
export type Fault = (typeof faultNames)[number]

export interface FaultRun {
  readonly faults: Readonly<Record<string, number>>
  readonly harms: Readonly<Record<Harm, number>>
  readonly sent: number
  /** A line for each session: its installation, how many facts, and the sum of their positions. */
  readonly facts: readonly string[]
  readonly states: readonly string[]
  readonly wanted: readonly string[]
  readonly refused: string
}

export const underFaults = async (
  postgres: Postgres,
  faults: readonly Fault[],
  seed: number,
  machines = 4
): Promise<FaultRun> => {
  const random = mulberry(seed)
  const running = new Set<Running>()
  const add = (name: string): string => collect(postgres.url(), "tokens", "add", name).trim()
  const start = async (kind: Kind): Promise<Running> => {
    const role = kind === "run" ? roles.owner : roles.writer
    const one = await startCollect(postgres.url(role), kind, ...(kind === "serve" ? ["--port", "0"] : []))
    running.add(one)
    return one
  }
  const end = async (one: Running, signal: "SIGKILL" | "SIGTERM"): Promise<void> => {
    running.delete(one)
    await one.kill(signal)
  }
  const doors = [await start("serve"), await start("serve")]
  const owners = [await start("run"), await start("run")]
  const of = { serve: doors, run: owners }
  let asked = 0
  const door = (): string => doors[asked++ % doors.length]?.line ?? ""
  const ways: BadWay[] = []
  const harm = (): Harm =>
    random() < 0.6 ? "nothing" : (harms[Math.floor(random() * harms.length)] ?? "nothing")
  ways.push(await startBadWay(door, harm))
  const [way] = ways as [BadWay]

  const post = async (url: string, token: string, body: unknown) => {
    const answer = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(8000)
    }).catch(() => undefined)
    const text = await answer?.text().catch(() => undefined)
    if (answer === undefined || text === undefined) return undefined
    return { status: answer.status, reason: (JSON.parse(text || "{}") as { reason?: string }).reason }
  }
  /** Again until it is answered by more than an outage. */
  const answered = async (token: string, body: unknown) => {
    for (;;) {
      const answer = await post(way.url, token, body)
      if (answer !== undefined && answer.status !== 429 && answer.status !== 503) return answer
    }
  }
  const expectAnswer = async (
    token: string,
    body: unknown,
    status: number,
    reason?: string
  ): Promise<void> => {
    const answer = await answered(token, body)
    if (answer.status !== status || answer.reason !== reason)
      throw new Error(`answered ${JSON.stringify(answer)} in place of ${status} ${reason ?? ""}`)
  }

  const senders = Array.from({ length: machines }, (_, nth): Sender => {
    const name = `machine-${nth}`
    return { name, token: add(name), after: 0, batches: 0 }
  })
  let isOver = false
  const sending = senders.map(async (sender) => {
    while (!isOver) {
      const { after, name, token } = sender
      await expectAnswer(token, batchOf(after, [after + perBatch], { facts: factsAfter(name, after) }), 200)
      sender.after += perBatch
      sender.batches++
    }
  })
  const failed = Promise.all(sending)
  const taken = (): number => senders.reduce((sum, { batches }) => sum + batches, 0)
  /** Until machines got so many more batches through. */
  const goOn = async (batches: number): Promise<void> => {
    const wanted = taken() + batches
    while (taken() < wanted) await Promise.race([failed, new Promise((resolve) => setTimeout(resolve, 5))])
  }

  /** What else is on the log in the end, by session. */
  const extra = new Map<string, readonly [count: number, positions: number]>()
  const alone = (fault: string, nth: number): Sender => {
    const name = `${fault}-${nth}`
    return { name, token: add(name), after: 0, batches: 0 }
  }
  const replaced = async (kind: Kind, signal: "SIGKILL" | "SIGTERM"): Promise<void> => {
    const [first] = of[kind].splice(0, 1)
    if (first !== undefined) await end(first, signal)
    of[kind].push(await start(kind))
  }
  const frozen = async (kind: Kind): Promise<void> => {
    const one = of[kind][Math.floor(random() * of[kind].length)]
    one?.freeze()
    await goOn(machines)
    one?.thaw()
  }
  const stopped = (mode: "fast" | "immediate"): void => {
    postgres.stop(mode)
    postgres.start()
  }
  const tell = async (fault: Fault, nth: number): Promise<void> => {
    switch (fault) {
      case "a door is killed":
        return replaced("serve", "SIGKILL")
      case "a door is asked to end":
        return replaced("serve", "SIGTERM")
      case "a door freezes":
        return frozen("serve")
      case "an owner is killed":
        return replaced("run", "SIGKILL")
      case "an owner is asked to end":
        return replaced("run", "SIGTERM")
      case "an owner freezes":
        return frozen("run")
      case "one owner more": {
        const third = await start("run")
        await goOn(machines)
        return end(third, "SIGKILL")
      }
      case "PostgreSQL is stopped":
        return stopped("fast")
      case "PostgreSQL is stopped at once":
        return stopped("immediate")
      case "everything is restarted, one after the other":
        for (const kind of ["serve", "run", "serve", "run"] as const) await replaced(kind, "SIGTERM")
        return
      case "a fact is none": {
        const { name, token } = alone("odd", nth)
        const facts = [event(1, { session: name }), { nonsense: true }, event(3, { session: name })]
        await expectAnswer(token, batchOf(0, [3], { facts: facts as never }), 200)
        extra.set(name, [2, 4])
        return
      }
      case "a gap": {
        const { name, token } = alone("gap", nth)
        await expectAnswer(token, batchOf(0, [1], { facts: [event(1, { session: name })] }), 200)
        const ahead = batchOf(7, [8], { facts: [event(8, { session: name })] })
        await expectAnswer(token, ahead, 409, "gap")
        extra.set(name, [1, 1])
        return
      }
      case "a fork": {
        const { name, token } = alone("fork", nth)
        const first = batchOf(0, [2], {
          facts: factsAfter(name, 0, 2).map((one) => ({ ...one, session: name }))
        })
        await expectAnswer(token, first, 200)
        const other = [
          event(1, { session: name, id: "another-1" }),
          event(2, { session: name, id: "another-2" })
        ]
        await expectAnswer(token, batchOf(0, [2], { facts: other }), 409, "fork")
        extra.set(name, [2, 3])
        return
      }
      case "a session of very many facts": {
        const { name, token } = alone("hot", nth)
        const facts = Array.from({ length: 500 }, (_, at) => event(at + 1, { session: name }))
        await expectAnswer(token, batchOf(0, [500], { facts }), 200)
        extra.set(name, [500, 125_250])
        return
      }
      case "a token is revoked": {
        const { name, token } = alone("revoked", nth)
        await expectAnswer(token, batchOf(0, [1], { facts: [event(1, { session: name })] }), 200)
        collect(postgres.url(), "tokens", "revoke", name)
        const answer = await answered(token, batchOf(1, [2], { facts: [event(2, { session: name })] }))
        if (answer.status !== 401) throw new Error(`a revoked token was answered with ${answer.status}`)
        extra.set(name, [1, 1])
      }
    }
  }

  const linesOf = (sql: string): readonly string[] => postgres.psql(sql).split("\n").toSorted()
  const counts: Record<string, number> = {}
  try {
    for (const [nth, fault] of faults.entries()) {
      await Promise.race([failed, tell(fault, nth)])
      counts[fault] = (counts[fault] ?? 0) + 1
      await goOn(machines)
    }
    isOver = true
    await failed
    const behind = (): number => {
      const { folds } = JSON.parse(collect(postgres.url(roles.owner), "status", "--json"))
      return folds.reduce((sum: number, one: { behind: number }) => sum + one.behind, 0)
    }
    while (behind() > 0);
    const wanted = senders.flatMap(({ after, name }) =>
      Array.from({ length: sessions }, (_, nth) => {
        const positions = Array.from({ length: after / sessions }, (_, at) => at * sessions + nth + 1)
        return `${name}|${name}-${nth}|${positions.length}|${positions.reduce((sum, one) => sum + one, 0)}`
      })
    )
    for (const [name, [count, positions]] of extra) wanted.push(`${name}|${name}|${count}|${positions}`)
    return {
      faults: counts,
      harms: way.counts(),
      sent: senders.reduce((sum, { after }) => sum + after, 0),
      facts: linesOf(
        `SELECT i.name, f.session, count(*), sum(f.position) FROM hooktape.fact f
          JOIN hooktape.installation i ON i.id = f.installation GROUP BY i.name, f.session`
      ),
      states: linesOf(
        `SELECT i.name, s.key, s.state->>'facts', s.state->>'positions' FROM hooktape.state s
          JOIN hooktape.installation i ON i.id = s.installation WHERE s.projection = 'projection/session_sums/1'`
      ),
      wanted: wanted.toSorted(),
      refused: postgres.psql("SELECT count(*) FROM hooktape.refused")
    }
  } finally {
    isOver = true
    for (const one of [...running]) await end(one, "SIGKILL")
    await way.close()
  }
}
