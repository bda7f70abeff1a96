/** What Prometheus is told: all calls in all, at a port of this machine or in a file, to nobody else. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { afterAll, describe, expect, it } from "vitest"
import type { FactId } from "../../../events/ids.ts"
import { noMarks } from "../../../events/Recorded.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import { redactDraft } from "../../../src/redact/redact.ts"
import { expositionOf } from "../../../src/tools/shipping/prometheus/exposition.ts"
import { type Sink, scrapeProblem, writeSinks } from "../../../src/tools/shipping/Sink.ts"
import { shippedTypes } from "../../../src/tools/shipping/shape.ts"
import { ship } from "../../../src/tools/shipping/ship.ts"
import { keepTrouble } from "../../../src/tools/shipping/trouble.ts"
import { ask, freePort } from "../../support/httpHost.ts"
import { day, record } from "../../support/recordedDay.ts"

const root = mkdtempSync(join(tmpdir(), "prometheus-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const sample = /^([a-z_]+?)(_bucket|_sum|_count)?(?:\{(.*)\})? ([-+.e\dInf]+)$/
const label = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g

interface Line {
  readonly family: string
  readonly suffix: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** As a scraper reads it; whatever it would refuse fails. */
const parsed = (text: string): readonly Line[] => {
  const types = new Map<string, string>()
  const seen = new Set<string>()
  expect(text.endsWith("\n")).toBe(true)
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line): readonly Line[] => {
      const [, name = "", type] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? []
      if (type !== undefined) {
        expect(types.has(name)).toBe(false)
        types.set(name, type)
      }
      if (line.startsWith("# ")) return []
      const found = sample.exec(line)
      if (found === null) throw new Error(`no line of the format: ${line}`)
      const [, stem = "", suffix = "", labels = "", value = ""] = found
      const family = types.has(stem) ? stem : `${stem}${suffix}`
      expect(types.has(family)).toBe(true)
      const key = line.slice(0, line.lastIndexOf(" "))
      expect(seen.has(key)).toBe(false)
      seen.add(key)
      return [
        {
          family,
          suffix: family === stem ? suffix : "",
          labels: Object.fromEntries(
            [...labels.matchAll(label)].map(([, key = "", word = ""]) => [key, word])
          ),
          value: value === "+Inf" ? Infinity : Number(value)
        }
      ]
    })
}

