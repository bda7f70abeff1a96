/** Many senders at once, real clients all of them, while the host they speak to is killed again and again. */
import { spawn } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { hostStatus } from "../../../src/runtime/host/askHost.ts"
import type { HostStatus } from "../../../src/runtime/host/requests.ts"
import { bash, inTurns, type Station } from "../entrypoint.ts"
import { answering } from "../host.ts"
import type { Sent } from "./calls.ts"

/** Numbers that look random and are the same in every run. */
export const mulberry = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

export interface Barrage {
  readonly calls: number
  readonly senders: number
  readonly kills: number
  readonly seed: number
  /** Every so manyth call has a background hook. */
  readonly learning: number
  /** What the other calls are about. */
  readonly command?: (nth: number) => string
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** As the client starts it. */
const startAnother = ({ state, env }: Station): void => {
  spawn(join(state, "bin", "host"), [], { env, stdio: "ignore", detached: true }).unref()
}

/** Has answered so many calls that one of its senders must have come back; on a busy machine that takes its time. */
const inUse = async ({ state }: Station, senders: number, over: () => boolean): Promise<void> => {
  while ((await answering(state)).served <= senders && !over()) await pause(5)
}

/**
 * Sends all calls, to a host at first; it is killed at moments that are spread over them. Returns what each sender heard, in
 * order.
 */
export const barrage = async (
  place: Station,
  { calls, senders, kills, seed, learning, command = () => "ls" }: Barrage
): Promise<{ readonly sent: readonly Sent[]; readonly killed: number }> => {
  const random = mulberry(seed)
  let done = 0
  let failed = false
  let reached: () => void = () => undefined
  const moments = Array.from({ length: kills }, (_, nth) =>
    Math.floor(((nth + random()) / kills) * calls * 0.95)
  )
  const atCall = async (moment: number): Promise<void> => {
    while (done < moment && !failed)
      await new Promise<void>((resolve) => {
        reached = resolve
      })
  }
  // Whoever calls starts a host that is gone; where all calls are answered before one has come up, nobody would.
  const hostInUse = async (): Promise<HostStatus> => {
    let isOurs = false
    for (;;) {
      const status = await Effect.runPromise(Effect.option(hostStatus(place.state)))
      if (Option.isSome(status)) return status.value
      if (done === calls && !isOurs) startAnother(place)
      isOurs ||= done === calls
      await pause(10)
    }
  }
  const kill = async (): Promise<number> => {
    let killed = 0
    for (const [nth, moment] of moments.entries()) {
      await atCall(moment)
      if (nth === 0) await inUse(place, senders, () => done === calls || failed)
      const { pid } = await hostInUse()
      await pause(random() * 20)
      process.kill(pid, "SIGKILL")
      killed++
      // Every other one is started by the calls themselves, which wait some seconds between two attempts.
      if (nth % 2 === 0) startAnother(place)
      else rmSync(join(place.state, "run", "starting"), { force: true })
    }
    return killed
  }
  startAnother(place)
  await answering(place.state)
  const killing = kill()
  try {
    const sent = await inTurns(Array.from({ length: calls }), senders, async (_, nth): Promise<Sent> => {
      const id = `call-${nth}`
      const began = performance.now()
      const about = nth % learning === 0 ? "learn" : command(nth)
      const fired = await place.fire({ input: bash(about, { tool_use_id: id }) })
      done++
      reached()
      return { id, fired, ms: performance.now() - began }
    })
    return { sent, killed: await killing }
  } finally {
    failed = true
    reached()
  }
}
