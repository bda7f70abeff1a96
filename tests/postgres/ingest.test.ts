/** What installations hand to a collector is in its database once, in order, whatever comes twice, late or damaged. */
import { connect } from "node:net"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  batchOf,
  type Collector,
  event,
  metricsToken,
  roles,
  startCollector
} from "../support/postgres/collector.ts"

let collector: Collector
beforeAll(async () => {
  collector = await startCollector()
})
afterAll(() => collector?.close())

const factsOf = (name: string): string =>
  collector.postgres.psql(
    `SELECT coalesce(string_agg(f.position || ':' || f.id, ' ' ORDER BY i.epoch, f.position), '')
      FROM hooktape.fact f JOIN hooktape.installation i ON i.id = f.installation WHERE i.name = '${name}'`
  )

interface Body {
  readonly head?: number
  readonly newest?: number
  readonly reason?: string
  readonly parked?: readonly { readonly at: number; readonly problem: string }[]
}

const answerOf = async (answer: Response) => ({
  status: answer.status,
  body: (await answer.json()) as Body
})

const sent = async (token: string, batch: unknown) => answerOf(await collector.send(token, batch))

describe("a batch", () => {
  it("is there once, however often it comes, and with holes where nothing is sent", async () => {
    const token = await collector.token("twice")
    expect(await sent(token, batchOf(0, [1, 2, 5]))).toEqual({ status: 200, body: { head: 5, parked: [] } })
    expect(await sent(token, batchOf(0, [1, 2, 5]))).toEqual({ status: 200, body: { head: 5, parked: [] } })
    expect(await sent(token, batchOf(2, [5, 9]))).toMatchObject({ status: 200, body: { head: 9 } })
    expect(factsOf("twice")).toBe("1:fact-1 2:fact-2 5:fact-5 9:fact-9")
  })

  it("that comes slowly holds up its own installation, and no other", async () => {
    const slow = await collector.token("slow")
    const quick = await collector.token("quick")
    const { hostname, port } = new URL(collector.url)
    const began = Array.from({ length: 40 }, () => connect(Number(port), hostname))
    const head = `POST /v1/facts HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${slow}\r\ncontent-length: 1000\r\n\r\n{`
    const answers = began.map(
      (socket) =>
        new Promise<string>((resolve) => {
          socket.once("data", (answer) => resolve(answer.toString("latin1", 9, 12)))
          socket.write(head)
        })
    )
    const refused = await new Promise<readonly string[]>((resolve) => {
      const all: string[] = []
      for (const answer of answers)
        void answer.then((status) => {
          if (all.push(status) === 36) resolve(all)
        })
    })
    expect(new Set(refused)).toEqual(new Set(["429"]))
    expect(await sent(quick, batchOf(0, [1]))).toMatchObject({ status: 200 })
    for (const socket of began) socket.destroy()
  })

  it("begins where its installation was told to ship from", async () => {
    const token = await collector.token("later")
    expect(await sent(token, batchOf(70, [71]))).toMatchObject({ status: 200, body: { head: 71 } })
  })

  it("is unpacked, and refused where it is too large, packed as something else, or no batch", async () => {
    const token = await collector.token("packed")
    const post = (body: Buffer, encoding: string) =>
      fetch(collector.url, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-encoding": encoding },
        body
      })
    const body = Buffer.from(JSON.stringify(batchOf(0, [1])))
    expect((await post(gzipSync(body), "gzip")).status).toBe(200)
    expect((await post(body, "gzip")).status).toBe(400)
    expect((await post(body, "br")).status).toBe(415)
    expect((await post(gzipSync(Buffer.alloc(20_000_000, 32)), "gzip")).status).toBe(413)
    expect((await post(Buffer.alloc(3_000_000, 32), "identity")).status).toBe(413)
    expect(await sent(token, { epoch: 0 })).toEqual({
      status: 400,
      body: { reason: expect.stringMatching(/^it is no batch: epoch: /) }
    })
    expect((await sent(token, { ...batchOf(0, [1]), afterId: "\0" })).status).toBe(400)
    const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`
    const nested = JSON.stringify(batchOf(1, [2])).replace('"data":{', `"data":{"deep":${deep},`)
    expect(await answerOf(await post(Buffer.from(nested), "identity"))).toEqual({
      status: 400,
      body: { reason: "it is nested too deeply" }
    })
    expect((await sent(token, batchOf(9, [1]))).status).toBe(400)
    expect((await sent(token, batchOf(1, [2], { epoch: 3_000_000_000 }))).status).toBe(400)
    expect(factsOf("packed")).toBe("1:fact-1")
  })

  it("that leaves out what came before is a gap, and is told how far the collector is", async () => {
    const token = await collector.token("gap")
    await sent(token, batchOf(0, [1]))
    expect(await sent(token, batchOf(7, [8]))).toEqual({
      status: 409,
      body: { reason: "gap", head: 1, newest: 1 }
    })
    expect(factsOf("gap")).toBe("1:fact-1")
  })

  it("of a log that was put back is a fork, wherever it goes on, and the next epoch has it", async () => {
    const token = await collector.token("fork")
    await sent(token, batchOf(0, [1, 2, 3]))
    const fork = { status: 409, body: { reason: "fork", head: 3, newest: 1 } }
    const others = [event(2, { id: "other-2" }), event(3, { id: "other-3" })]
    expect(await sent(token, batchOf(1, [2, 3], { facts: others }))).toEqual(fork)
    expect(await sent(token, batchOf(3, [4], { afterId: "other-3" }))).toEqual(fork)
    expect(await sent(token, batchOf(1, [], { epoch: 5 }))).toMatchObject({
      status: 409,
      body: { reason: "epoch", newest: 1 }
    })
    expect(await sent(token, batchOf(1, [2, 3], { epoch: 2, facts: others }))).toMatchObject({ status: 200 })
    expect(factsOf("fork")).toBe("1:fact-1 2:fact-2 3:fact-3 2:other-2 3:other-3")
  })

  it("holds up nothing by a fact that does not read as one: that is parked, once, and named", async () => {
    const token = await collector.token("poison")
    const poison = [
      event(1, { data: { code: "zero", ms: { handling: "long" } } }),
      event(2, { session: "nul \0" }),
      event(3, { session: "half \ud800" }),
      { nonsense: true },
      null,
      event(4),
      event(5, { type: "hooktape.exited", time: "yesterday" }),
      event(99)
    ]
    const { body, status } = await sent(token, batchOf(0, [6], { facts: [...poison, event(6)] }))
    expect(status).toBe(200)
    expect(body.head).toBe(6)
    expect(body.parked?.map(({ at }) => at)).toEqual([0, 1, 2, 3, 4, 6, 7])
    await sent(token, batchOf(0, [6], { facts: [...poison, event(6)] }))
    expect(factsOf("poison")).toBe("4:fact-4 6:fact-6")
    expect(collector.postgres.psql("SELECT count(*) FROM hooktape.parked")).toBe("7")
  })

  const parkedOf = (name: string): string =>
    collector.postgres.psql(
      `SELECT string_agg(p.position || ':' || length(p.raw), ' ' ORDER BY p.position)
        FROM hooktape.parked p JOIN hooktape.installation i ON i.id = p.installation WHERE i.name = '${name}'`
    )

  it("holds up nothing by one that is too large: that is parked, cut between characters, whatever its type", async () => {
    const token = await collector.token("large")
    const text = (at: number, data: object) => event(at, { type: "hooktape.not_yet_invented", data })
    const facts = [
      // Wherever it is cut, one of them has a pair there.
      text(1, { a: "😀".repeat(40_000) }),
      text(2, { ab: "😀".repeat(40_000) }),
      text(3, { a: "x".repeat(1_000_000) }),
      event(4)
    ]
    expect(await sent(token, batchOf(0, [4], { facts }))).toMatchObject({
      status: 200,
      body: {
        head: 4,
        parked: [0, 1, 2].map((at) => ({ at, problem: expect.stringContaining("larger than") }))
      }
    })
    expect(parkedOf("large")).toMatch(/^1:328\d\d 2:328\d\d 3:65536$/)
    const long = gzipSync(
      JSON.stringify(batchOf(4, [5], { facts: [text(5, { a: "x".repeat(12_000_000) })] }))
    )
    const answer = await fetch(collector.url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-encoding": "gzip" },
      body: long
    })
    expect(answer.status).toBe(200)
  })

  it("is parked where a name in it is longer than any that is shipped", async () => {
    const token = await collector.token("long-names")
    const ran = (at: number, handler: string) =>
      event(at, { type: "hooktape.handler_succeeded", data: { handler, event: "tool.before", ms: 1 } })
    const facts = [
      ran(1, "h".repeat(200)),
      ran(2, "h".repeat(201)),
      event(3, { data: { code: 0, ms: { ["n".repeat(201)]: 1 } } })
    ]
    expect((await sent(token, batchOf(0, [3], { facts }))).body.parked?.map(({ at }) => at)).toEqual([1, 2])
  })

  it("is kept where its types are newer than the collector", async () => {
    const token = await collector.token("newer")
    const facts = [event(1, { type: "hooktape.not_yet_invented", data: { any: [1] } })]
    expect(await sent(token, batchOf(0, [1], { facts }))).toMatchObject({ body: { head: 1, parked: [] } })
  })
})

describe("a token", () => {
  it("is wanted, and is refused at once when it is revoked", async () => {
    const token = await collector.token("revoked")
    expect((await sent(token, batchOf(0, [1]))).status).toBe(200)
    expect((await sent("hooktape_of-nobody-at-all", batchOf(1, [2]))).status).toBe(401)
    expect((await fetch(collector.url, { method: "POST", body: "{}" })).status).toBe(401)
    expect(await collector.revoke("revoked")).toBe(1)
    expect((await sent(token, batchOf(1, [2]))).status).toBe(401)
    expect(factsOf("revoked")).toBe("1:fact-1")
  })

  it("writes into its own tenant, whatever another tenant calls its machines, and is revoked there alone", async () => {
    const ours = await collector.token("same-name")
    const theirs = await collector.token("same-name", "others")
    expect((await sent(ours, batchOf(0, [1]))).status).toBe(200)
    const facts = [event(2, { id: "of-others" })]
    expect(await sent(theirs, batchOf(1, [2], { facts }))).toMatchObject({ status: 200, body: { head: 2 } })
    expect(
      collector.postgres.psql(
        `SELECT string_agg(i.tenant || ' ' || f.id, ', ' ORDER BY f.id) FROM hooktape.fact f
          JOIN hooktape.installation i ON i.id = f.installation WHERE i.name = 'same-name'`
      )
    ).toBe("default fact-1, others of-others")
    expect(await collector.revoke("same-name", "others")).toBe(1)
    expect((await sent(theirs, batchOf(2, [3]))).status).toBe(401)
    expect((await sent(ours, batchOf(1, [2]))).status).toBe(200)
  })

  it("is nowhere in the database", async () => {
    const token = await collector.token("hashed")
    expect(collector.postgres.psql("SELECT string_agg(t::text, ' ') FROM hooktape.token t")).not.toContain(
      token.slice(-20)
    )
  })
})

describe("a role", () => {
  const refused = (sql: string, role: string): void =>
    expect(() => collector.postgres.psql(sql, role)).toThrow(/permission denied/)

  it("that writes can append, and neither read nor change anything", () => {
    refused("SELECT * FROM hooktape.fact", roles.writer)
    refused("SELECT * FROM hooktape.token", roles.writer)
    refused("UPDATE hooktape.installation SET head = 0", roles.writer)
    refused("INSERT INTO hooktape.token VALUES ('\\x00', 'a', 'b')", roles.writer)
    refused("DELETE FROM hooktape.fact", roles.writer)
    refused("SELECT hooktape.make_partitions(1)", roles.writer)
  })

  it("that reads sees what it was given, and no other tenant", async () => {
    const token = await collector.token("of-payments", "payments")
    await sent(token, batchOf(0, [1], { facts: [event(1, { project: "p1" })] }))
    const seen = (): string => collector.postgres.psql("SELECT count(*) FROM hooktape.fact", roles.reader)
    expect(seen()).toBe("0")
    const give = (project: string): void =>
      void collector.postgres.psql(
        `DELETE FROM hooktape.access; INSERT INTO hooktape.access VALUES ('${roles.reader}', 'payments', ${project})`
      )
    give("'p2'")
    expect(seen()).toBe("0")
    give("'p1'")
    expect(seen()).toBe("1")
    give("NULL")
    expect(seen()).toBe("1")
    refused("SELECT * FROM hooktape.token", roles.reader)
    refused("DELETE FROM hooktape.fact", roles.reader)
    refused("INSERT INTO hooktape.access VALUES ('analyst', 'default', NULL)", roles.reader)
  })
})

describe("Prometheus", () => {
  const scraped = (authorization: string) =>
    fetch(new URL("/metrics", collector.url), { headers: { authorization } })
  const figure = (text: string, name: string): number =>
    Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1] ?? 0)

  it("is told what came in, and nobody without its token", async () => {
    const token = await collector.token("scraped")
    for (const other of [token, `${metricsToken}0`])
      expect((await scraped(`Bearer ${other}`)).status).toBe(401)
    const before = await (await scraped(`Bearer ${metricsToken}`)).text()
    await sent(token, batchOf(0, [1, 2]))
    await sent(token, batchOf(2, [3], { facts: [{ ...event(3), id: 3 } as never] }))
    await sent("nobody-knows-this-token", batchOf(0, [1]))
    const answer = await scraped(`Bearer ${metricsToken}`)
    expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
    const after = await answer.text()
    const grown = (name: string): number => figure(after, name) - figure(before, name)
    expect(grown('hooktape_ingest_batches_total\\{status="200"\\}')).toBe(2)
    expect(grown('hooktape_ingest_batches_total\\{status="401"\\}')).toBe(1)
    expect(grown("hooktape_ingest_facts_total")).toBe(2)
    expect(grown("hooktape_ingest_parked_total")).toBe(1)
    expect(figure(after, "hooktape_ingest_underway")).toBe(0)
  })
})
