/** What ends with another code than 0 and is no error: a question that was answered with no, a call that somebody stopped. Pure. */
import { tellingLine } from "../../agents/signature.ts"
import { programsIn } from "../checkpoints/commands.ts"

/** Their code 1 says no; what went wrong has a higher one. */
const asks = /^(?:[ef]?grep|rg|ag|diff|cmp|test|\[\[?|git (?:-C \S+ |--no-pager )*(?:grep|diff))(?: |$)/

const moves = /^(?:cd|pushd) /

/** Of a line with others in it, it is the question's code only where nobody said anything. */
export const saysNo = (command: string, exitCode: number | undefined, message: string): boolean => {
  if (exitCode !== 1) return false
  const programs = programsIn(command).filter((program) => program !== "")
  if (!programs.some((program) => asks.test(program))) return false
  if (tellingLine(message) === "") return true
  return !/\bcd: /.test(message) && programs.every((program) => asks.test(program) || moves.test(program))
}

/** As agents tell it that somebody stopped a call, where they call it an error. */
export const isInterruption = (message: string): boolean =>
  /^\W{0,4}(?:request )?(?:interrupted|aborted|cancell?ed) by (?:the )?user\b/i.test(tellingLine(message))
