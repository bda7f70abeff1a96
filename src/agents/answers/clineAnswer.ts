/** What a command's answer means to our plugin in Cline: the document that hooktape writes for it, or exit code 2. */
import { blockingFeedback, modelContext } from "../../../events/intents.ts"
import { failedWith, means, objectAt, objectIn, type ReadAnswer, textAt, unread } from "./Answer.ts"

const keys = ["context", "decision", "reason", "args", "output"]

export const clineAnswer: ReadAnswer = (_event, answer) => {
  const { exitCode, stderr, stdout } = answer
  if (exitCode === 2) return means(blockingFeedback(stderr.trim()))
  if (exitCode !== 0) return failedWith(answer)
  const document = objectIn(stdout)
  if (document === undefined)
    return stdout.trim() === "" ? means() : { failed: "answered with what is not a JSON object" }
  const context = textAt(document, "context")
  const decision = textAt(document, "decision")
  const reason = textAt(document, "reason") ?? ""
  const input = objectAt(document, "args")
  const output = textAt(document, "output")
  return means(
    decision === "block" ? blockingFeedback(reason) : undefined,
    decision === "ask" ? modelContext({ permission: "ask", reason }) : undefined,
    decision === "allow" ? modelContext({ permission: "allow" }) : undefined,
    context === undefined ? undefined : modelContext(context),
    input === undefined ? undefined : modelContext({ updatedInput: input }),
    output === undefined ? undefined : modelContext({ updatedOutput: output }),
    ...unread(document, keys)
  )
}
