/** What the launcher on Windows answers where what it is to start is gone: as `gone` in src/tools/install/launcher.ts. */
import { exitCodes } from "../../../events/exitCodes.ts"
import { adapters } from "../../agents/adapters.ts"
import { countUnreachable, failLoudThreshold, unreachableMessage } from "../../log/spool/unreachable.ts"
import { loudByExit, messageDocument } from "../../runtime/loudReply.ts"

export interface Gone {
  readonly agent: string
  readonly event: string
  readonly state: string
  /** The file that is not there. */
  readonly gone: string
  readonly env: NodeJS.ProcessEnv
}

interface Reply {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

const loud = (agent: string, event: string, message: string): Reply => {
  // At these events what a hook blocks with harms nothing, and is not overlooked.
  if (loudByExit.includes(event)) return { stdout: "", stderr: message, exitCode: exitCodes.blocking }
  const adapter = Object.entries(adapters).find(([name]) => name === agent)?.[1]
  const isKnown = adapter !== undefined && Object.hasOwn(adapter.events, event)
  const stdout = isKnown ? messageDocument(adapter, event, message) : undefined
  return { stdout: stdout ?? "", stderr: "", exitCode: exitCodes.success }
}

/** Counts the call as one that nobody handled. */
export const goneReply = ({ agent, env, event, gone, state }: Gone): Reply => {
  const threshold = failLoudThreshold(env)
  const who = `${Math.floor(Date.now() / 1000)}.${process.pid}`
  const count = countUnreachable(state, who, "no-runtime", threshold) ?? 0
  if (count >= threshold) return loud(agent, event, unreachableMessage(String(count)))
  // No hook can run at all: the one case for which 1 is the answer.
  return {
    stdout: "",
    stderr: `hooktape: ${gone} is gone. Run "hooktape install" again.\n`,
    exitCode: exitCodes.failure
  }
}