const sumOf = (lines: readonly Line[], family: string, suffix = "", where: Line["labels"] = {}): number =>
  lines
    .filter((one) => one.family === family && one.suffix === suffix)
    .filter(({ labels }) => Object.entries(where).every(([key, value]) => labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0)

const run = <A, E>(effect: Effect.Effect<A, E, EventLog>) =>
  Effect.runPromise(Effect.provide(effect, layerMemory()))

/** Ships while `use` runs. `told`: what was said of the sink, in order. */
const shipped = (
  sink: Sink,
  use: (shipAll: Effect.Effect<void>, told: string[]) => Effect.Effect<void, unknown, EventLog>
) =>
  run(
    Effect.gen(function* () {
      const log = yield* EventLog
      const told: string[] = []
      let reached = 0
      const watched = {
        ...log,
        setCheckpoint: (name: string, position: number) =>
          Effect.tap(log.setCheckpoint(name, position), () =>
            Effect.sync(() => {
              reached = position
            })
          )
      }
      const fiber = yield* Effect.fork(
        ship({
          log: watched,
          sink,
          key: Buffer.alloc(32, 7),
          state: root,
          untilQuiet: Effect.void,
          report: (error) => Effect.sync(() => void told.push(error ?? "well again")),
          lookMs: 1,
          firstPauseMs: 1
        })
      )
      const shipAll = log.stats.pipe(
        Effect.flatMap(({ last }) => Effect.repeat(Effect.sleep(1), { until: () => reached >= last })),
        Effect.asVoid,
        Effect.orDie
      )
      yield* use(shipAll, told)
      yield* Fiber.interrupt(fiber)
    })
  )

/** Of which nothing is sent anywhere. */
const noise = Effect.flatMap(EventLog, (log) => {
  const data = { type: "NOISE_CAPTURED" as const, stream: "stdout" as const, bytes: 1, text: "x" }
  const draft = {
    ...noMarks,
    id: "noise" as FactId,
    stream: "invocation/noise",
    schemaVersion: 1,
    at: 1,
    cause: null
  }
  return log.append(draft.stream, "any", [redactDraft({ ...draft, type: data.type, data })])
})

const sinkAt = (to: string, more: Partial<Sink> = {}): Sink => ({
  name: "scraped",
  kind: "prometheus",
  to,
  after: 0,
  ...more
})

const scrape = (port: number, path = "/metrics", headers: Record<string, string> = {}, method = "GET") =>
  Effect.promise(() => ask({ port, path, method, headers: { host: `127.0.0.1:${port}`, ...headers } }))

describe("at a port of this machine", () => {
  it("stand all calls and runs of hooks since the host began, and how the log and the sinks stand", async () => {
    const port = await freePort()
    const sink = sinkAt(`http://127.0.0.1:${port}`)
    writeSinks(root, [sink, { name: "team", to: "https://example.com/", after: 3 }])
    keepTrouble(root, "team", { at: 1, error: "no answer" })
    await shipped(sink, (shipAll) =>
      Effect.gen(function* () {
        yield* record(day, true)
        yield* shipAll
        yield* noise
        const first = yield* scrape(port)
        expect(first).toMatchObject({
          status: 200,
          headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" }
        })
        const lines = parsed(first.body)
        expect(sumOf(lines, "hooktape_call_duration_seconds", "_count")).toBe(day.length)
        const blocked = {
          hooktape_event: "tool.before",
          hooktape_blocked: "true",
          gen_ai_agent_name: "claude-code"
        }
        expect(sumOf(lines, "hooktape_call_duration_seconds", "_count", blocked)).toBe(1)
        expect(sumOf(lines, "hooktape_call_duration_seconds", "_bucket", { ...blocked, le: "+Inf" })).toBe(1)
        expect(
          sumOf(lines, "hooktape_handler_duration_seconds", "_count", { hooktape_outcome: "failed" })
        ).toBe(1)
        expect(sumOf(lines, "hooktape_intents_total", "", { hooktape_intent: "BLOCKING_FEEDBACK" })).toBe(1)
        expect(sumOf(lines, "hooktape_sink_failing", "", { sink: "team" })).toBe(1)
        expect(sumOf(lines, "hooktape_sink_failing", "", { sink: "scraped" })).toBe(0)
        const { facts, last } = yield* Effect.flatMap(EventLog, (log) => log.stats)
        expect(sumOf(lines, "hooktape_log_facts")).toBe(facts)
        expect(sumOf(lines, "hooktape_sink_behind_facts", "", { sink: "team" })).toBe(
          yield* Effect.flatMap(EventLog, (log) =>
            Stream.runCount(log.read({ after: 3, types: shippedTypes }))
          )
        )
        expect(last - 3).toBe(1 + sumOf(lines, "hooktape_sink_behind_facts", "", { sink: "team" }))
        expect(sumOf(lines, "hooktape_sink_behind_facts", "", { sink: "scraped" })).toBe(0)
        expect(sumOf(lines, "hooktape_sink_waiting_seconds", "", { sink: "scraped" })).toBe(0)
        expect(lines.some(({ family }) => family === "hooktape_sink_waiting_seconds")).toBe(true)
        // In the order of their bounds, none lower than the one before.
        for (const { family, labels, suffix, value } of lines.filter((one) => one.suffix === "_bucket"))
          expect(value, `${family}${suffix}`).toBeLessThanOrEqual(
            sumOf(
              lines,
              family,
              "_count",
              Object.fromEntries(Object.entries(labels).filter(([key]) => key !== "le"))
            )
          )

        yield* record(day, true, "s-22")
        yield* shipAll
        const again = parsed((yield* scrape(port)).body)
        expect(sumOf(again, "hooktape_call_duration_seconds", "_count")).toBe(2 * day.length)
        expect(sumOf(again, "hooktape_call_duration_seconds", "_sum")).toBeGreaterThan(
          sumOf(lines, "hooktape_call_duration_seconds", "_sum")
        )
      })
    )
  })

  it("is told to whoever asks from here, and with the token where there is one", async () => {
    const port = await freePort()
    const tokenFile = join(root, "token")
    writeFileSync(tokenFile, "0123456789abcdef\n")
    await shipped(sinkAt(`http://127.0.0.1:${port}/mine`, { tokenFile }), (shipAll) =>
      Effect.gen(function* () {
        yield* record(day.slice(0, 1), true)
        yield* shipAll
        const authorization = "Bearer 0123456789abcdef"
        const statuses = yield* Effect.forEach(
          [
            ["/mine", { authorization }],
            ["/mine?a=1", { authorization }],
            ["/mine", {}],
            ["/mine", { authorization: "Bearer other" }],
            ["/mine", { authorization, host: "evil.example" }],
            ["/mine", { authorization, origin: "http://evil.example" }],
            ["/metrics", { authorization }]
          ] as const,
          ([path, headers]) => scrape(port, path, headers)
        )
        expect(statuses.map(({ status }) => status)).toEqual([200, 200, 401, 401, 403, 403, 404])
        expect(yield* scrape(port, "/mine", { authorization }, "POST")).toMatchObject({ status: 405 })
      })
    )
    await expect(fetch(`http://127.0.0.1:${port}/mine`)).rejects.toThrow()
  })

  it("is opened as soon as the port is free, and until then it is said why not", async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve))
    const { port } = taken.address() as { readonly port: number }
    await shipped(sinkAt(`http://127.0.0.1:${port}`), (shipAll, told) =>
      Effect.gen(function* () {
        yield* Effect.repeat(Effect.sleep(1), { until: () => told.length >= 2 })
        expect(told[0]).toMatch(new RegExp(`^http://127.0.0.1:${port} cannot be opened: .*EADDRINUSE`))
        yield* Effect.promise(() => new Promise((resolve) => taken.close(resolve)))
        yield* Effect.repeat(Effect.sleep(1), { until: () => told.at(-1) === "well again" })
        yield* record(day.slice(0, 1), true)
        yield* shipAll
        expect(sumOf(parsed((yield* scrape(port)).body), "hooktape_call_duration_seconds", "_count")).toBe(1)
      })
    )
  })
})

