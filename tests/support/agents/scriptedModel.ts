/** A model on loopback that says what the test wrote, so that the real agents run without account and network. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { answer, type Dialect, type Turn } from "./dialects.ts"

type Body = Readonly<Record<string, unknown>>

export interface ModelRequest {
  readonly dialect: Dialect
  readonly method: string
  readonly path: string
  /** True for the agent's own loop; false for titles, checks, model lists and the like. */
  readonly main: boolean
  readonly body: Body
}

export interface ScriptedModel {
  readonly url: string
  /** Everything that was asked so far, in order; grows while the agent runs. */
  readonly requests: ReadonlyArray<ModelRequest>
  /** How many of the scripted turns were used up. */
  readonly taken: () => number
  readonly stop: () => Promise<void>
}

export const startScriptedModel = async (turns: ReadonlyArray<Turn>): Promise<ScriptedModel> => {
  const requests: Array<ModelRequest> = []
  let taken = 0
  // A loop that outlives its script must come to rest: the words are repeated, the tool calls are not.
  const next = (): Turn => {
    const turn = turns[taken++]
    if (turn !== undefined) return turn
    return { text: turns.at(-1)?.text ?? "Done." }
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = parse(await read(request))
    const method = request.method ?? "GET"
    const path = (request.url ?? "/").split("?")[0] ?? "/"
    const dialect = dialectOf(method, path)
    const main = isMain(dialect, body)
    requests.push({ dialect, method, path, main, body })
    if (dialect === "other") return json(response, ...other(path))
    const turn = main ? next() : { text: dialect === "gemini" ? "{}" : "ok" }
    if (turn.status !== undefined) return json(response, turn.status, failure(turn.status))
    const said = answer(dialect, turn, requests.length, body)
    const streamed = dialect === "gemini" ? path.endsWith(":streamGenerateContent") : body["stream"] === true
    if (!streamed) return json(response, 200, said.whole)
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
    for (const [name, data] of said.events) {
      response.write(`${name === null ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`)
    }
    response.end(dialect === "chat" ? "data: [DONE]\n\n" : undefined)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((cause: unknown) => response.destroy(cause as Error))
  })
  await new Promise<void>((ready, fail) => {
    server.once("error", fail)
    server.listen(0, "127.0.0.1", ready)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    taken: () => Math.min(taken, turns.length),
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      })
  }
}

/** Runs `use` against a model that is gone afterwards, whatever happened. */
export const withScriptedModel = async <A>(
  turns: ReadonlyArray<Turn>,
  use: (model: ScriptedModel) => Promise<A>
): Promise<A> => {
  const model = await startScriptedModel(turns)
  try {
    return await use(model)
  } finally {
    await model.stop()
  }
}

const dialectOf = (method: string, path: string): Dialect => {
  if (method !== "POST") return "other"
  if (path.endsWith("/v1/messages")) return "anthropic"
  if (path.endsWith("/responses")) return "openai"
  if (path.endsWith("/chat/completions")) return "chat"
  return /:(streamG|g)enerateContent$/.test(path) ? "gemini" : "other"
}

const isMain = (dialect: Dialect, body: Body): boolean => {
  const tools: ReadonlyArray<unknown> = Array.isArray(body["tools"]) ? body["tools"] : []
  if (dialect === "anthropic" || dialect === "chat") return tools.length > 0
  if (dialect === "gemini") return tools.some((tool) => (tool as Body)["functionDeclarations"] !== undefined)
  return dialect === "openai"
}

const other = (path: string): readonly [status: number, body: object] => {
  if (path.endsWith("/count_tokens")) return [200, { input_tokens: 10 }]
  if (path.endsWith("/models")) return [200, { object: "list", data: [], models: [] }]
  return [404, { type: "error", error: { type: "not_found_error", message: "not scripted" } }]
}

const failure = (status: number): object => ({
  type: "error",
  error: { type: "invalid_request_error", code: status, message: "scripted failure", status: "FAILED" }
})

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify(body))
}

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

const parse = (text: string): Body => {
  try {
    return JSON.parse(text) as Body
  } catch {
    return {}
  }
}
