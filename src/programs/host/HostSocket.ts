/** The socket on which a host is found; on Windows a named pipe. */
import { existsSync, unlinkSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { hostAddress } from "../../runtime/host/hostAddress.ts"
import { payloadLimit } from "../../runtime/payload.ts"
import { messageOf } from "../../state/messageOf.ts"
import { HostPlace } from "./HostPlace.ts"
import { HostReception } from "./HostReception.ts"
import { Stopping } from "./Stopping.ts"
import { makeSocketServer } from "./socketServer.ts"

export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", {
  cause: Schema.Defect
}) {
  override get message(): string {
    return messageOf(this.cause)
  }
}

/** When its scope closes, it waits for the calls that it has, but not for long. */
export class HostSocket extends Effect.Service<HostSocket>()("hooktape/HostSocket", {
  scoped: Effect.gen(function* () {
    const { state } = yield* HostPlace
    const { patiently } = yield* Stopping
    const { serve } = yield* HostReception
    const address = hostAddress(state)
    const { isFile, path } = address
    const { close, idle, listen } = makeSocketServer(address, payloadLimit, (...call) =>
      serve(...call, "socket")
    )
    yield* Effect.addFinalizer(() => {
      close()
      return patiently(Effect.promise(idle))
    })
    return {
      path,
      /** Takes no more connections. */
      close,
      /** Whether it can still be found. */
      isThere: () => !isFile || existsSync(path),
      /** Ours is the lock: whatever stands there was left by a host that is gone. */
      clear: () => {
        if (!isFile) return
        try {
          unlinkSync(path)
        } catch {
          // Nothing was left.
        }
      },
      listen: Effect.tryPromise({ try: listen, catch: (cause) => new CannotListen({ cause }) })
    }
  })
}) {}
