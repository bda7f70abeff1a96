/** The whole command that sets hooktape up, for the agent that is there. */
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { userHome } from "../../../state/state.ts"
import { type InstallAgent, installAgents, settingsFile } from "../../../tools/install/dialects.ts"

const isThere = (agent: InstallAgent, env: NodeJS.ProcessEnv): boolean => {
  const file = settingsFile({ agent, scope: "user", home: userHome(env), project: process.cwd(), env })
  return file._tag === "Right" && existsSync(dirname(file.right))
}

/** Of an agent that has a folder of its own in the home directory; else of any that we know. */
export const runInstall = (env: NodeJS.ProcessEnv = process.env): string => {
  const there = installAgents.filter((agent) => isThere(agent, env))
  const [first, ...others] = there.length === 0 ? installAgents : there
  const or = others.length === 0 ? "" : `, or with ${others.join(", ")} in its place`
  return `Run "hooktape install --agent ${first}"${or}.`
}
