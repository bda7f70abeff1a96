/** Speaks to the running host as the command line does. */
import { readFileSync } from "node:fs"
import { createConnection } from "node:net"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ActorView } from "../actors/ActorView.ts"
import { hostAddress } from "./hostAddress.ts"
import { controlAgent, type HostStatus, type WatchAnswer, watchRequest } from "./requests.ts"
import { type Answer, parseReply, requestFrame } from "./wireProtocol.ts"

export class HostUnreachable extends Schema.TaggedError<HostUnreachable>()("HostUnreachable", {
  /** `absent`: nobody listens. `silent`: somebody does and did not answer. `refused`: it answered that it will not. */
  reason: Schema.Literal("absent", "silent", "refused"),
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

const unreachable = (reason: HostUnreachable["reason"], detail: string) =>
  Effect.fail(new HostUnreachable({ reason, detail }))

const tokenOf = (state: string): string => {
  try {
    return readFileSync(join(state, "run", "token"), "utf8")
  } catch {
    return ""
  }
}

export const askHost = (
  state: string,
  event: string,
  waitMs = 3000
): Effect.Effect<Answer, HostUnreachable> =>
  Effect.async<Answer, HostUnreachable>((resume) => {
    const socket = createConnection(hostAddress(state).path)
    const got: Buffer[] = []
    const head = { token: tokenOf(state), agent: controlAgent, event, cwd: "/" }
    socket.on("connect", () => socket.write(requestFrame(head, {}, Buffer.alloc(0))))
    socket.on("data", (data) => got.push(data))
    socket.on("error", (error) => resume(unreachable("absent", `no host answers: ${error.message}`)))
    socket.on("end", () => {
      socket.end()
      const reply = parseReply(Buffer.concat(got))
      if (!reply) resume(unreachable("silent", "the host left without an answer"))
      else if (reply.kind !== 0) resume(unreachable("refused", reply.stderr))
      else resume(Effect.succeed(reply))
    })
    return Effect.sync(() => socket.destroy())
  }).pipe(
    Effect.timeoutFail({
      duration: waitMs,
      onTimeout: () =>
        new HostUnreachable({ reason: "silent", detail: `the host did not answer within ${waitMs} ms` })
    })
  )

export const hostActors = (state: string): Effect.Effect<readonly ActorView[], HostUnreachable> =>
  Effect.map(
    askHost(state, "actors"),
    ({ stdout }) => (JSON.parse(stdout) as { readonly actors: readonly ActorView[] }).actors
  )

/** What came since it was asked with this id, a UUID that whoever watches makes up; where all stand with the first answer. */
export const watchHost = (state: string, watcher: string): Effect.Effect<WatchAnswer, HostUnreachable> =>
  Effect.map(askHost(state, `${watchRequest}${watcher}`), ({ stdout }) => JSON.parse(stdout) as WatchAnswer)

export const hostStatus = (state: string, waitMs?: number): Effect.Effect<HostStatus, HostUnreachable> =>
  Effect.map(askHost(state, "status", waitMs), ({ stdout }) => JSON.parse(stdout) as HostStatus)
