/** What a command's answer means to Cursor, to Windsurf, and in the document that hooktape itself writes for any program. */
import { blockingFeedback, exitSignal, modelContext, userHint } from "../../../events/intents.ts"
import {
  documented,
  failedWith,
  means,
  objectAt,
  objectIn,
  type ReadAnswer,
  textAt,
  unread
} from "./Answer.ts"

const cursorKeys = [
  "continue",
  "permission",
  "user_message",
  "agent_message",
  "additional_context",
  "updated_input",
  "updated_mcp_tool_output",
  "followup_message"
]

/** As Cursor's pages have it (August 2026). */
export const cursorAnswer = documented((document) => {
  const permission = textAt(document, "permission")
  const toHuman = textAt(document, "user_message")
  const toModel = textAt(document, "agent_message")
  const context = textAt(document, "additional_context")
  const input = objectAt(document, "updated_input")
  const output = document["updated_mcp_tool_output"]
  const followUp = textAt(document, "followup_message")
  const isBlock = permission === "deny" || document["continue"] === false
  return means(
    isBlock ? blockingFeedback(toModel ?? toHuman ?? "") : undefined,
    followUp === undefined || followUp === "" ? undefined : blockingFeedback(followUp),
    permission === "allow" ? modelContext({ permission: "allow" }) : undefined,
    permission === "ask" ? modelContext({ permission: "ask", reason: toHuman ?? "" }) : undefined,
    context === undefined ? undefined : modelContext(context),
    input === undefined ? undefined : modelContext({ updatedInput: input }),
    output === undefined ? undefined : modelContext({ updatedOutput: output }),
    toHuman === undefined || permission === "ask" || (isBlock && toModel === undefined)
      ? undefined
      : userHint(toHuman),
    ...unread(document, cursorKeys)
  )
})

/** Windsurf reads no document: exit code 2 stops what is about to happen. */
export const windsurfAnswer: ReadAnswer = (event, answer) => {
  if (answer.exitCode === 2 && event.startsWith("pre_")) return means(blockingFeedback(answer.stderr.trim()))
  return answer.exitCode === 0 || answer.exitCode === 2 ? means() : failedWith(answer)
}

const rawKeys = [
  "context",
  "permission",
  "reason",
  "updatedInput",
  "replacesInput",
  "updatedOutput",
  "hints",
  "block",
  "exit"
]

const permissions: readonly unknown[] = [undefined, null, "allow", "ask", "deny"]

/** The document that `hooktape run raw` writes; text alone is for the model. */
export const rawAnswer: ReadAnswer = (_event, answer) => {
  const { exitCode, stderr, stdout } = answer
  const document = objectIn(stdout)
  if (document === undefined) {
    if (exitCode === 2) return means(blockingFeedback(stderr.trim()))
    if (exitCode !== 0) return failedWith(answer)
    return stdout.trim() === "" ? means() : means(modelContext(stdout.trim()))
  }
  if (exitCode !== 0 && exitCode !== 2) return failedWith(answer)
  const context = textAt(document, "context")
  const permission = textAt(document, "permission")
  const reason = textAt(document, "reason") ?? ""
  const isBlock = permission === "deny" || exitCode === 2
  const block = textAt(document, "block") ?? (isBlock ? reason || stderr.trim() : undefined)
  // A decision that nobody can read is none that was made.
  if (block === undefined && !permissions.includes(document["permission"]))
    return { failed: 'answered with a `permission` that is not "allow", "ask" or "deny"' }
  const hints = Array.isArray(document["hints"]) ? document["hints"] : []
  const change = {
    ...(permission === "allow" ? { permission: "allow" as const } : {}),
    ...(permission === "ask" ? { permission: "ask" as const, reason } : {}),
    ...(objectAt(document, "updatedInput") === undefined
      ? {}
      : {
          updatedInput: objectAt(document, "updatedInput") ?? {},
          ...(document["replacesInput"] === true ? { replacesInput: true } : {})
        }),
    ...(document["updatedOutput"] === undefined ? {} : { updatedOutput: document["updatedOutput"] })
  }
  const exit = document["exit"]
  return means(
    context === undefined ? undefined : modelContext(context),
    Object.keys(change).length === 0 ? undefined : modelContext(change),
    block === undefined ? undefined : blockingFeedback(block),
    ...hints.flatMap((hint) => (typeof hint === "string" ? [userHint(hint)] : [])),
    typeof exit === "number" ? exitSignal(exit) : undefined,
    ...unread(document, rawKeys)
  )
}
