/** Whatever dies amid it, each fact that a machine was told is taken is there once, and in the states once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { batchOf, event, roles } from "../support/postgres/collector.ts"
import { collect, type Running, startCollect } from "../support/postgres/processes.ts"
import { type Postgres, startPostgres } from "../support/postgres/server.ts"

let postgres: Postgres
const running = new Set<Running>()

beforeAll(() => {
  postgres = startPostgres()
  expect(collect(postgres.url(), "migrate")).toContain("0001-facts")
  expect(collect(postgres.url(), "migrate")).toContain("up to date")
  for (const [kind, role] of Object.entries(roles))
    postgres.psql(`CREATE ROLE ${role} LOGIN; GRANT hooktape_${kind} TO ${role}`)
})
afterAll(async () => {
  for (const one of running) await one.kill("SIGKILL")
  postgres?.remove()
})

const started = async (...args: readonly string[]): Promise<Running> => {
  const role = args[0] === "run" ? roles.owner : roles.writer
  const one = await startCollect(postgres.url(role), ...args)
  running.add(one)
  return one
}

const ended = async (one: Running, signal: "SIGKILL" | "SIGTERM"): Promise<void> => {
  running.delete(one)
  await one.kill(signal)
}

interface Sender {
  readonly token: string
  readonly name: string
  after: number
}

const perBatch = 40

/** As a machine does it: again until it is taken, at whichever door answers. */
const sendNext = async ({ after, name, token }: Sender, doors: () => readonly string[]): Promise<number> => {
  const facts = Array.from({ length: perBatch }, (_, at) =>
    event(after + at + 1, { session: `${name}-${(after + at) % 5}` })
  )
  const body = JSON.stringify(batchOf(after, [after + perBatch], { facts }))
  for (let attempt = 0; ; attempt++) {
    const urls = doors()
    const url = urls[attempt % urls.length] ?? ""
    const answer = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body
    }).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.status === 200) return after + perBatch
    // Only what an outage explains.
    expect([undefined, 429, 503]).toContain(answer?.status)
  }
}

const linesOf = (sql: string): readonly string[] => postgres.psql(sql).split("\n").toSorted()

const behind = (): number => {
  const { folds } = JSON.parse(collect(postgres.url(roles.owner), "status", "--json"))
  return folds.reduce((sum: number, one: { behind: number }) => sum + one.behind, 0)
}

describe("a collector", () => {
  it("loses nothing and takes nothing twice when doors, owners and the database are killed", async () => {
    const names = ["a", "b", "c", "d"]
    const senders = names.map(
      (name): Sender => ({
        name,
        token: collect(postgres.url(), "tokens", "add", name).trim(),
        after: 0
      })
    )
    let doors = [await started("serve", "--port", "0"), await started("serve", "--port", "0")]
    let owners = [await started("run"), await started("run")]
    const urls = () => doors.map(({ line }) => line)
    const replace = async (
      all: readonly Running[],
      signal: "SIGKILL" | "SIGTERM",
      ...args: readonly string[]
    ) => {
      const [first, ...others] = all
      if (first !== undefined) await ended(first, signal)
      return [...others, await started(...args)]
    }
    const faults: Readonly<Record<number, () => Promise<unknown> | undefined>> = {
      3: async () => {
        doors = await replace(doors, "SIGKILL", "serve", "--port", "0")
      },
      6: async () => {
        owners = await replace(owners, "SIGKILL", "run")
      },
      9: () => {
        postgres.stop("immediate")
        postgres.start()
        return undefined
      },
      12: async () => {
        doors = await replace(doors, "SIGTERM", "serve", "--port", "0")
        owners = await replace(owners, "SIGTERM", "run")
      },
      15: () => {
        postgres.stop("fast")
        postgres.start()
        return undefined
      }
    }
    for (let nth = 1; nth <= 18; nth++) {
      const sending = senders.map(async (sender) => {
        const before = sender.after
        sender.after = await sendNext(sender, urls)
        // Its answer was lost: it is sent once more.
        if (nth % 4 === 0) expect(await sendNext({ ...sender, after: before }, urls)).toBe(sender.after)
      })
      await faults[nth]?.()
      await Promise.all(sending)
    }
    while (behind() > 0);
    const facts = linesOf(
      "SELECT installation, session, count(*), sum(position) FROM hooktape.fact GROUP BY installation, session"
    )
    const states = linesOf(
      `SELECT installation, key, state->>'facts', state->>'positions' FROM hooktape.state
        WHERE projection = 'projection/session_sums/1'`
    )
    expect(facts).toHaveLength(names.length * 5)
    expect(states).toEqual(facts)
    expect(postgres.psql("SELECT count(*), sum(position) FROM hooktape.fact")).toBe(
      `${4 * 18 * perBatch}|${(4 * 18 * perBatch * (18 * perBatch + 1)) / 2}`
    )
    expect(postgres.psql("SELECT count(*) FROM hooktape.refused")).toBe("0")
  })

  it("says what it cannot do", () => {
    const failing = (...args: readonly string[]): string => {
      try {
        return collect(postgres.url(roles.writer), ...args)
      } catch (error) {
        return error instanceof Error ? error.message : ""
      }
    }
    expect(failing("tokens", "list")).toMatch(/collect tokens: permission denied for table token/)
    expect(failing("run", "--keep-days", "0")).toMatch(/0 days cannot be kept/)
    expect(collect(postgres.url(), "tokens", "list")).toMatch(/a +default/)
  })
})
