/** What a transcript tells, as facts on their way to the log: with an id that is the same whenever and wherever it is read. */
import { hash } from "node:crypto"
import { existsSync } from "node:fs"
import type { Agent } from "../../../events/agentEvents.ts"
import type { FactId } from "../../../events/ids.ts"
import { makeDraft } from "../../../events/makeDraft.ts"
import { observedStream } from "../../../events/observedStream.ts"
import type { Draft } from "../../../events/Recorded.ts"
import type { Seen } from "../../agents/transcripts/Transcript.ts"
import { findProject } from "../../state/project.ts"

/** A UUID of version 8, which RFC 9562 leaves to its maker: 122 bits of a digest. */
export const idOf = (agent: Agent, identity: string): FactId => {
  const hex = hash("sha256", `${agent}\0${identity}`, "hex")
  const variant = ((Number.parseInt(hex[16] as string, 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}` as FactId
}

/** The event at which a hook would have been given this. */
const events: Readonly<Record<Seen["fact"]["type"], string | null>> = {
  TOOL_CALL_OBSERVED: "tool.after",
  TOOL_CALL_SETTLED: "tool.after",
  PROMPT_OBSERVED: "prompt.submit",
  ANSWER_OBSERVED: "model.after",
  USAGE_OBSERVED: "model.after",
  HOOK_RUN_OBSERVED: null,
  TURN_INTERRUPTED: "turn.interrupt",
  HOOK_CALL_MISSED: null,
  DENIAL_IGNORED: null,
  TRANSCRIPT_RECONCILED: null
}

const projectOf = (cwd: string): string => (existsSync(cwd) ? findProject(cwd) : cwd)

const maxSessions = 1000

/** Remembers the project of each session: that of the directory in which it was first seen. */
export const makeToDraft = (agent: Agent) => {
  const projects = new Map<string, string>()
  return ({ at, fact, identity, session }: Seen): Draft<Seen["fact"]> => {
    if (!projects.has(session) && fact.cwd !== undefined) {
      if (projects.size >= maxSessions) projects.clear()
      projects.set(session, projectOf(fact.cwd))
    }
    return makeDraft(fact, {
      id: idOf(agent, identity),
      stream: observedStream(agent, session),
      at,
      marks: {
        agent,
        event: events[fact.type],
        session,
        project: projects.get(session) ?? null,
        toolUseId: "call" in fact ? (fact.call ?? null) : null
      }
    })
  }
}
