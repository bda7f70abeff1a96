/** Several connections that ask a host one call after another until it dies: which of them it has answered is known to the byte. */
import { readFileSync } from "node:fs"
import { createConnection } from "node:net"
import { join } from "node:path"
import { hostAddress } from "../../../src/runtime/host/hostAddress.ts"
import { parseReply, requestFrame } from "../../../src/runtime/host/wireProtocol.ts"
import { bash, payloadOf, type Station } from "../entrypoint.ts"
import type { Sent } from "./calls.ts"

/** The host's answer to one call; undefined where it died before it had given the whole of it. */
const ask = (place: Station, event: string, input: string): Promise<Sent["fired"] | undefined> =>
  new Promise((resolve) => {
    const socket = createConnection(hostAddress(place.state).path)
    const got: Buffer[] = []
    const token = readFileSync(join(place.state, "run", "token"), "utf8")
    const head = { token, agent: "claude-code", event, cwd: place.project }
    socket.on("connect", () => socket.write(requestFrame(head, place.env, Buffer.from(input))))
    socket.on("data", (data) => got.push(data))
    socket.on("error", () => undefined)
    socket.on("close", () => {
      const reply = parseReply(Buffer.concat(got))
      resolve(
        reply?.kind === 0 ? { code: reply.exitCode, stdout: reply.stdout, stderr: reply.stderr } : undefined
      )
    })
    socket.on("end", () => socket.end())
  })

export interface Volley {
  readonly senders: number
  readonly name: string
  /** Hears of each answer; ends the volley by ending the host. */
  readonly answered: (count: number) => void
  /** What the calls with a handler are about. */
  readonly command?: (nth: number) => string
}

/** Sends until nobody answers; returns the calls that were answered. */
export const volley = async (
  place: Station,
  { senders, name, answered, command = () => "ls" }: Volley
): Promise<readonly Sent[]> => {
  const sent: Sent[] = []
  const sender = async (lane: number): Promise<void> => {
    for (let nth = 0; ; nth++) {
      const id = `${name}-${lane}-${nth}`
      // Half of them by a handler's process, half by the host alone, which answers as fast as it can commit.
      const handled = lane % 2 === 0
      const began = performance.now()
      const fired = handled
        ? await ask(place, "PreToolUse", bash(command(nth), { tool_use_id: id }))
        : await ask(place, "Notification", payloadOf("Notification", { tool_use_id: id, message: id }))
      if (fired === undefined) return
      sent.push({ id, fired, ms: performance.now() - began })
      answered(sent.length)
    }
  }
  await Promise.all(Array.from({ length: senders }, (_, lane) => sender(lane)))
  return sent
}
