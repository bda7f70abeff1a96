/** What a command's answer means to VS Code, as its pages and its published source have it. */

import type { JsonObject } from "../../../events/intents.ts"
import { blockingFeedback } from "../../../events/intents.ts"
import { failedWith, means, objectAt, objectIn, type ReadAnswer } from "./Answer.ts"
import { claudeCodeAnswer } from "./claudeCodeAnswer.ts"

/** Exit code 2 is passed over there. */
const cannotBlock: readonly string[] = ["SessionStart", "SubagentStart", "PreCompact"]
const isStop = (event: string): boolean => event === "Stop" || event === "SubagentStop"

/** A refused stop stands one level down; Claude Code has the same words at the top. */
const raised = (document: JsonObject): JsonObject => {
  const { decision, reason, ...specific } = objectAt(document, "hookSpecificOutput") ?? {}
  return decision === undefined
    ? document
    : { ...document, hookSpecificOutput: specific, decision, ...(reason === undefined ? {} : { reason }) }
}

export const vscodeAnswer: ReadAnswer = (event, answer) => {
  const { exitCode, stderr, stdout } = answer
  if (exitCode === 2) return cannotBlock.includes(event) ? means() : means(blockingFeedback(stderr.trim()))
  if (exitCode !== 0) return failedWith(answer)
  const document = objectIn(stdout)
  // Text that is no document reaches nobody.
  if (document === undefined) return means()
  return claudeCodeAnswer(
    event,
    isStop(event) ? { ...answer, stdout: JSON.stringify(raised(document)) } : answer
  )
}
