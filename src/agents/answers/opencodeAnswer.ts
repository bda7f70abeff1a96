/** What a command's answer means to our plugin in OpenCode: the document that hooktape writes for it, or exit code 2. */
import { blockingFeedback, modelContext, userHint } from "../../../events/intents.ts"
import { failedWith, means, objectAt, objectIn, type ReadAnswer, textAt, unread } from "./Answer.ts"

const keys = ["context", "decision", "reason", "args", "output", "hint"]

export const opencodeAnswer: ReadAnswer = (_event, answer) => {
  const { exitCode, stderr, stdout } = answer
  if (exitCode === 2) return means(blockingFeedback(stderr.trim()))
  if (exitCode !== 0) return failedWith(answer)
  const document = objectIn(stdout)
  if (document === undefined)
    return stdout.trim() === "" ? means() : { failed: "answered with what is not a JSON object" }
  const context = textAt(document, "context")
  const input = objectAt(document, "args")
  const output = textAt(document, "output")
  const hint = textAt(document, "hint")
  return means(
    textAt(document, "decision") === "block" ? blockingFeedback(textAt(document, "reason") ?? "") : undefined,
    context === undefined ? undefined : modelContext(context),
    input === undefined ? undefined : modelContext({ updatedInput: input }),
    output === undefined ? undefined : modelContext({ updatedOutput: output }),
    hint === undefined ? undefined : userHint(hint),
    ...unread(document, keys)
  )
}
