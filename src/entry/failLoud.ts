/** What is recorded nowhere might as well not have been handled: from the threshold on it is said so that nobody overlooks it. */
import { exitCodes } from "../../events/exitCodes.ts"
import type { Encoded } from "../adapters/Adapter.ts"
import type { Edge } from "../engine/Edge.ts"
import { countUnreachable, failLoudThreshold, unreachableMessage } from "../log/unreachable.ts"

export interface FailLoud {
  readonly edge: Edge
  readonly state: string
  readonly who: string
  readonly isRecorded: () => boolean
  readonly env: NodeJS.ProcessEnv
}

/** By exit code, or as JSON. */
const isBlock = ({ carried: { block }, exitCode }: Encoded): boolean =>
  exitCode === exitCodes.blocking || (block !== undefined && "channel" in block)

export const failLoud = ({ edge, state, who, isRecorded, env }: FailLoud): Edge => {
  const orLoud = (reply: Encoded): Encoded => {
    const threshold = failLoudThreshold(env)
    const count = countUnreachable(state, who, "no-record", threshold) ?? 0
    // A hook that blocks anyway says why; else this is one of the two cases in which a hook call ends with 2.
    if (count < threshold || isBlock(reply)) return reply
    return { stdout: "", stderr: unreachableMessage(count), exitCode: exitCodes.blocking, carried: {} }
  }
  return { deliver: (reply, noise) => edge.deliver(isRecorded() ? reply : orLoud(reply), noise) }
}
