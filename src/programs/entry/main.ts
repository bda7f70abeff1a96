/** The in-process entrypoint: one hook call from standard input to exit code, recorded in the spool. */
import { exitCodes } from "../../../events/exitCodes.ts"
import { invocationId, type Sources } from "../../../events/ids.ts"
import { marginOf } from "../../agents/deadline.ts"
import { failureHintsFor } from "../../history/failureHints.ts"
import { type EntryOptions, pastOf, receiver } from "../../runtime/builds/options.ts"
import { type Call, handedOver } from "../../runtime/call.ts"
import { makeEdge, neutral } from "../../runtime/Edge.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import { allowedEnvironment } from "../../runtime/environment.ts"
import { handleHere } from "../../runtime/handleHere.ts"
import { captureFiles, captureStreams, type Noise } from "../../runtime/noise.ts"
import { noticesOf } from "../../runtime/notices.ts"
import { payloadLimit } from "../../runtime/payload.ts"
import { registryFor } from "../../runtime/registryFor.ts"
import { runInvocation } from "../../runtime/runInvocation.ts"
import { keepStandardStreams } from "../../runtime/standardStreams.ts"
import { startHost } from "../../runtime/startHost.ts"
import { readPayload } from "../../runtime/stdin.ts"
import { isShippedSource } from "../../state/shippedSource.ts"
import { digestKey } from "../../state/state.ts"
import { failLoud } from "./failLoud.ts"
import { openHold } from "./hold.ts"
import { httpReady } from "./httpReady.ts"
import { keepReply } from "./keepReply.ts"
import { spoolSink } from "./spoolSink.ts"
import { startsSession } from "./startsSession.ts"
import { threadHold } from "./threadHold.ts"

/** Ids have to differ, not to be secret: the engine's generator is seeded by the system, and loading `node:crypto` costs milliseconds. */
const sources: Sources = {
  now: Date.now,
  random: (count) => Uint8Array.from({ length: count }, () => Math.random() * 256)
}

const captureFor = (call: Call): Noise => {
  if (call.noise !== undefined) {
    try {
      return captureFiles(call.noise)
    } catch {
      // The launcher's files are gone: what can still be kept apart is kept apart.
    }
  }
  return captureStreams(process)
}

/** Only what is turned down is digested here; loading `node:crypto` costs more than all the rest of a call. */
const digestWith = (state: string) => (bytes: Uint8Array) => {
  try {
    const { createHmac } = process.getBuiltinModule("node:crypto")
    return createHmac("sha256", digestKey(state)).update(bytes).digest("hex")
  } catch {
    return ""
  }
}

/** Runs the hook call that the loader handed over, then ends the process. */
export const main = (options: EntryOptions): void => {
  const receive = receiver()
  if (receive) {
    receive(options)
    return
  }
  const call = handedOver()
  const { reallyExit } = process as NodeJS.Process & { reallyExit: (code: number) => never }
  const adapter = Object.hasOwn(options.adapters, call.agent) ? options.adapters[call.agent] : undefined
  const exit = (code: number): never => reallyExit.call(process, code)
  const hold = openHold(call.hold) ?? threadHold({ agent: call, state: call.state, exit })
  const edge = makeEdge(hold.say)
  const leave = (code: number): never => {
    call.ended()
    return exit(code)
  }
  if (!adapter) {
    // Wrong usage: no hook can run, and no agent waits for an answer that it would understand.
    const known = Object.keys(options.adapters).join(", ")
    const stderr = `hooktape: no agent is called ${call.agent}. Known: ${known}.\n`
    edge.deliver({ ...neutral, stderr, exitCode: exitCodes.failure }, "")
    leave(exitCodes.failure)
    return
  }

  const id = call.invocation ?? invocationId(sources)
  const noise = captureFor(call)
  keepStandardStreams()
  const sink = spoolSink(call.state, id)
  const elapsed = () => monotonic() - call.began
  const { agentEvent } = call
  const logLevel = process.env["HOOKTAPE_LOG_LEVEL"]
  const registered = (name: string) => options.registry.find(({ hook }) => hook.name === name)
  const kept = keepReply({
    hold,
    adapter,
    agentEvent,
    logLevel,
    sources,
    deadlineMs: call.deadlineMs,
    marginMs: marginOf(call, (call.client?.beforeUs ?? 0) / 1000),
    elapsed,
    spool: `${id}.ndjson`,
    isForeign: (name) => !isShippedSource(registered(name)?.source),
    hasRescue: (name) => registered(name)?.hook.onError !== undefined
  })
  const { handling, release } = handleHere({
    state: call.state,
    recorded: call.recorded,
    late: call.late,
    invocation: id,
    call: call.id,
    adapter,
    agentEvent,
    cwd: call.cwd,
    project: call.project,
    timestamp: new Date(sources.now()).toISOString(),
    deadlineMs: call.deadlineMs,
    ranIn: { kind: "entry", pid: process.pid },
    handlerServices: options.aid,
    past: call.past ?? pastOf(options, call.state),
    ...registryFor({ ...call, adapter, options, transport: "command" }),
    notices: [
      ...noticesOf({
        adapter,
        agentEvent,
        transport: "command",
        notices: options.notices,
        warnings: call.remarks,
        hints: call.hints
      }),
      ...sink.notices
    ],
    noise,
    mend: kept.mend,
    runEffect: options.runEffect,
    elapsed
  })
  process.on("beforeExit", handling.abandon)

  let code: number = exitCodes.success
  runInvocation({
    id,
    adapter,
    agent: call.agent,
    agentEvent,
    opening: {
      transport: "entry",
      cwd: call.cwd,
      project: call.project,
      env: allowedEnvironment((name) => process.env[name]),
      build: call.build,
      config: call.config,
      deadlineMs: call.deadlineMs,
      call: call.id,
      client: call.client
    },
    handling: kept.handling(handling),
    sink: kept.sink(sink),
    edge: failLoud({
      edge: kept.edge(edge),
      adapter,
      agentEvent,
      state: call.state,
      who: id,
      isRecorded: sink.isRecorded,
      env: process.env
    }),
    sources,
    read: (deadlineMs) => readPayload({ descriptor: 0, deadlineMs, limit: payloadLimit, now: monotonic }),
    digest: digestWith(call.state),
    logLevel,
    failureHints: call.failureHints ?? failureHintsFor(call.state, process.env["HOOKTAPE_FAILURE_HINTS"]),
    elapsed,
    onStep: kept.follow,
    instead: kept.instead,
    onFact: (fact) => {
      if (fact.type === "EXITED") code = fact.code
      // However the process comes to its end, it is with this.
      process.exitCode = code
    }
  }).then(({ complaint, delivery, hasJobs }) => {
    noise.restore()
    release()
    hold.say("stderr", complaint)
    const isFirst = startsSession(adapter, agentEvent)
    const mayStart = process.env["HOOKTAPE_HOST"] !== "off"
    // A native client has seen to it that a session finds its host.
    if (mayStart && (hasJobs || (isFirst && call.id === undefined))) startHost(call.state)
    if (!mayStart || !isFirst) return leave(delivery.exitCode)
    return httpReady(call.state).then(() => leave(delivery.exitCode))
  })
}
