/** Where Prometheus asks: a port of this machine, open as long as its sink is shipped to. */
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import * as Headers from "@effect/platform/Headers"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { makeGate } from "../../../runtime/host/httpGate.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { ShipError } from "../request.ts"
import type { Sink } from "../Sink.ts"
import { contentType } from "./exposition.ts"

const slowestMs = 10_000

const say = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.text(`${text}\n`, { status, headers: Headers.fromInput(headers) })

/** The path that is asked for: the sink's own, or Prometheus' usual one. */
const pathOf = (to: string): string => {
  const { pathname } = new URL(to)
  return pathname === "/" ? "/metrics" : pathname
}

const refusedAs = (to: string, cause: unknown): ShipError => {
  const at = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return new ShipError({ detail: `${to} cannot be opened: ${messageOf(at)}`, tooLarge: false })
}

/** Open as long as its scope. The token is read anew at each request. */
export const openScrapeDoor = Effect.fn("ship.prometheus.door")(
  function* ({ to, tokenFile }: Pick<Sink, "to" | "tokenFile">, text: Effect.Effect<string>) {
    const { hostname } = new URL(to)
    const port = Number(new URL(to).port)
    const path = pathOf(to)
    const app = Effect.gen(function* () {
      const { headers, method, url } = yield* HttpServerRequest.HttpServerRequest
      const token = tokenFile === undefined ? undefined : readFileSync(tokenFile, "utf8").trim()
      const refused = makeGate(port, token)(headers)
      if (refused !== undefined) return say(refused.status, refused.reason)
      if (url.split("?")[0] !== path) return say(404, "there is nothing here")
      if (method !== "GET") return say(405, "only GET is answered here", { allow: "GET" })
      return HttpServerResponse.text(yield* text, { contentType })
    }).pipe(Effect.catchAllDefect((defect) => Effect.succeed(say(500, messageOf(defect)))))
    const server = yield* NodeHttpServer.make(() => createServer({ requestTimeout: slowestMs }), {
      host: hostname === "[::1]" ? "::1" : "127.0.0.1",
      port,
      exclusive: true
    }).pipe(Effect.mapError((cause) => refusedAs(to, cause)))
    yield* server.serve(app)
  },
  Effect.provide(Logger.remove(Logger.defaultLogger))
)
