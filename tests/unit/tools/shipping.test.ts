/** What a user wants sent arrives whole and in order, whatever the receiver does, and holds nothing that it should not. */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { afterAll, describe, expect, it } from "vitest"
import type { InvocationFact } from "../../../events/facts.ts"
import type { FactId } from "../../../events/ids.ts"
import { noMarks } from "../../../events/Recorded.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import { startShipping } from "../../../src/programs/host/shipping.ts"
import { redactDraft } from "../../../src/redact/redact.ts"
import { deliver } from "../../../src/tools/shipping/deliver.ts"
import { markOf, shippedUpTo } from "../../../src/tools/shipping/position.ts"
import { readSinks, type Sink, targetProblem, writeSinks } from "../../../src/tools/shipping/Sink.ts"
import { shapeOf } from "../../../src/tools/shipping/shape.ts"
import { ship } from "../../../src/tools/shipping/ship.ts"
import { readTrouble } from "../../../src/tools/shipping/trouble.ts"
import { buffered, opened } from "../../support/facts.ts"

const root = mkdtempSync(join(tmpdir(), "shipping-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const key = Buffer.alloc(32, 7)
const sinkTo = (to: string, more: Partial<Sink> = {}): Sink => ({ name: "team", to, after: 0, ...more })

const exited: InvocationFact = { type: "EXITED", code: 0, ms: { handling: 3 } }

const append = (facts: readonly InvocationFact[]) =>
  Effect.flatMap(EventLog, (log) =>
    Effect.forEach(facts, (data, at) => {
      const draft = {
        ...noMarks,
        project: "/home/somebody/site",
        session: "s1",
        id: `fact-${at}` as FactId,
        stream: `invocation/${at}`,
        type: data.type,
        schemaVersion: 1,
        at,
        cause: null,
        data
      }
      return log.append(draft.stream, "any", [redactDraft(draft)])
    })
  )

interface Event {
  readonly id: string
  readonly type: string
  readonly data: unknown
}

/** With its last line's end. */
const isWritten = (file: string, lines: number): boolean =>
  existsSync(file) && readFileSync(file, "utf8").split("\n").length === lines + 1

const linesOf = (file: string): readonly Event[] =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Event)

/** Ends once the newest fact is behind the sink's mark. */
const shipAll = (sink: Sink, upto: number, problems: string[] = [], timeoutMs = 60_000) =>
  Effect.gen(function* () {
    const log = yield* EventLog
    const done = yield* Deferred.make<void>()
    const watched = {
      ...log,
      setCheckpoint: (name: string, position: number) =>
        Effect.zipRight(
          log.setCheckpoint(name, position),
          position >= upto ? Deferred.succeed(done, undefined) : Effect.void
        )
    }
    const report = (error: string | undefined) => Effect.sync(() => void problems.push(error ?? "well again"))
    const shipping = {
      log: watched,
      sink,
      key,
      state: root,
      untilQuiet: Effect.void,
      report,
      firstPauseMs: 1,
      timeoutMs
    }
    const fiber = yield* Effect.fork(ship(shipping))
    yield* Deferred.await(done)
    yield* Fiber.interrupt(fiber)
  })

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Answers as it is told, one answer after the other, then takes everything. */
const withReceiver = async (
  answers: readonly Answer[],
  use: (url: string, taken: Event[], tokens: (string | undefined)[]) => Promise<void>
): Promise<void> => {
  const left = [...answers]
  const taken: Event[] = []
  const tokens: (string | undefined)[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      tokens.push(request.headers.authorization)
      const answer = left.shift()
      if (answer !== undefined) return answer(request, response)
      taken.push(...(JSON.parse(Buffer.concat(chunks).toString()) as Event[]))
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, taken, tokens)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const run = <A, E>(effect: Effect.Effect<A, E, EventLog>) =>
  Effect.runPromise(Effect.provide(effect, layerMemory()))

describe("what is shipped", () => {
  it("names of a planned hook the policy that brought it, and not where it lies", () => {
    const hook = { handler: "guard", event: "tool.before", index: 0, priority: 500, deadlineMs: 100 }
    const from = "policy acme 1.0.0"
    const whole = { ...hook, onFailure: "block", source: `${from}: /home/somebody/guard.ts`, from }
    expect(shapeOf("HANDLERS_PLANNED", { handlers: [whole], left: [] })).toEqual({
      handlers: [{ ...hook, from }]
    })
  })

  it("is a CloudEvent of each fact, without payload, path or text of a hook", async () => {
    const file = join(root, "shapes.ndjson")
    const facts: readonly InvocationFact[] = [
      opened({ cwd: "/home/somebody/site", env: { NAME: "SOMEBODY-ELSE" } }),
      buffered({ payload: '{"prompt":"PROMPT-TEXT"}', bytes: 24 }),
      {
        type: "HANDLER_SUCCEEDED",
        handler: "guard",
        event: "tool.before",
        index: 0,
        attempt: 1,
        intents: [{ type: "BLOCKING_FEEDBACK", reason: "REASON-TEXT" }],
        ms: 2
      },
      exited
    ]
    await run(Effect.zipRight(append(facts), shipAll(sinkTo(file), 4)))
    const events = linesOf(file)
    expect(events.map(({ type }) => type)).toEqual([
      "hooktape.invocation_opened",
      "hooktape.payload_buffered",
      "hooktape.handler_succeeded",
      "hooktape.exited"
    ])
    expect(events[2]).toMatchObject({
      specversion: "1.0",
      id: "fact-2",
      subject: "invocation/2",
      time: "1970-01-01T00:00:00.002Z",
      session: "s1",
      sequence: "0000000000000003",
      data: { handler: "guard", intents: [{ type: "BLOCKING_FEEDBACK" }], ms: 2 }
    })
    expect(events[3]?.data).toEqual({ code: 0, ms: { handling: 3 } })
    expect(readFileSync(file, "utf8")).not.toMatch(/PROMPT-TEXT|REASON-TEXT|SOMEBODY-ELSE|somebody/)
  })

  it("begins with what came after the sink was added", async () => {
    const file = join(root, "later.ndjson")
    await run(Effect.zipRight(append([opened(), exited, exited]), shipAll(sinkTo(file, { after: 2 }), 3)))
    expect(linesOf(file).map(({ id }) => id)).toEqual(["fact-2"])
  })

  it("goes on where it was, and never within a line that was left without its end", async () => {
    const file = join(root, "torn.ndjson")
    await run(
      Effect.gen(function* () {
        const log = yield* EventLog
        yield* append([opened(), exited])
        yield* log.setCheckpoint(markOf({ name: "team" }), 1)
        appendFileSync(file, '{"id":"to')
        yield* shipAll(sinkTo(file), 2)
      })
    )
    const [, whole = ""] = readFileSync(file, "utf8").split("\n")
    expect(JSON.parse(whole)).toMatchObject({ id: "fact-1" })
  })
})

describe("a receiver", () => {
  it("that refuses, is full, cuts and redirects gets every fact in order, and its token", async () => {
    const status =
      (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
      (_, response) =>
        void response.writeHead(code, headers).end("no")
    const answers: readonly Answer[] = [
      status(500),
      status(429, { "retry-after": "0" }),
      (request) => void request.socket.destroy(),
      status(307, { location: "http://127.0.0.1:9/" })
    ]
    writeFileSync(join(root, "token"), "of-the-team\n")
    await withReceiver(answers, async (url, taken, tokens) => {
      const facts = [opened(), ...Array.from({ length: 249 }, () => exited)]
      const problems: string[] = []
      const sink = sinkTo(url, { tokenFile: join(root, "token") })
      await run(Effect.zipRight(append(facts), shipAll(sink, facts.length, problems)))
      expect([...new Set(taken.map(({ id }) => id))]).toEqual(facts.map((_, at) => `fact-${at}`))
      expect(problems.slice(0, 2)).toEqual(["the receiver answered 500", "the receiver answered 429"])
      expect(problems).toContain("well again")
      expect(new Set(tokens)).toEqual(new Set(["Bearer of-the-team"]))
    })
  })

  it("that never answers is asked again", async () => {
    await withReceiver([() => undefined], async (url, taken) => {
      const problems: string[] = []
      await run(Effect.zipRight(append([opened(), exited]), shipAll(sinkTo(url), 2, problems, 500)))
      expect(problems[0]).toBe("no answer within 500 ms")
      expect([...new Set(taken.map(({ id }) => id))]).toEqual(["fact-0", "fact-1"])
    })
  })

  it("that finds a batch too large gets smaller ones", async () => {
    const tooLarge: Answer = (_, response) => void response.writeHead(413).end()
    await withReceiver([tooLarge, tooLarge], async (url, taken) => {
      const facts = [opened(), ...Array.from({ length: 59 }, () => exited)]
      await run(Effect.zipRight(append(facts), shipAll(sinkTo(url), facts.length)))
      expect([...new Set(taken.map(({ id }) => id))]).toEqual(facts.map((_, at) => `fact-${at}`))
    })
  })

  it.each([
    ["too large for it", 413, 60_000],
    ["too slow", undefined, 300]
  ])("for which more than a few facts are %s gets few at once", async (_, status, timeoutMs) => {
    const facts = [opened(), ...Array.from({ length: 59 }, () => exited)]
    const taken: Event[] = []
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const events = JSON.parse(Buffer.concat(chunks).toString()) as Event[]
        if (events.length <= 20) {
          taken.push(...events)
          response.writeHead(204).end()
        } else if (status !== undefined) response.writeHead(status).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    await run(Effect.zipRight(append(facts), shipAll(sinkTo(url), facts.length, [], timeoutMs)))
    server.closeAllConnections()
    server.close()
    expect([...new Set(taken.map(({ id }) => id))]).toEqual(facts.map((_, at) => `fact-${at}`))
  })

  it("that did not answer for a while is sent as many as before again", async () => {
    const silent: Answer = () => undefined
    const sizes: number[] = []
    await withReceiver([silent, silent, silent], async (url, taken) => {
      const facts = [opened(), ...Array.from({ length: 799 }, () => exited)]
      const problems: string[] = []
      const counted = Object.assign(taken, {
        push: (...events: Event[]) => {
          sizes.push(events.length)
          return taken.splice(taken.length, 0, ...events).length
        }
      })
      await run(Effect.zipRight(append(facts), shipAll(sinkTo(url), facts.length, problems, 300)))
      expect(counted.length).toBeGreaterThanOrEqual(facts.length)
    })
    expect(sizes[0]).toBeLessThanOrEqual(12)
    expect(Math.max(...sizes)).toBeGreaterThan(12)
  })

  it("says when it wants to be asked again", async () => {
    const full: Answer = (_, response) => void response.writeHead(429, { "retry-after": "7" }).end()
    await withReceiver([full], async (url) => {
      const error = await Effect.runPromise(Effect.flip(deliver(sinkTo(url), [], 20_000)))
      expect(error).toMatchObject({ retryAfterMs: 7000, tooLarge: false })
    })
  })
})

describe("where it goes", () => {
  it.each([
    ["https://name:secret@example.com/", "holds a name or a password"],
    ["http://example.com/", "would be sent in the clear"],
    ["ftp://example.com/", "is neither https nor a file"],
    ["some/file", "is no absolute path"]
  ])("is not %s", (to, reason) => {
    expect(targetProblem(to)).toBe(reason)
  })

  it("is not what was written into the file of sinks meanwhile either", async () => {
    const error = await Effect.runPromise(Effect.flip(deliver(sinkTo("http://example.com/"), [], 1000)))
    expect(error.message).toBe("http://example.com/ would be sent in the clear")
  })
})

describe("the host", () => {
  const until = (is: () => boolean) => Effect.repeat(Effect.sleep(5), { until: () => Effect.sync(is) })

  it("ships to each sink for itself, and tells what is wrong with one", async () => {
    const state = mkdtempSync(join(root, "state-"))
    const file = join(root, "host.ndjson")
    const sinks = [sinkTo(root, { name: "folder" }), sinkTo(file)]
    writeSinks(state, sinks)
    expect(readSinks(state)).toEqual(sinks)
    await run(
      Effect.scoped(
        Effect.gen(function* () {
          const log = yield* EventLog
          yield* append([opened(), exited])
          yield* startShipping({ state, log, isIdle: () => true, note: () => undefined, lookMs: 5 })
          yield* until(() => isWritten(file, 2) && readTrouble(state, "folder") !== undefined)
          expect(readTrouble(state, "folder")?.error).toMatch(/EISDIR/)
          expect(linesOf(file)).toHaveLength(2)
        })
      )
    )
  })
})

describe("what retention waits for", () => {
  it("is told by the sink that is furthest behind", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const state = mkdtempSync(join(root, "state-"))
        expect(yield* shippedUpTo(state)).toBeUndefined()
        yield* append([exited, exited, exited])
        writeSinks(state, [sinkTo("/a", { name: "fast" }), sinkTo("/b", { name: "slow", after: 1 })])
        const log = yield* EventLog
        yield* log.setCheckpoint(markOf({ name: "fast" }), 3)
        expect(yield* shippedUpTo(state)).toBe(1)
        yield* log.setCheckpoint(markOf({ name: "slow" }), 2)
        expect(yield* shippedUpTo(state)).toBe(2)
      }).pipe(Effect.provide(layerMemory()))
    ))

  it("is all of it where nobody can tell", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const state = mkdtempSync(join(root, "state-"))
        writeSinks(state, [])
        writeFileSync(join(state, "ship.json"), "{")
        expect(yield* shippedUpTo(state)).toBe(0)
      }).pipe(Effect.provide(layerMemory()))
    ))
})
