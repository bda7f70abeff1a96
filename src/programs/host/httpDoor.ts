/** Whether the host is to be had over HTTP: only where an installation asks for it, on the port that stands in settings files. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { lookAgainMs } from "../../log/lookAgain.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import { messageOf } from "../../state/messageOf.ts"
import { httpPort, httpToken } from "../../state/state.ts"
import type { HttpDoor, HttpOptions } from "./http.ts"

export interface Door {
  /** Resolves with the port once it is known whether it is ours; undefined without HTTP. */
  readonly open: () => Promise<number | undefined>
  /** Where HTTP is answered now. */
  readonly port: () => number | undefined
  /** Whether some agent is told to call over HTTP. Nobody would start the next host in time for it. */
  readonly isWanted: () => boolean
  /** Takes no more calls, and resolves when those it had are answered. */
  readonly close: () => Promise<void>
}

export interface DoorOptions extends Omit<HttpOptions, "port" | "token"> {
  readonly state: string
  readonly lookEveryMs?: number
  /** The same where nothing changed for long. */
  readonly idleLookEveryMs?: number
  /** A port that was somebody else's is tried again after this long. */
  readonly againMs?: number
}

interface Opened extends HttpDoor {
  readonly port: number
  readonly scope: Scope.CloseableScope
}

/** The reason at the bottom: what the system said. */
const reasonOf = (cause: Cause.Cause<unknown>): string => {
  let error: unknown = Cause.squash(cause)
  while (error instanceof Error && error.cause instanceof Error) error = error.cause
  return messageOf(error)
}

export const makeDoor = (options: DoorOptions): Door => {
  const { state, note, lookEveryMs = 1000, idleLookEveryMs = 5000, againMs = 10_000 } = options
  let opened: Opened | undefined
  let refusedAt: number | undefined
  let told: number | undefined
  let closed = false
  /** Looks in a row after which nothing was different. */
  let inVain = 0
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()

  const wanted = (): number | undefined => {
    try {
      return httpPort(state)
    } catch {
      // Replaced by something that is not ours.
      return undefined
    }
  }

  const shut = async (): Promise<void> => {
    const door = opened
    opened = undefined
    if (!door) return
    await door.close()
    await Effect.runPromise(Scope.close(door.scope, Exit.void))
  }

  const bind = async (port: number): Promise<void> => {
    // Loaded where it is needed: a host without HTTP is smaller by all of it.
    const { openHttp } = await import("./http.ts")
    const scope = await Effect.runPromise(Scope.make())
    const token = httpToken(state)
    const exit = await Effect.runPromiseExit(Scope.extend(openHttp({ ...options, port, token }), scope))
    if (Exit.isSuccess(exit)) {
      opened = { ...exit.value, port, scope }
      refusedAt = undefined
      if (told === port) note(`answers HTTP on 127.0.0.1:${port}`)
      told = undefined
      return
    }
    refusedAt = monotonic()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    if (told !== port)
      note(`warning: HTTP hooks are not answered, port ${port} is not to be had: ${reasonOf(exit.cause)}`)
    told = port
  }

  const look = async (): Promise<void> => {
    const port = wanted()
    if (opened && opened.port !== port) await shut()
    if (closed || port === undefined || opened) return
    if (told === port && refusedAt !== undefined && monotonic() - refusedAt < againMs) return
    await bind(port)
  }

  const attend = (): Promise<void> => {
    const before = opened
    looking = look().catch((error: unknown) => note(`warning: HTTP: ${String(error)}`))
    return looking.then(() => {
      if (closed) return
      inVain = opened === before ? inVain + 1 : 0
      timer = setTimeout(() => void attend(), lookAgainMs(lookEveryMs, idleLookEveryMs, inVain))
      timer.unref()
    })
  }

  return {
    open: async () => {
      await attend()
      return opened?.port
    },
    port: () => opened?.port,
    isWanted: () => wanted() !== undefined,
    close: async () => {
      closed = true
      clearTimeout(timer)
      await looking
      await shut()
    }
  }
}
