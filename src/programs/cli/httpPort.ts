/** The port of the HTTP hooks: chosen once for an installation, and given up only to somebody else who has it. */
import { randomInt } from "node:crypto"
import { readdirSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { hostStatus } from "../../runtime/host/askHost.ts"
import { forgetHttp, forgetHttpPort, httpPort, keepHttpPort } from "../../state/state.ts"
import { readRecordFile } from "../../tools/install/store.ts"
import { CliError } from "./CliError.ts"

/** Below the ports that systems hand out to connections that come and go: those would be taken now and then. */
const [lowest, highest] = [20_000, 32_000] as const
const tries = 50

/** Whether a listener could have it at this moment. */
const isFree = (port: number): Effect.Effect<boolean> =>
  Effect.async((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(false)))
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () =>
      server.close(() => resume(Effect.succeed(true)))
    )
  })

export type PortState =
  | { readonly kind: "ours" | "free" | "held"; readonly port: number }
  | { readonly kind: "none" }

/** Asked of the host over its socket, never of whoever listens there: that may be anybody. */
export const portState = Effect.fn("cli.portState")(function* (state: string) {
  const port = httpPort(state)
  if (port === undefined) return { kind: "none" } satisfies PortState as PortState
  const host = Option.getOrUndefined(yield* Effect.option(hostStatus(state)))
  if (host?.port === port) return { kind: "ours", port } satisfies PortState as PortState
  const kind = (yield* isFree(port)) ? "free" : "held"
  return { kind, port } satisfies PortState as PortState
})

const freePort = Effect.fn("cli.freePort")(function* () {
  for (let at = 0; at < tries; at++) {
    const port = randomInt(lowest, highest)
    if (yield* isFree(port)) return port
  }
  return yield* new CliError({
    what: "HTTP hooks cannot be registered",
    reason: `none of ${tries} ports between ${lowest} and ${highest} is free`,
    remedy: "Use --transport command."
  })
})

export interface ChosenPort {
  readonly port: number
  /** The one before, which somebody else has taken. */
  readonly lost?: number
}

/** `keep`: write it down, so that hosts listen there from now on. */
export const choosePort = Effect.fn("cli.choosePort")(function* (state: string, keep: boolean) {
  const there = yield* portState(state)
  if (there.kind === "ours" || there.kind === "free")
    return { port: there.port } satisfies ChosenPort as ChosenPort
  const port = yield* freePort()
  if (keep && there.kind === "held") forgetHttpPort(state)
  return {
    port: keep ? keepHttpPort(state, port) : port,
    ...(there.kind === "held" ? { lost: there.port } : {})
  } satisfies ChosenPort as ChosenPort
})

/** When no settings file names it any more, hosts have no reason to listen. */
export const giveUpUnusedPort = Effect.fn("cli.giveUpUnusedPort")(function* (state: string) {
  if (httpPort(state) === undefined) return
  const folder = join(state, "installs")
  const names = yield* Effect.try(() => readdirSync(folder)).pipe(Effect.orElseSucceed((): string[] => []))
  for (const name of names) {
    const record = yield* readRecordFile(join(folder, name))
    if ((record?.http ?? []).length > 0) return
  }
  forgetHttp(state)
})