describe("in a file", () => {
  it("stands the same, whole at any moment, for everyone to read", async () => {
    const file = join(root, "hooktape.prom")
    await shipped(sinkAt(file), (shipAll) =>
      Effect.gen(function* () {
        yield* record(day, true)
        yield* shipAll
        expect(statSync(file).mode & 0o777).toBe(0o644)
        expect(sumOf(parsed(readFileSync(file, "utf8")), "hooktape_call_duration_seconds", "_count")).toBe(
          day.length
        )
      })
    )
  })
})

it.each([
  ["http://127.0.0.1:9464", undefined],
  ["http://localhost:9464/metrics", undefined],
  ["/var/lib/node_exporter/hooktape.prom", undefined],
  ["http://127.0.0.1", /no port of this machine/],
  ["http://0.0.0.0:9464", /no port of this machine/],
  ["https://example.com:9464", /no port of this machine/],
  ["http://me:secret@127.0.0.1:9464", /a name or a password/],
  ["/var/lib/hooktape.txt", /\.prom/],
  ["hooktape.prom", /no absolute path/]
])("%s can be looked at or not", (to, problem) => {
  if (problem === undefined) expect(scrapeProblem(to)).toBeUndefined()
  else expect(scrapeProblem(to)).toMatch(problem)
})

it("names and texts of anybody's are written as the format wants them", () => {
  const help = "Two\nlines \\ of help."
  const labels = { name: 'a "b" \\ c\nd' }
  expect(
    expositionOf([
      { name: "none", help: "", type: "gauge", samples: [] },
      { name: "one", help, type: "gauge", samples: [{ labels, value: Infinity }] }
    ])
  ).toBe('# HELP one Two\\nlines \\\\ of help.\n# TYPE one gauge\none{name="a \\"b\\" \\\\ c\\nd"} +Inf\n')
})
