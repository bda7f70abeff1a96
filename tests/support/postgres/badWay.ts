/** A proxy between machines and a collector that does what networks do: it drops, delays, doubles and cuts. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export const harms = ["nothing", "dropped", "delayed", "doubled", "cut"] as const
export type Harm = (typeof harms)[number]

export interface BadWay {
  readonly url: string
  readonly counts: () => Readonly<Record<Harm, number>>
  readonly close: () => Promise<void>
}

const delayMs = 150

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => Buffer.concat(await incoming.toArray())

interface Answer {
  readonly status: number
  readonly body: Buffer
}

const forwarded = (to: string, { headers }: IncomingMessage, body: Buffer): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { authorization } = headers
    const asked = request(
      to,
      { method: "POST", headers: { ...(authorization === undefined ? {} : { authorization }) } },
      (answer) => {
        bodyOf(answer).then((said) => resolve({ status: answer.statusCode ?? 0, body: said }), reject)
      }
    )
    asked.once("error", reject)
    // A door that is frozen answers nobody.
    asked.setTimeout(3000, () => asked.destroy(new Error("no answer")))
    asked.end(body)
  })

/** `door`: whom this request goes to; `harm`: what befalls it. */
export const startBadWay = async (door: () => string, harm: () => Harm): Promise<BadWay> => {
  const counts: Record<Harm, number> = { nothing: 0, dropped: 0, delayed: 0, doubled: 0, cut: 0 }
  const pass = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(incoming)
    const what = harm()
    counts[what]++
    if (what === "dropped") return void response.destroy()
    if (what === "delayed") await new Promise((resolve) => setTimeout(resolve, delayMs))
    const to = door()
    const answer = await forwarded(to, incoming, body)
    // It was taken, and whoever sent it does not hear so.
    if (what === "cut") return void response.destroy()
    const last = what === "doubled" ? await forwarded(to, incoming, body) : answer
    response.writeHead(last.status).end(last.body)
  }
  const server = createServer((incoming, response) => {
    pass(incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/facts`,
    counts: () => counts,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
