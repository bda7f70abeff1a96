/** Serves the built page with a made-up log, as the host does with a real one: token, Host, Origin, content policy, stream. */
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"
import type { Call } from "../../../src/features/inspector/contract/call.ts"
import { endpoints } from "../../../src/features/inspector/contract/endpoints.ts"
import { makeAnswers } from "./answers.ts"
import type { Sample } from "./sample.ts"

export const sampleToken = "sample-token-0123456789"

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".html": "text/html; charset=utf-8"
}

export interface SampleServer {
  readonly origin: string
  /** With the token, as `hooktape inspect` opens it. */
  readonly address: (path: string) => string
  /** Tells all open pages of calls. */
  readonly tell: (calls: readonly Call[]) => void
  readonly close: () => Promise<void>
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const part of request) text += part
  return text
}

export const serveSample = async (sample: Sample, page: string, port = 0): Promise<SampleServer> => {
  const answers = makeAnswers(sample, Date.now())
  const streams = new Set<ServerResponse>()
  let position = sample.positions

  const refuse = (response: ServerResponse, status: number, code: string, message: string): void => {
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify({ error: { code, message } }))
  }

  const file = (response: ServerResponse, path: string): void => {
    const name = /^\/[\w-]+\.(js|css)$/.test(path) ? path.slice(1) : "index.html"
    try {
      const text = readFileSync(join(page, name))
      response
        .writeHead(200, {
          "content-type": types[extname(name)] ?? "text/plain",
          "content-security-policy": policy,
          "x-content-type-options": "nosniff"
        })
        .end(text)
    } catch {
      response.writeHead(404).end()
    }
  }

  const stream = (response: ServerResponse, after: string | null): void => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    const missed = after === null ? 0 : Math.max(0, position - Number(after))
    const hello = { position, missed, status: answers.status() }
    response.write(`event: hello\nid: ${position}\ndata: ${JSON.stringify(hello)}\n\n`)
    streams.add(response)
    response.on("close", () => streams.delete(response))
  }

  const api = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    if (request.headers.authorization !== `Bearer ${sampleToken}`)
      return refuse(response, 401, "no-token", "There is no such token.")
    const path = url.pathname.slice("/api/v1".length)
    if (path === "/stream") return stream(response, url.searchParams.get("after"))
    for (const [name, { method, path: pattern }] of Object.entries(endpoints)) {
      const found = new RegExp(`^${pattern.replace(/\{\w+\}/, "([^/]+)")}$`).exec(path)
      if (found === null || method !== request.method) continue
      const asked =
        method === "POST" ? JSON.parse(await bodyOf(request)) : Object.fromEntries(url.searchParams)
      const answer = (
        answers[name as keyof typeof answers] as (asked: unknown, parameter: string) => unknown
      )(asked, decodeURIComponent(found[1] ?? ""))
      if (answer === undefined) continue
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
      return
    }
    refuse(response, 404, "not-found", "Nothing is there.")
  }

  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1")
    const { port: own } = server.address() as AddressInfo
    if (request.headers.host !== `127.0.0.1:${own}`)
      return refuse(response, 403, "foreign", "Another host was asked for.")
    if (url.pathname.startsWith("/api/")) void api(request, response, url)
    else file(response, url.pathname)
  })
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    address: (path) => `${origin}${path}#token=${sampleToken}`,
    tell: (calls) => {
      position += calls.length * 7
      const event = `event: calls\nid: ${position}\ndata: ${JSON.stringify({ position, calls })}\n\n`
      for (const response of streams) response.write(event)
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      })
  }
}
