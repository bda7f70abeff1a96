/** Loopback HTTP: agents that have HTTP hooks reach the same reception as the socket's clients. */
import { createServer, type Server } from "node:http"
import * as Headers from "@effect/platform/Headers"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { deadlineOf } from "../../agents/deadline.ts"
import { makeGate } from "../../runtime/host/httpGate.ts"
import { switchHeader } from "../../tools/install/httpHook.ts"
import { type HttpCallers, watchCallers } from "./httpCallers.ts"
import { environmentFor } from "./httpEnvironment.ts"
import { arrived, placeOf, readBody } from "./httpPayload.ts"
import type { Reception } from "./reception.ts"

export interface HttpOptions {
  readonly port: number
  /** What an HTTP caller proves with. */
  readonly token: string
  /** What the host asks of its own callers. */
  readonly hostToken: string
  readonly agents: readonly string[]
  /** Bytes of a payload. */
  readonly limit: number
  readonly serve: Reception["serve"]
  readonly status: () => object
  readonly note: (line: string) => void
}

/** Agents keep one connection for a session: it is not for us to close it between two prompts. */
const keepAliveMs = 300_000
/** A request that has not come in by then is nobody's who waits for an answer. */
const slowestMs = 60_000
/** Who has not got an answer by then waits for none. */
const longestCallMs = 6000

const eventName = /^[A-Za-z]\w{0,63}$/

const say = (status: number, text: string, headers: Record<string, string> = {}) =>
  HttpServerResponse.text(`${text}\n`, { status, headers: Headers.fromInput(headers) })

const notAllowed = (allow: string) => say(405, `only ${allow} is answered here`, { allow })

const nothingHere = say(404, "there is nothing here")

/** The neutral answer: without a body, whatever the agent makes of one. */
const nothingToSay = HttpServerResponse.empty({
  status: 200,
  headers: Headers.fromInput({ "content-length": "0" })
})

/** One hook call. Whatever goes wrong with it on our side, the agent goes on. */
const answer = (options: HttpOptions, agent: string, agentEvent: string) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const message = NodeHttpServerRequest.toIncomingMessage(request)
    let gone = false
    const handle = async (): Promise<string> => {
      const received = await readBody(message, options.limit, deadlineOf({ agent, agentEvent }, {}))
      const cwd = placeOf(received)
      const environment = environmentFor(cwd, process.env)
      const head = { token: options.hostToken, agent, agentEvent, call: "", cwd, build: "", environment }
      const { stdout, stderr } = await options.serve(
        head,
        arrived(received),
        { isDisconnected: () => gone, expect: () => undefined },
        "http"
      )
      if (stderr !== "") options.note(`${agent} ${agentEvent}: ${stderr}`)
      return stdout
    }
    // Goes on to its end when the caller leaves: what has begun is recorded.
    const body = yield* Effect.tryPromise(handle).pipe(
      Effect.onInterrupt(() =>
        Effect.sync(() => {
          gone = true
        })
      ),
      Effect.catchAll(({ error }) =>
        Effect.sync(() => {
          options.note(
            `${agent} ${agentEvent} was not handled: ${error instanceof Error ? error.message : error}`
          )
          return ""
        })
      )
    )
    return body === "" ? nothingToSay : HttpServerResponse.text(body, { contentType: "application/json" })
  })

const router = (options: HttpOptions) =>
  HttpRouter.empty.pipe(
    HttpRouter.all(
      "/v1/hooks/:agent/:event",
      Effect.gen(function* () {
        const { agent = "", event = "" } = yield* HttpRouter.params
        const { headers, method } = yield* HttpServerRequest.HttpServerRequest
        if (!options.agents.includes(agent) || !eventName.test(event)) return nothingHere
        if (method !== "POST") return notAllowed("POST")
        // As HOOKTAPE=0 does for a command.
        if (headers[switchHeader.toLowerCase()] === "0") return nothingToSay
        return yield* answer(options, agent, event)
      })
    ),
    HttpRouter.all(
      "/v1/status",
      Effect.map(HttpServerRequest.HttpServerRequest, ({ method }) =>
        method === "GET" ? HttpServerResponse.unsafeJson(options.status()) : notAllowed("GET")
      )
    ),
    HttpRouter.catchAll(() => Effect.succeed(nothingHere))
  )

/** Before anything else is looked at. A caller that is not ours learns only that. */
const guarded = (options: HttpOptions, callers: HttpCallers, isClosing: () => boolean) => {
  const gate = makeGate(options.port, options.token)
  const app = router(options)
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const refused = gate(request.headers)
    const isKept =
      refused === undefined && callers.admit(NodeHttpServerRequest.toIncomingMessage(request).socket)
    const response =
      refused !== undefined
        ? say(refused.status, refused.reason)
        : // No other protocol is spoken here, and such a request has no body.
          request.headers["upgrade"] === undefined
          ? yield* app
          : nothingHere
    return isClosing() || !isKept ? HttpServerResponse.setHeader(response, "connection", "close") : response
  })
}

const makeServer = (): Server => createServer({ keepAliveTimeout: keepAliveMs, requestTimeout: slowestMs })

/** Ends when those connections that there are have ended. */
const drained = (node: Server): Effect.Effect<void> =>
  Effect.async((resume) => {
    const late = setTimeout(() => node.closeAllConnections(), longestCallMs)
    node.close(() => {
      clearTimeout(late)
      resume(Effect.void)
    })
  })

/** Fails where the port is not to be had. Takes no more connections once its scope closes, and answers those there are. */
export const openHttp = Effect.fn("host.http")(
  function* (options: HttpOptions) {
    const node = makeServer()
    const callers = watchCallers(node)
    let closing = false
    const server = yield* NodeHttpServer.make(() => node, {
      host: "127.0.0.1",
      port: options.port,
      exclusive: true
    })
    yield* server.serve(guarded(options, callers, () => closing))
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        closing = true
        return drained(node)
      })
    )
  },
  Effect.provide(Logger.remove(Logger.defaultLogger))
)
