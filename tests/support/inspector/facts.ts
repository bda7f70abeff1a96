/** The facts that a made-up call would have left on the log, so that its page shows what the read model tells of them. */
import type { InvocationFact, Planned } from "../../../events/facts.ts"
import type { FactId, InvocationId, SessionId } from "../../../events/ids.ts"
import type { Intent } from "../../../events/intents.ts"
import { noMarks, type Recorded } from "../../../events/Recorded.ts"
import type { Call, HookRun } from "../../../src/features/inspector/contract/call.ts"

const plannedOf = ({ event, hook }: HookRun, index: number): Planned => ({
  handler: hook,
  event,
  index,
  priority: 500,
  deadlineMs: 1000,
  onFailure: "allow",
  source: `/home/dev/.config/hooktape/hooks/${hook}.ts`
})

const intentsOf = ({ decision, reason, said }: HookRun): readonly Intent[] => {
  if (decision === "block") return [{ type: "BLOCKING_FEEDBACK", reason: reason ?? "" }]
  return said.includes("MODEL_CONTEXT")
    ? [{ type: "MODEL_CONTEXT", text: "2 types do not fit any more" }]
    : []
}

const endOf = (run: HookRun, index: number, fromUs: number): InvocationFact => {
  const ran = {
    handler: run.hook,
    event: run.event,
    index,
    attempt: 1,
    fromUs,
    process: { kind: "host" as const, pid: 4242 },
    ms: run.ms ?? 0
  }
  if (run.outcome === "failed")
    return {
      type: "HANDLER_FAILED",
      ...ran,
      error: { name: "TypeError", message: run.reason ?? "" },
      policy: "allow"
    }
  if (run.outcome === "timed-out")
    return { type: "HANDLER_TIMED_OUT", ...ran, deadlineMs: 1000, policy: "allow" }
  return { type: "HANDLER_SUCCEEDED", ...ran, intents: intentsOf(run) }
}

export const payloadText = (call: Call): string =>
  JSON.stringify({
    session_id: call.session,
    hook_event_name: call.agentEvent,
    tool_name: call.tool?.name,
    tool_input: { command: call.subject }
  })

const runsOf = ({ hooks }: Call): readonly InvocationFact[] => {
  let fromUs = 1000
  return hooks.flatMap((run, index): readonly InvocationFact[] => {
    const end = endOf(run, index, fromUs)
    fromUs += Math.round((run.ms ?? 0) * 1000) + 300
    return [{ type: "HANDLER_STARTED", handler: run.hook, event: run.event, index, attempt: 1 }, end]
  })
}

const inOrder = (call: Call): readonly InvocationFact[] => {
  const isBlocked = call.outcome === "blocked"
  const exitCode = isBlocked ? 2 : 0
  const text = payloadText(call)
  return [
    {
      type: "INVOCATION_OPENED",
      invocation: call.invocation as InvocationId,
      agent: call.agent ?? "",
      agentEvent: call.agentEvent ?? "",
      transport: "socket",
      cwd: call.project ?? "/",
      project: call.project ?? "/",
      env: {},
      runtime: "node 20",
      deadlineMs: 60_000,
      pid: 4242
    },
    {
      type: "PAYLOAD_BUFFERED",
      bytes: Buffer.byteLength(text),
      payload: text,
      session: call.session as SessionId | null,
      toolUseId: call.tool?.use ?? null,
      events: []
    },
    { type: "HANDLERS_PLANNED", handlers: call.hooks.map(plannedOf), left: [] },
    ...runsOf(call),
    {
      type: "REPLY_DELIVERED",
      stdout: "",
      stderr: isBlocked ? (call.reason ?? "") : "",
      exitCode,
      channels: isBlocked ? [{ intent: "BLOCKING_FEEDBACK", handler: call.by ?? "", channel: "stderr" }] : []
    },
    {
      type: "EXITED",
      code: exitCode,
      ms: { buffering: 0.3, handling: (call.waitMs ?? 1) - 0.4, emitting: 0.1 }
    }
  ]
}

export const factsOfCall = (call: Call): readonly Recorded<InvocationFact>[] => {
  const facts = inOrder(call)
  return facts.map((data, nth) => ({
    ...noMarks,
    id: `${call.invocation}-${nth}` as FactId,
    stream: `invocation/${call.invocation}`,
    type: data.type,
    schemaVersion: 1,
    at: call.at + ((call.waitMs ?? 1) * nth) / facts.length,
    cause: null,
    position: call.position + nth,
    version: nth + 1,
    source: "sample",
    recordedAt: call.at,
    known: true,
    data
  }))
}
