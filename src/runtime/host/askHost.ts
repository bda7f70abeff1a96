/** Speaks to the running host as the command line does. */
import { readFileSync } from "node:fs"
import { createConnection } from "node:net"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ActorView } from "../actors/ActorView.ts"
import { hostAddress } from "./hostAddress.ts"
import { newNonce, proofOf, withoutProof } from "./proof.ts"
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

const unproven = "what listens in the host's place did not prove that it is the host of this state directory"

export const askHost = (
  state: string,
  event: string,
  waitMs = 3000,
  address = hostAddress(state)
): Effect.Effect<Answer, HostUnreachable> =>
  Effect.async<Answer, HostUnreachable>((resume) => {
    const token = tokenOf(state)
    // Nobody else can listen where a file of ours is looked for.
    const nonce = address.isFile ? undefined : newNonce()
    const socket = createConnection(address.path)
    const got: Buffer[] = []
    const said = nonce === undefined ? token : proofOf(token, event, nonce, Date.now())
    const head = { token: said, agent: controlAgent, event, cwd: "/" }
    socket.on("connect", () => socket.write(requestFrame(head, {}, Buffer.alloc(0))))
    socket.on("data", (data) => got.push(data))
    socket.on("error", (error) => resume(unreachable("absent", `no host answers: ${error.message}`)))
    socket.on("end", () => {
      socket.end()
      const reply = parseReply(Buffer.concat(got))
      if (!reply) return resume(unreachable("silent", "the host left without an answer"))
      if (nonce === undefined)
        return resume(reply.kind === 0 ? Effect.succeed(reply) : unreachable("refused", reply.stderr))
      const answer = reply.kind === 0 && token !== "" ? withoutProof(token, nonce, reply) : undefined
      resume(answer === undefined ? unreachable("refused", unproven) : Effect.succeed(answer))
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
