/** Which agents somebody has: those whose own folder is in the home directory. */
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { userHome } from "../../state/state.ts"
import { dialects, type InstallAgent, installAgents, settingsFile } from "./dialects.ts"

const isThere = (agent: InstallAgent, env: NodeJS.ProcessEnv): boolean => {
  const home = userHome(env)
  const own = dialects[agent].folder?.({ home })
  if (own !== undefined) return existsSync(own)
  const file = settingsFile({ agent, scope: "user", home, project: process.cwd(), env })
  return file._tag === "Right" && existsSync(dirname(file.right))
}

export const foundAgents = (env: NodeJS.ProcessEnv): readonly InstallAgent[] =>
  installAgents.filter((agent) => isThere(agent, env))
