/** An invocation in this process, which is not the agent's: what it answers comes back as a value, what it records goes to the spool. */
import type { InvocationId } from "../../../events/ids.ts"
import { diagnostic } from "../../../events/intents.ts"
import { deadlineOf } from "../../agents/deadline.ts"
import { makePast } from "../../history/makePast.ts"
import { makeRecall } from "../../history/recall.ts"
import { openSpool } from "../../log/spool/spoolWriter.ts"
import { digestOf } from "../../state/digest.ts"
import { digestKey } from "../../state/state.ts"
import { type Edge, performed } from "../Edge.ts"
import { monotonic } from "../elapsed.ts"
import { allowedEnvironment } from "../environment.ts"
import { handleHere } from "../handleHere.ts"
import { captureStreams } from "../noise.ts"
import { type InvocationEnd, type InvocationPorts, type Opening, runInvocation } from "../runInvocation.ts"
import { makeHandlerServices } from "../services/handlerServices.ts"
import { startHost } from "../startHost.ts"
import type { OwnHooks } from "./hooksFor.ts"
import { dispatchSources as sources } from "./sources.ts"

export interface RunHere extends Pick<InvocationPorts, "adapter" | "agentEvent" | "isRaised" | "read"> {
  readonly id: InvocationId
  readonly state: string
  readonly project: string
  readonly cwd: string
  readonly env: (name: string) => string | undefined
  readonly hooks: OwnHooks
  /** The client's id of the call. */
  readonly call?: string
  readonly route?: Opening["route"]
  /** Default: whoever asked has the answer. */
  readonly edge?: Edge
  readonly client?: Opening["client"]
}

/** A spool that cannot be written is an error. */
export const runHere = async (asked: RunHere): Promise<InvocationEnd> => {
  const { adapter, agentEvent, call, client, cwd, env, hooks, id, project, route, state } = asked
  const began = monotonic()
  const elapsed = () => monotonic() - began
  const {
    build,
    config,
    deadlineMs = deadlineOf({ agent: adapter.agent, agentEvent }, {}),
    problem,
    registry,
    runEffect
  } = hooks
  const spool = openSpool(state, id)
  const noise = captureStreams(process)
  const { handling, release } = handleHere({
    state,
    invocation: id,
    ...(call === undefined ? {} : { call }),
    adapter,
    agentEvent,
    cwd,
    project,
    timestamp: new Date(sources.now()).toISOString(),
    deadlineMs,
    registry,
    handlerServices: () => makeHandlerServices,
    past: makePast({ state, recall: () => makeRecall }),
    notices: problem === undefined ? [] : [diagnostic("warn", problem)],
    noise,
    runEffect,
    elapsed
  })
  try {
    const end = await runInvocation({
      id,
      adapter,
      agent: adapter.agent,
      agentEvent,
      opening: {
        transport: "entry",
        cwd,
        project,
        env: allowedEnvironment(env),
        build,
        config,
        deadlineMs,
        call,
        route,
        client
      },
      handling,
      sink: {
        append: (drafts) => drafts.forEach(spool.append),
        close: spool.close,
        complaint: () => ""
      },
      edge: asked.edge ?? { deliver: performed },
      sources,
      read: asked.read,
      digest: (rejected) => digestOf(digestKey(state), rejected),
      elapsed,
      ...(asked.isRaised === undefined ? {} : { isRaised: asked.isRaised })
    })
    if (end.hasJobs && process.env["HOOKTAPE_HOST"] !== "off") startHost(state)
    return end
  } finally {
    release()
    noise.restore()
    spool.close()
  }
}
