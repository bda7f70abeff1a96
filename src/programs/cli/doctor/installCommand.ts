/** The whole command that sets hooktape up, for the agent that is there. */
import { installAgents } from "../../../tools/install/dialects.ts"
import { foundAgents } from "../../../tools/install/foundAgents.ts"

/** Of an agent that has a folder of its own in the home directory; else of any that we know. */
export const runInstall = (env: NodeJS.ProcessEnv = process.env): string => {
  const there = foundAgents(env)
  const [first, ...others] = there.length === 0 ? installAgents : there
  const or = others.length === 0 ? "" : `, or with ${others.join(", ")} in its place`
  return `Run "hooktape install --agent ${first}"${or}.`
}
