/** The host: whether one runs, whether it is the one that is installed, and what it had to say last. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { bytes, count } from "../../../features/timeline/words.ts"
import { hostLock, isLocked } from "../../../log/hostLock.ts"
import { spoolDirectory } from "../../../log/spool/spoolWriter.ts"
import { hostStatus } from "../../../runtime/host/askHost.ts"
import { type HostServiceStates, ready } from "../../../runtime/host/requests.ts"
import { type Check, fail, ok, warn } from "./Check.ts"

const installed = (state: string): string => {
  try {
    return readFileSync(join(state, "bin", "build"), "utf8").trim()
  } catch {
    return ""
  }
}

const left = (state: string): number => {
  try {
    return readdirSync(spoolDirectory(state)).filter((name) => name.endsWith(".frame")).length
  } catch {
    return 0
  }
}

/** Hooks run without them; what they are for does not. */
export const offParts = (parts: HostServiceStates): readonly Check[] =>
  Object.entries(parts)
    .filter(([, state]) => state !== ready)
    .map(([name, why]) => warn(name, `is off in the host: ${why}`, "It is tried again each minute."))

/** Twenty times 200 ms are time to start, also on a busy machine. */
const starts = 20

const running = Effect.fn("doctor.host.running")(function* (state: string) {
  const lock = hostLock(state)
  const isStarting = Effect.orElseSucceed(isLocked(lock), () => false)
  // One that a probe has just started holds its lock before it answers.
  const found = yield* Effect.either(
    hostStatus(state).pipe(
      Effect.retry({
        while: ({ reason }) => (reason === "refused" ? Effect.succeed(true) : isStarting),
        schedule: Schedule.intersect(Schedule.spaced("200 millis"), Schedule.recurs(starts))
      })
    )
  )
  if (found._tag === "Right") {
    const { build, memory, parts, pid, served } = found.right
    const off = offParts(parts ?? {})
    return build === installed(state)
      ? [ok("host", `process ${pid}, ${count(served, "call")} answered, ${bytes(memory)}`), ...off]
      : [
          warn(
            "host",
            `process ${pid} is of build ${build}, and ${installed(state)} is installed`,
            "It hands over at the next hook."
          ),
          ...off
        ]
  }
  const { reason, detail } = found.left
  const locked = yield* Effect.either(isLocked(lock))
  if (locked._tag === "Left")
    return [
      fail("host", `none can start: ${locked.left.message}`, "Mend that, then run: hooktape host start")
    ]
  if (!locked.right && reason !== "refused") return [ok("host", "none is running; a hook starts one")]
  return [fail("host", `one is there and does not answer: ${detail}`, "Run: hooktape host stop")]
})

/** Of the host, and of the calls that wait for one. */
export const checkHost = Effect.fn("doctor.host")(function* (
  state: string,
  env: Readonly<Record<string, string | undefined>>
) {
  const waiting = left(state)
  const checks: Check[] =
    env["HOOKTAPE_HOST"] === "off"
      ? [ok("host", "switched off by HOOKTAPE_HOST; hooks are handled in process")]
      : [...(yield* running(state))]
  if (waiting > 0)
    checks.push(
      warn("calls left", `${count(waiting, "call")} for a host to take in`, "Run: hooktape host start")
    )
  return checks
})
