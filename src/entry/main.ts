/** The in-process entrypoint: one hook call from standard input to exit code, recorded in the spool. */
import * as Micro from "effect/Micro"
import { exitCodes } from "../../events/exitCodes.ts"
import type { InvocationFact } from "../../events/facts.ts"
import type { InvocationId } from "../../events/ids.ts"
import { diagnostic, type Intent } from "../../events/intents.ts"
import { invocation } from "../../machines/invocation.ts"
import type { Encoded } from "../adapters/Adapter.ts"
import { drive } from "../engine/drive.ts"
import { makeEdge, tryWrite } from "../engine/Edge.ts"
import { monotonic } from "../engine/elapsed.ts"
import { asError, errorOf } from "../engine/errors.ts"
import { makeHandling } from "../engine/handling.ts"
import { makeInterpreter } from "../engine/interpret.ts"
import { isolate } from "../engine/isolate.ts"
import { captureFiles, captureStreams, type Noise } from "../engine/noise.ts"
import { hintFor } from "../engine/notices.ts"
import { payloadLimit } from "../engine/payload.ts"
import { invocationId, makeRecorder, type Sources } from "../engine/recorder.ts"
import { fold } from "../engine/reply.ts"
import { readPayload } from "../engine/stdin.ts"
import { jobsOf } from "../jobs/enqueue.ts"
import { messageOf } from "../log/messageOf.ts"
import { redact } from "../log/redact.ts"
import { openSpool, type SpoolWriter } from "../log/spoolWriter.ts"
import { digestKey } from "../log/state.ts"
import { endUnreachable } from "../log/unreachable.ts"
import { type Call, handedOver } from "./call.ts"
import { allowedEnvironment } from "./environment.ts"
import { failLoud } from "./failLoud.ts"
import { httpReady } from "./httpReady.ts"
import { type EntryOptions, pastOf, receiver } from "./options.ts"
import { asProbe } from "./probe.ts"
import { startHost } from "./startHost.ts"

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

