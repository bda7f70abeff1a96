/** Where a command runs: some agents let the model say it, beside the command. */
import { resolve } from "node:path"
import type { Tool } from "../../../events/agentEvents.ts"
import { stringAt } from "../../agents/toolCall.ts"
import { callEnvironment, type Environment } from "../../state/callEnvironment.ts"
import { userHome } from "../../state/state.ts"

/** Codex, Gemini CLI, and what Gemini CLI called it before; and as tools of servers have it. */
const fields = [
  "workdir",
  "dir_path",
  "directory",
  "cwd",
  "working_directory",
  "workingDirectory",
  "working_dir"
]

export const directoryOf = (
  tool: Tool,
  cwd: string,
  environment: Environment = callEnvironment()
): string => {
  if (tool.kind === "edit") return cwd
  const said = fields.map((field) => stringAt(tool.input, field)).find((text) => text !== undefined)
  return said === undefined || said.includes("\0")
    ? cwd
    : resolve(
        cwd,
        said.replace(/^~(?=\/|$)/, () => userHome(environment))
      )
}
