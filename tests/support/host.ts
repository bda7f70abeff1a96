/** A host at a station: the shipped one, in a process of its own, ended with the test. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { prepareState } from "../../src/programs/cli/prepare.ts"
import { hostStatus } from "../../src/runtime/host/askHost.ts"
import type { HostStatus } from "../../src/runtime/host/requests.ts"
import type { Station } from "./entrypoint.ts"

export const dist = join(import.meta.dirname, "..", "..", "dist")

/** What an installation puts into a state: client, entrypoint, host. From here on its hooks find and start hosts. */
export const equip = ({ env, state }: Pick<Station, "env" | "state">): Promise<void> => {
  delete env["HOOKTAPE_HOST"]
  return Effect.runPromise(Effect.asVoid(prepareState(state)))
}

export interface RunningHost {
  readonly child: ChildProcess
  readonly status: () => Promise<HostStatus>
  /** Asks it to end, and waits for it. */
  readonly stop: (
    signal?: NodeJS.Signals
  ) => Promise<{ readonly code: number | null; readonly signal: string | null }>
}

/** Ready once it answers. Waits for that as long as the test lasts. */
export const answering = (state: string): Promise<HostStatus> =>
  Effect.runPromise(Effect.retry(hostStatus(state), Schedule.spaced("10 millis")))

export const startHost = async (
  { state, env }: Pick<Station, "state" | "env">,
  more: { readonly program?: string; readonly env?: NodeJS.ProcessEnv } = {}
): Promise<RunningHost> => {
  const child = spawn(
    process.execPath,
    ["--max-semi-space-size=1", "--max-old-space-size=1024", more.program ?? join(dist, "host.cjs"), state],
    { env: { ...env, ...more.env }, stdio: ["ignore", "ignore", "inherit"] }
  )
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once("exit", (code, signal) => resolve({ code, signal }))
  )
  await Promise.race([answering(state), ended])
  return {
    child,
    // A busy machine may keep a host from answering for longer than a person would wait.
    status: () => Effect.runPromise(hostStatus(state, 20_000)),
    stop: (signal = "SIGTERM") => {
      child.kill(signal)
      return ended
    }
  }
}