/** Where facts go. When the spool cannot be written the hook is handled all the same, and the operator is told. */
const openRecord = (call: Call, id: InvocationId, notes: Intent[]): SpoolWriter | undefined => {
  try {
    return openSpool(call.state, id)
  } catch (error) {
    notes.push(diagnostic("error", `this hook call is not recorded: ${messageOf(error)}`))
    return undefined
  }
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
  const edge = makeEdge(call)
  const leave = (code: number): never => {
    call.ended()
    return reallyExit.call(process, code)
  }
  if (!adapter) {
    // Wrong usage: no hook can run, and no agent waits for an answer that it would understand.
    const known = Object.keys(options.adapters).join(", ")
    edge.deliver(
      {
        stdout: "",
        stderr: `hooktape: no agent is called ${call.agent}. Known: ${known}.\n`,
        exitCode: exitCodes.failure,
        carried: {}
      },
      ""
    )
    leave(exitCodes.failure)
    return
  }

  const alreadySaid = (hint: string) =>
    options.notices?.some((notice) => notice.type === "USER_HINT" && notice.text === hint) === true
  const notices: Intent[] = [
    ...(options.notices ?? []),
    ...call.remarks.map((remark) => diagnostic("warn", remark)),
    ...call.hints.filter((hint) => !alreadySaid(hint)).map((hint) => hintFor(adapter, call.agentEvent, hint))
  ]
  const noise = captureFor(call)
  const id = call.invocation ?? invocationId(sources)
  const dress = makeRecorder(sources, id, {
    agent: call.agent,
    agentEvent: call.agentEvent,
    project: call.project
  })
  let spool = openRecord(call, id, notices)
  let complaint = ""
  let hasJobs = false
  const record = (fact: InvocationFact): void => {
    try {
      const draft = dress(fact)
      spool?.append(redact(draft))
      for (const job of jobsOf(draft)) {
        spool?.append(redact(job))
        hasJobs = true
      }
    } catch (error) {
      try {
        // Nothing is left of a file that took nothing.
        spool?.close()
      } catch {
        // What it took is read once this process is gone.
      }
      spool = undefined
      complaint = `hooktape error: this hook call is not recorded completely: ${messageOf(error)}\n`
    }
  }

  const elapsed = () => monotonic() - call.began
  const isolation = isolate((error, owner) => handling.stray(error, owner))
  const handling = makeHandling({
    state: call.state,
    recorded: call.recorded,
    invocation: id,
    call: call.id,
    adapter,
    agentEvent: call.agentEvent,
    cwd: call.cwd,
    project: call.project,
    timestamp: new Date(sources.now()).toISOString(),
    deadlineMs: call.deadlineMs,
    aid: options.aid,
    past: call.past ?? pastOf(options, call.state),
    registry: process.env["HOOKTAPE_PROBE"] === "1" ? options.registry.map(asProbe) : options.registry,
    notices,
    noise,
    isolation,
    runEffect: options.runEffect,
    elapsed
  })
  const { interpret } = makeInterpreter({
    adapter,
    agentEvent: call.agentEvent,
    transport: "command",
    handling,
    read: (deadlineMs) => readPayload({ descriptor: 0, deadlineMs, limit: payloadLimit, now: monotonic }),
    digest: digestWith(call.state),
    edge: failLoud({
      edge,
      state: call.state,
      who: id,
      isRecorded: () => spool !== undefined,
      env: process.env
    }),
    logLevel: process.env["HOOKTAPE_LOG_LEVEL"],
    elapsed
  })

  const opened: InvocationFact = {
    type: "INVOCATION_OPENED",
    invocation: id,
    agent: call.agent,
    agentEvent: call.agentEvent,
    transport: "entry",
    cwd: call.cwd,
    project: call.project,
    env: allowedEnvironment(process.env),
    runtime: `node ${process.version} ${process.platform}-${process.arch}`,
    build: options.build,
    ...(options.config === undefined ? {} : { config: options.config }),
    deadlineMs: call.deadlineMs,
    pid: process.pid,
    ...(call.id === undefined ? {} : { call: call.id })
  }
  let code = 0
  const driver = {
    record: (fact: InvocationFact) =>
      Micro.sync(() => {
        if (fact.type === "EXITED") code = fact.code
        // However the process comes to its end, it is with this.
        process.exitCode = code
        record(fact)
      }),
    interpret,
    refused: (fact: InvocationFact) =>
      handling.stray(new Error(`the invocation did not take ${fact.type} where it stood`), undefined)
  }
  process.on("beforeExit", handling.abandon)
  Micro.runPromiseExit(drive(invocation, driver, opened)).then((exit) => {
    if (exit._tag === "Failure") failOpen(exit.cause)
    try {
      spool?.close()
      if (spool !== undefined) endUnreachable(call.state, id)
    } catch {
      // What was appended is in the file; only its closing name is missing, and readers take it by its writer's death.
    }
    noise.restore()
    isolation.release()
    // On a blocking exit standard error is the model's.
    if (complaint !== "" && code === 0) tryWrite(call.stderr, complaint)
    // A native client has seen to it that a session finds its host.
    const isFirst = call.agentEvent === "SessionStart" && call.id === undefined
    if ((hasJobs || isFirst) && process.env["HOOKTAPE_HOST"] !== "off") startHost(call.state)
    if (call.agentEvent !== "SessionStart" || process.env["HOOKTAPE_HOST"] === "off") return leave(code)
    return httpReady(call.state).then(() => leave(code))
  })

  /** A defect of our own: the agent goes on, and the operator reads what happened. */
  const failOpen = (cause: unknown): void => {
    const error = asError(cause)
    const said = diagnostic("error", `this hook was not handled: ${error.message}. Run "hooktape doctor".`)
    let reply: Encoded = { stdout: "", stderr: "", exitCode: exitCodes.success, carried: {} }
    code = 0
    try {
      reply = adapter.encode(call.agentEvent, "command", fold([said]))
      edge.deliver(reply, "")
    } catch {
      // The reply had already left when the defect struck, or the defect is in the adapter itself.
    }
    const { stdout, stderr, exitCode } = reply
    record({ type: "DELIVERY_FAILED", stdout, stderr, exitCode, channels: [], error: errorOf(error) })
  }
}
