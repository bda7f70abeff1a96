/** A real host process for a state directory, ended when the test is over, and a caller over HTTP. */
import { type ChildProcess, spawn } from "node:child_process"
import { type Agent, type IncomingHttpHeaders, request } from "node:http"
import { createServer } from "node:net"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { HostStatus } from "../../src/host/control.ts"
import { hostStatus } from "../../src/host/talk.ts"
import { httpToken } from "../../src/log/state.ts"

const program = join(import.meta.dirname, "..", "..", "dist", "host.cjs")

export interface RunningHost {
  readonly child: ChildProcess
  readonly status: () => Promise<HostStatus>
  /** As asked by a signal; resolves with its exit code once it has ended. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Resolves when it takes calls. */
export const startHost = async (state: string, env: NodeJS.ProcessEnv): Promise<RunningHost> => {
  const child = spawn(process.execPath, [program, state], { env, stdio: ["ignore", "ignore", "pipe"] })
  let said = ""
  child.stderr?.on("data", (chunk) => {
    said += String(chunk)
  })
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)))
  const status = () => Effect.runPromise(hostStatus(state))
  const up = Effect.runPromise(Effect.retry(hostStatus(state), Schedule.spaced("20 millis")))
  await Promise.race([
    up,
    ended.then((code) => Promise.reject(new Error(`the host ended with ${code}: ${said}`)))
  ])
  return {
    child,
    status,
    stop: (signal = "SIGTERM") => {
      child.kill(signal)
      return ended
    }
  }
}

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
