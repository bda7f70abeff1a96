/** What a command's answer means to Gemini CLI (as of 0.61.0). */
import { blockingFeedback, type JsonObject, modelContext, userHint } from "../../../events/intents.ts"
import { type Meaning, means, objectAt, objectIn, type ReadAnswer, textAt, unread } from "./Answer.ts"

const topLevel = [
  "continue",
  "stopReason",
  "suppressOutput",
  "systemMessage",
  "decision",
  "reason",
  "hookSpecificOutput"
]
const specificKeys = ["hookEventName", "additionalContext", "tool_input"]

const documentMeans = (event: string, document: JsonObject): Meaning => {
  const specific = objectAt(document, "hookSpecificOutput")
  const word = textAt(document, "decision")
  const reason = textAt(document, "reason") ?? ""
  const context = textAt(specific, "additionalContext")
  const input = objectAt(specific, "tool_input")
  const message = textAt(document, "systemMessage")
  const ends = document["continue"] === false
  const stopReason = textAt(document, "stopReason")
  return means(
    context === undefined ? undefined : modelContext(context),
    input === undefined ? undefined : modelContext({ updatedInput: input }),
    word === "ask" ? modelContext({ permission: "ask", reason }) : undefined,
    ends && event !== "AfterAgent"
      ? blockingFeedback(stopReason ?? reason)
      : !ends && (word === "deny" || word === "block")
        ? blockingFeedback(reason)
        : undefined,
    message === undefined ? undefined : userHint(message),
    ...unread(document, topLevel),
    ...(specific === undefined ? [] : unread(specific, specificKeys))
  )
}

/** A document that stands in a text of JSON is read as well. */
const documentIn = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "string" ? objectIn(value) : objectIn(text)
  } catch {
    return undefined
  }
}

export const geminiCliAnswer: ReadAnswer = (event, { exitCode, stderr, stdout }) => {
  const text = stdout.trim() === "" ? stderr.trim() : stdout.trim()
  const document = documentIn(text)
  if (document !== undefined) return documentMeans(event, document)
  if (exitCode > 1) return means(blockingFeedback(text))
  if (text === "") return means()
  return means(userHint(exitCode === 0 ? text : `Warning: ${text}`))
}
