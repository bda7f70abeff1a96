/** What a command's answer means to GitHub Copilot CLI (as of 1.0.102). */
import { blockingFeedback, modelContext } from "../../../events/intents.ts"
import { failedWith, means, objectAt, objectIn, type ReadAnswer, textAt, unread } from "./Answer.ts"

const keys = [
  "additionalContext",
  "decision",
  "reason",
  "permissionDecision",
  "permissionDecisionReason",
  "modifiedArgs",
  "modifiedResult"
]

export const copilotAnswer: ReadAnswer = (event, answer) => {
  const { exitCode, stderr, stdout } = answer
  // Any other end than 0 denies a call; Copilot CLI drops the reason, and here the model may read it.
  if (exitCode !== 0)
    return event === "PreToolUse" && exitCode === 2
      ? means(blockingFeedback(stderr.trim()))
      : failedWith(answer)
  if (stdout.trim() === "") return means()
  const document = objectIn(stdout)
  if (document === undefined) return { failed: "answered with what is not a JSON object" }
  const permission = textAt(document, "permissionDecision")
  const why = textAt(document, "permissionDecisionReason") ?? ""
  const context = textAt(document, "additionalContext")
  const input = objectAt(document, "modifiedArgs")
  const output = textAt(objectAt(document, "modifiedResult"), "textResultForLlm")
  return means(
    permission === "deny" ? blockingFeedback(why) : undefined,
    textAt(document, "decision") === "block" ? blockingFeedback(textAt(document, "reason") ?? "") : undefined,
    permission === "allow" ? modelContext({ permission: "allow" }) : undefined,
    permission === "ask" ? modelContext({ permission: "ask", reason: why }) : undefined,
    context === undefined ? undefined : modelContext(context),
    input === undefined ? undefined : modelContext({ updatedInput: input }),
    output === undefined ? undefined : modelContext({ updatedOutput: output }),
    ...unread(document, keys)
  )
}
