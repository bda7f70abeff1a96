/** What a command's answer means to Kiro, as its pages have it: standard output is for the model, as it stands. */
import { blockingFeedback, modelContext } from "../../../events/intents.ts"
import { failedWith, means, objectIn, type ReadAnswer, textAt } from "./Answer.ts"

const blocks: readonly string[] = ["UserPromptSubmit", "PreToolUse"]
const told: readonly string[] = ["SessionStart", "UserPromptSubmit"]

export const kiroAnswer: ReadAnswer = (event, answer) => {
  const { exitCode, stderr, stdout } = answer
  if (exitCode === 2 && blocks.includes(event)) return means(blockingFeedback(stderr.trim()))
  if (exitCode !== 0) return failedWith(answer)
  const text = stdout.trim()
  if (event !== "Stop") return text === "" || !told.includes(event) ? means() : means(modelContext(text))
  const document = objectIn(text)
  return textAt(document, "decision") === "block"
    ? means(blockingFeedback(textAt(document, "reason") ?? ""))
    : means()
}
