/** For each slot a reply that fills it: asking an adapter with these tells what it carries. */
import type { Tool } from "../../events/agentEvents.ts"
import { empty, type Reply, type Slot } from "./reply.ts"

/** The least reply that fills one slot, with whatever else it needs to be granted. */
export const probes: { readonly [S in Slot]: Reply } = {
  context: { ...empty, contexts: ["text"] },
  permission: { ...empty, permission: "allow" },
  input: { ...empty, permission: "allow", updatedInput: { command: "false" } },
  output: { ...empty, updatedOutput: { value: "text" } },
  hint: { ...empty, hints: ["text"] },
  block: { ...empty, blocks: ["reason"] },
  diagnostic: { ...empty, diagnostics: [{ type: "DIAGNOSTIC", level: "info", message: "text" }] },
  exit: { ...empty, exit: 1 }
}

/** A call for replies that change one. */
export const probeTool: Tool = { kind: "shell", name: "Bash", command: "true", input: { command: "true" } }
