/** Serves the page and what it asks, on the loopback interface of this machine and nowhere else. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { makeActing } from "./acting.ts"
import { makeAnswers } from "./answers.ts"
import { apiPrefix, isAct, type Refused, refusalOf, safeHeaders } from "./door.ts"
import { readPage } from "./pageFiles.ts"
import { type Routed, routeTo } from "./route.ts"
import { makeStreams } from "./streams.ts"
import type { World } from "./World.ts"

export interface InspectorOptions {
  readonly world: World
  /** Where the built page lies. */
  readonly page: string
  /** 0 for any that is free. */
  readonly port: number
  /** Who has it may ask. */
  readonly token: string
  /** Told of what went wrong beside an answer. */
  readonly note: (text: string) => void
}

export interface Inspector {
  readonly origin: string
  /** With the token in the fragment, which a browser does not send. */
  readonly address: string
  readonly close: () => Promise<void>
}

const refuse = (response: ServerResponse, { status, code, message, remedy }: Refused): void => {
  response
    .writeHead(status, { "content-type": "application/json" })
    .end(JSON.stringify({ error: { code, message, ...(remedy === undefined ? {} : { remedy }) } }))
}

const tell = (response: ServerResponse, routed: Routed): void => {
  if ("refused" in routed) refuse(response, routed.refused)
  else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(routed.answer))
}

const urlOf = (text: string | undefined): URL | undefined => {
  try {
    return new URL(text ?? "/", "http://127.0.0.1")
  } catch {
    return undefined
  }
}

export const serveInspector = async (options: InspectorOptions): Promise<Inspector> => {
  const { note, token, world } = options
  const fileAt = readPage(options.page)
  const route = routeTo(makeAnswers(world))
  const streams = makeStreams(world, note)
  const act = makeActing(world)
  let port = options.port

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value)
    const url = urlOf(request.url)
    const { headers, method = "" } = request
    if (url === undefined)
      return refuse(response, { status: 400, code: "bad-request", message: "That is no address." })
    const { acts } = world
    const path = url.pathname
    const refusal = refusalOf({ method, path, headers }, { port, token, canAct: acts !== undefined })
    if (refusal !== undefined) return refuse(response, refusal)
    if (acts !== undefined && isAct({ method, path })) {
      await world.takeIn()
      return tell(response, await act(acts, path, request))
    }
    if (url.pathname === `${apiPrefix}/stream`) {
      const refused = await streams.open(response, Object.fromEntries(url.searchParams))
      return refused && refuse(response, refused)
    }
    if (url.pathname === apiPrefix || url.pathname.startsWith("/api/")) {
      await world.takeIn()
      return tell(response, await route(url))
    }
    const file = fileAt(url.pathname)
    if (file === undefined)
      return refuse(response, { status: 404, code: "not-found", message: "Nothing is there." })
    response.writeHead(200, { "content-type": file.type }).end(file.bytes)
  }

  // Who says nothing, or half of a head, keeps no place: SECURITY.md.
  const impatience = { headersTimeout: 1500, requestTimeout: 10_000, connectionsCheckingInterval: 250 }
  const server = createServer(impatience, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      if (response.headersSent) response.destroy()
      else refuse(response, { status: 500, code: "failed", message })
      note(message)
    })
  })
  await new Promise<void>((done, failed) => {
    server.once("error", failed)
    server.listen(options.port, "127.0.0.1", done)
  })
  port = (server.address() as AddressInfo).port
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    address: `${origin}/#token=${token}`,
    close: () =>
      new Promise((done) => {
        streams.close()
        server.close(() => done())
        server.closeAllConnections()
      })
  }
}
