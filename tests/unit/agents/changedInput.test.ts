/** A changed input is laid over the tool's own, or is all of it, where a hook says so. */
import { expect, it } from "vitest"
import { modelContext } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { fold } from "../../../src/agents/reply.ts"

const tool = { kind: "shell", name: "Bash", input: { command: "rm x", timeout: 5 }, command: "rm x" } as const
const said = (agent: "claude-code" | "codex", replacesInput: boolean) => {
  const change = { permission: "allow", updatedInput: { command: "ls" } } as const
  const reply = fold([modelContext(replacesInput ? { ...change, replacesInput } : change)])
  const { stdout } = adapters[agent].encode("PreToolUse", "command", reply, tool)
  return JSON.parse(stdout).hookSpecificOutput.updatedInput
}

it.each(["claude-code", "codex"] as const)(
  "%s gets the tool's own fields along, unless the whole is replaced",
  (agent) => {
    expect(said(agent, false)).toEqual({ command: "ls", timeout: 5 })
    expect(said(agent, true)).toEqual({ command: "ls" })
  }
)
