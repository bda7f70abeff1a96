/** A caller of the host over HTTP. */
import { type Agent, type IncomingHttpHeaders, request } from "node:http"
import { createServer } from "node:net"
import { httpToken } from "../../src/state/state.ts"

/** A port that nobody has at this moment. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

export interface Heard {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Whether the connection had been used before. */
  readonly reused: boolean
}

export interface Asking {
  readonly port: number
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly agent?: Agent
}

export const ask = ({ port, path, method = "POST", headers = {}, body, agent }: Asking): Promise<Heard> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      { host: "127.0.0.1", port, path, method, headers, ...(agent === undefined ? {} : { agent }) },
      (response) => {
        const chunks: Buffer[] = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", reject)
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString("utf8"),
            reused: outgoing.reusedSocket
          })
        )
      }
    )
    outgoing.on("error", reject)
    outgoing.end(body)
  })

export const bearer = (state: string): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${httpToken(state)}`
})
