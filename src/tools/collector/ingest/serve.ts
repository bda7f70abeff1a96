/** The collector's door: takes batches over HTTP and keeps nothing itself, so that as many as one likes stand behind one address. */
import { timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import * as Headers from "@effect/platform/Headers"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { contentType } from "../../shipping/prometheus/exposition.ts"
import { reasonOf } from "../database/connect.ts"
import { tokenHash } from "../tokens.ts"
import { readBatch } from "./body.ts"
import { type Figures, makeFigures } from "./figures.ts"
import { makeGate } from "./gate.ts"
import { receive } from "./receive.ts"
import { makeTally } from "./tally.ts"

export interface ServeOptions {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** Batches at work at once, each with a connection; so many more may wait. */
  readonly atOnce: number
  readonly waiting: number
  /** What Prometheus proves with, where it may ask. */
  readonly metricsToken?: string | undefined
  readonly note: (line: string) => Effect.Effect<void>
}

/** A request that has not come in by then holds up others. */
const slowestMs = 30_000
const retryFullSeconds = 2
const retryLaterSeconds = 5

const say = (status: number, reason: string, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.unsafeJson({ reason }, { status, headers: Headers.fromInput(headers) })

/** An installation sends one batch after the other; what it began before it died may still be there. */
const mostOfOne = 4

const full = say(429, "as many batches wait as may", { "retry-after": String(retryFullSeconds) })
const busy = say(429, "this installation has as many batches underway as it may", {
  "retry-after": String(retryFullSeconds)
})
const later = say(503, "the database does not take it now", { "retry-after": String(retryLaterSeconds) })
const broken = say(500, "a defect of hooktape: its log says more")
const nothingHere = say(404, "there is nothing here")
const unauthorised = say(401, "the token is not known, or was revoked", { "www-authenticate": "Bearer" })

const tokenIn = (authorization: string | undefined): Buffer | undefined => {
  const [, token] = /^Bearer ([\w.~+/-]{16,200}=*)$/i.exec(authorization ?? "") ?? []
  return token === undefined ? undefined : tokenHash(token)
}

interface Door {
  readonly mayCome: ReturnType<typeof makeGate>
  /** Batches underway by token, so that one that sends slowly holds up itself. */
  readonly underway: ReturnType<typeof makeTally>
  /** Of the database's connections. */
  readonly turns: Effect.Semaphore
  readonly figures: Figures
}

const takeBatch = ({ figures, mayCome, turns, underway }: Door) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (request.method !== "POST") return say(405, "only POST is answered here", { allow: "POST" })
    const token = tokenIn(request.headers["authorization"])
    if (token === undefined || !(yield* mayCome(token))) return unauthorised
    const taking = Effect.gen(function* () {
      const batch = yield* readBatch(NodeHttpServerRequest.toIncomingMessage(request))
      const received = yield* turns.withPermits(1)(receive(token, batch))
      figures.took(batch.facts.length, received)
      return received.status === 401
        ? unauthorised
        : HttpServerResponse.unsafeJson(received.body, { status: received.status })
    })
    return yield* underway(token, taking, busy)
  }).pipe(Effect.catchTag("BodyError", ({ detail, status }) => Effect.succeed(say(status, detail))))

const health = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT 1`
  return HttpServerResponse.unsafeJson({ ok: true })
})

/** Serves until its scope ends, then answers what it had begun. Gives the port. */
export const serve = Effect.fn("collector.serve")(
  function* (options: ServeOptions) {
    const { atOnce, host, metricsToken, note, port, waiting } = options
    const turns = yield* Effect.makeSemaphore(atOnce)
    const figures = makeFigures()
    const door = { mayCome: makeGate(), underway: makeTally(mostOfOne), turns, figures }
    let inside = 0
    const bounded = Effect.suspend(() => {
      if (inside >= atOnce + waiting) return Effect.succeed(full)
      inside++
      return Effect.ensuring(
        takeBatch(door),
        Effect.sync(() => {
          inside--
        })
      )
    })
    const expected = metricsToken === undefined ? undefined : tokenHash(metricsToken)
    const metrics = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
      const given = tokenIn(headers["authorization"])
      return expected !== undefined && given !== undefined && timingSafeEqual(given, expected)
        ? HttpServerResponse.text(figures.text(inside), { contentType })
        : unauthorised
    })
    const routed = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => {
      if (url === "/v1/facts") return bounded
      if (url === "/metrics" && expected !== undefined) return metrics
      return url === "/v1/health" ? health : Effect.succeed(nothingHere)
    }).pipe(
      Effect.catchTag("SqlError", (error) =>
        Effect.as(note(`a batch was not taken: ${reasonOf(error)}`), later)
      ),
      Effect.catchAllDefect((defect) =>
        Effect.as(note(`a batch was not taken, a defect of hooktape: ${reasonOf(defect)}`), broken)
      )
    )
    const app = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
      url === "/v1/facts"
        ? Effect.tap(routed, ({ status }) => Effect.sync(() => figures.answered(status)))
        : routed
    )
    const server = yield* NodeHttpServer.make(() => createServer({ requestTimeout: slowestMs }), {
      host,
      port
    })
    yield* server.serve(app)
    return server.address._tag === "TcpAddress" ? server.address.port : port
  },
  Effect.provide(Logger.remove(Logger.defaultLogger))
)
