/** How a call that nobody could handle is said aloud: where exit code 2 harms nothing by it, elsewhere by a message to the human. */
import type { Agent } from "../../events/agentEvents.ts"
import { agents } from "../../events/agentEvents.ts"
import type { Adapter } from "../agents/Adapter.ts"
import { empty } from "../agents/reply.ts"
import { unreachableMessage } from "../log/spool/unreachable.ts"

/**
 * By their native names. At any other event exit code 2 does something: it wakes the agent that is about to stop, swallows a prompt,
 * stops a tool, hides a result.
 */
export const loudByExit: readonly string[] = ["Setup", "SessionStart", "PostToolUse"]

/** The agent's document with a message for the human, or undefined where it has no field for one. */
export const messageDocument = (adapter: Adapter, event: string, text: string): string | undefined => {
  const { carried, stdout } = adapter.encode(event, "command", { ...empty, hints: [text.trimEnd()] })
  return carried.hint !== undefined && "channel" in carried.hint ? stdout : undefined
}

/** A document, with `%d` for the count, and the calls (`agent event`) at which it is said. */
export interface LoudGroup {
  readonly document: string
  readonly calls: readonly string[]
}

/** What client and launcher say, who cannot ask an adapter. */
export const loudGroups = (adapters: Readonly<Record<Agent, Adapter>>): readonly LoudGroup[] => {
  const groups = new Map<string, string[]>()
  const text = unreachableMessage("%d")
  for (const agent of agents)
    for (const event of Object.keys(adapters[agent].events)) {
      const document = loudByExit.includes(event) ? undefined : messageDocument(adapters[agent], event, text)
      if (document === undefined) continue
      groups.set(document, [...(groups.get(document) ?? []), `${agent} ${event}`])
    }
  return [...groups].map(([document, calls]) => ({ document, calls }))
}
