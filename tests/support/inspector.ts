/** As much of the inspector's protocol as a test needs: requests as masked text frames, events as they come. */
import { randomBytes } from "node:crypto"
import { request } from "node:http"
import type { Socket } from "node:net"

export interface InspectorEvent {
  readonly method?: string
  readonly params?: {
    readonly url?: string
    readonly sourceMapURL?: string
    readonly callFrames?: readonly { readonly url: string }[]
  }
}

const frameOf = (text: string): Buffer => {
  const body = Buffer.from(text)
  const mask = randomBytes(4)
  const masked = body.map((byte, at) => byte ^ (mask[at % 4] ?? 0))
  if (body.length > 125) throw new Error("longer than a test has to say")
  return Buffer.concat([Buffer.from([0x81, 0x80 | body.length]), mask, masked])
}

/** The texts of whole frames, and what is left of the bytes. */
const framesIn = (bytes: Buffer): { readonly texts: readonly string[]; readonly rest: Buffer } => {
  const texts: string[] = []
  let at = 0
  while (bytes.length - at >= 2) {
    const short = (bytes[at + 1] ?? 0) & 127
    const head = short === 126 ? 4 : short === 127 ? 10 : 2
    if (bytes.length - at < head) break
    const length =
      short === 126
        ? bytes.readUInt16BE(at + 2)
        : short === 127
          ? Number(bytes.readBigUInt64BE(at + 2))
          : short
    if (bytes.length - at < head + length) break
    texts.push(bytes.toString("utf8", at + head, at + head + length))
    at += head + length
  }
  return { texts, rest: bytes.subarray(at) }
}

/**
 * Attaches to `ws://…`; `on` gets every event, and may send requests. Says that the code may run until it stops somewhere: Node may hear
 * it a moment before it waits for it, and then waits for ever.
 */
export const attach = (
  url: string,
  on: (event: InspectorEvent, send: (method: string, params?: object) => void) => void
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const asked = request(url.replace(/^ws:/, "http:"), {
      headers: {
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": randomBytes(16).toString("base64")
      }
    })
    asked.once("error", reject)
    asked.once("upgrade", (_, socket: Socket) => {
      let id = 0
      let rest: Buffer = Buffer.alloc(0)
      const send = (method: string, params?: object): void => {
        id += 1
        socket.write(frameOf(JSON.stringify({ id, method, params })))
      }
      socket.on("error", () => {})
      socket.on("data", (chunk: Buffer) => {
        const found = framesIn(Buffer.concat([rest, chunk]))
        rest = found.rest
        for (const text of found.texts) {
          const event = JSON.parse(text) as InspectorEvent
          if (event.method === "Debugger.paused") clearInterval(repeated)
          on(event, send)
        }
      })
      socket.on("close", () => clearInterval(repeated))
      send("Debugger.enable")
      const goOn = (): void => send("Runtime.runIfWaitingForDebugger")
      const repeated = setInterval(goOn, 200)
      goOn()
      resolve(socket as Socket)
    })
    asked.end()
  })
