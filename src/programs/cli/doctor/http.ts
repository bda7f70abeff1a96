/** Whether those who call over HTTP reach the host, and only the host. */
import * as Effect from "effect/Effect"
import { count } from "../../../features/timeline/words.ts"
import { httpPort, httpToken } from "../../../state/state.ts"
import type { Inspection } from "../../../tools/install/installation.ts"
import { portState } from "../httpPort.ts"
import { guardedEvents } from "../overHttp.ts"
import { type Check, fail, ok, warn } from "./Check.ts"

const name = "http"

const again = ({ agent, scope }: Inspection): string =>
  `Run "hooktape install --agent ${agent} --scope ${scope} --transport http" again.`

const checkOne = (inspection: Inspection, state: string): readonly Check[] => {
  const { agent, file, registered } = inspection
  const ours = registered.filter(({ current, http }) => current && http !== undefined)
  const [port, token] = [httpPort(state), httpToken(state)]
  const stale = ours.filter(({ http }) => http?.port !== port || http?.token !== token)
  const guarded = guardedEvents(agent, state).filter((event) => ours.some((one) => one.event === event))
  return [
    ...(stale.length === 0
      ? []
      : [
          fail(
            name,
            `${count(stale.length, "event")} in ${file} call a port or with a token of before`,
            again(inspection)
          )
        ]),
    ...(guarded.length === 0
      ? []
      : [
          warn(
            name,
            `a hook stands guard at ${guarded.join(", ")}, and Claude Code goes on when the host is gone`,
            again(inspection)
          )
        ])
  ]
}

/** Nothing where nobody calls over HTTP. The port's holder is told by the host alone: whoever else listens is sent nothing. */
export const checkHttp = Effect.fn("doctor.http")(function* (
  state: string,
  inspections: readonly Inspection[]
) {
  const callers = inspections.filter(({ registered }) =>
    registered.some(({ current, http }) => current && http !== undefined)
  )
  const [first] = callers
  if (first === undefined) return []
  const checks = callers.flatMap((one) => checkOne(one, state))
  const there = yield* portState(state)
  if (there.kind === "held") {
    checks.push(
      fail(
        name,
        `port ${there.port} is held by another program, which gets the calls of your hooks`,
        again(first)
      )
    )
  } else if (checks.length === 0 && there.kind !== "none") {
    checks.push(
      ok(
        name,
        there.kind === "ours"
          ? `the host answers on 127.0.0.1:${there.port}`
          : `nobody listens on 127.0.0.1:${there.port} now: the start of a session starts the host`
      )
    )
  }
  return checks
})
