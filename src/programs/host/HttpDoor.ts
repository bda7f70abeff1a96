/** Whether the host is to be had over HTTP: only where an installation asks for it, on the port that stands in settings files. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { adapters } from "../../agents/adapters.ts"
import { lookAgainMs } from "../../log/lookAgain.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import { payloadLimit } from "../../runtime/payload.ts"
import { messageOf } from "../../state/messageOf.ts"
import { hostToken, httpPort, httpToken } from "../../state/state.ts"
import { HostPlace } from "./HostPlace.ts"
import type { HttpOptions } from "./http.ts"
import { Stopping } from "./Stopping.ts"

/** Who answers what comes in. */
export type HttpAnswers = Pick<HttpOptions, "serve" | "status">

const lookEveryMs = 1000
/** The same where nothing changed for long. */
const idleLookEveryMs = 5000
/** A port that was somebody else's is tried again after this long. */
const againMs = 10_000

/** The reason at the bottom: what the system said. */
const reasonOf = (cause: Cause.Cause<unknown>): string => {
  let error: unknown = Cause.squash(cause)
  while (error instanceof Error && error.cause instanceof Error) error = error.cause
  return messageOf(error)
}

const makeDoor = Effect.gen(function* () {
  const { note, state } = yield* HostPlace
  const { patiently } = yield* Stopping
  const scope = yield* Effect.scope
  let opened: { readonly port: number; readonly scope: Scope.CloseableScope } | undefined
  let refusedAt: number | undefined
  let told: number | undefined

  const wanted = (): number | undefined => {
    try {
      return httpPort(state)
    } catch {
      // Replaced by something that is not ours.
      return undefined
    }
  }

  const shut = Effect.suspend(() => {
    const was = opened
    opened = undefined
    return was === undefined ? Effect.void : Scope.close(was.scope, Exit.void)
  })

  const refused = (port: number, cause: Cause.Cause<unknown>): void => {
    refusedAt = monotonic()
    if (told !== port)
      note(`warning: HTTP hooks are not answered, port ${port} is not to be had: ${reasonOf(cause)}`)
    told = port
  }

  const bind = Effect.fnUntraced(function* (port: number, answers: HttpAnswers) {
    // Loaded where it is needed: a host without HTTP is smaller by all of it.
    const { openHttp } = yield* Effect.promise(() => import("./http.ts"))
    const its = yield* Scope.make()
    const exit = yield* Effect.exit(
      Scope.extend(
        openHttp({
          ...answers,
          port,
          token: httpToken(state),
          hostToken: hostToken(state),
          agents: Object.keys(adapters),
          limit: payloadLimit,
          note
        }),
        its
      )
    )
    if (Exit.isFailure(exit)) {
      yield* Scope.close(its, exit)
      return refused(port, exit.cause)
    }
    opened = { port, scope: its }
    refusedAt = undefined
    if (told === port) note(`answers HTTP on 127.0.0.1:${port}`)
    told = undefined
  })

  const look = Effect.fnUntraced(
    function* (answers: HttpAnswers) {
      const port = wanted()
      if (opened && opened.port !== port) yield* shut
      if (port === undefined || opened) return
      if (told === port && refusedAt !== undefined && monotonic() - refusedAt < againMs) return
      yield* bind(port, answers)
    },
    Effect.catchAllCause((cause) => Effect.sync(() => note(`warning: HTTP: ${String(Cause.squash(cause))}`))),
    // A port that is being opened is known to whoever closes it.
    Effect.uninterruptible
  )

  /** The longer nothing is different, the less often. */
  const attend = Effect.fnUntraced(function* (answers: HttpAnswers) {
    let inVain = 0
    for (;;) {
      yield* Effect.sleep(lookAgainMs(lookEveryMs, idleLookEveryMs, inVain))
      const before = opened
      yield* look(answers)
      inVain = opened === before ? inVain + 1 : 0
    }
  })

  // What was asked is answered first.
  yield* Effect.addFinalizer(() => patiently(shut))
  return {
    /** Ends with the port once it is known whether it is ours; undefined without HTTP. */
    open: Effect.fnUntraced(function* (answers: HttpAnswers) {
      yield* look(answers)
      yield* Effect.forkIn(attend(answers), scope)
      return opened?.port
    }),
    /** Where HTTP is answered now. */
    port: () => opened?.port,
    /** Whether some agent is told to call over HTTP. Nobody would start the next host in time for it. */
    isWanted: () => wanted() !== undefined
  }
})

/** Takes no more calls when its scope closes; it waits for those that it had, but not for long. */
export class HttpDoor extends Effect.Service<HttpDoor>()("hooktape/HttpDoor", { scoped: makeDoor }) {}
