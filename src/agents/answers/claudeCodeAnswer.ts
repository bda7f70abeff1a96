/** What a command's answer means to Claude Code (as of 2.1.332), and to Codex where both agree. */
import {
  blockingFeedback,
  type Intent,
  type JsonObject,
  modelContext,
  userHint
} from "../../../events/intents.ts"
import {
  type Answer,
  failedWith,
  type Meaning,
  means,
  objectAt,
  objectIn,
  type ReadAnswer,
  textAt,
  unread
} from "./Answer.ts"

const readsText: readonly string[] = ["SessionStart", "UserPromptSubmit", "UserPromptExpansion"]
/** Events at which exit code 2 blocks. */
const blocks: readonly string[] = [
  "UserPromptSubmit",
  "UserPromptExpansion",
  "PreToolUse",
  "PreSkillShellCommand",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "Stop",
  "SubagentStop",
  "TaskCreated",
  "TaskCompleted",
  "TeammateIdle",
  "PreCompact",
  "PreModelSwitch",
  "ConfigChange",
  "Elicitation",
  "ElicitationResult"
]
/** Events at which the human reads the standard error of exit code 2. */
const tellsHuman: readonly string[] = ["SessionStart", "Setup", "PostCompact", "SessionEnd"]
const isStop = (event: string): boolean => event === "Stop" || event === "SubagentStop"

const topLevel = [
  "continue",
  "stopReason",
  "suppressOutput",
  "systemMessage",
  "decision",
  "reason",
  "hookSpecificOutput"
]
const specificKeys = [
  "hookEventName",
  "permissionDecision",
  "permissionDecisionReason",
  "additionalContext",
  "updatedInput",
  "updatedToolOutput",
  "updatedMCPToolOutput",
  "decision"
]

/** What a document decides, in the words of either of its generations. */
const decided = (document: JsonObject, specific: JsonObject | undefined) => {
  const behavior = objectAt(specific, "decision")
  const word =
    textAt(specific, "permissionDecision") ?? textAt(behavior, "behavior") ?? textAt(document, "decision")
  const reason =
    textAt(specific, "permissionDecisionReason") ?? textAt(behavior, "message") ?? textAt(document, "reason")
  return { word, reason, input: objectAt(specific, "updatedInput") ?? objectAt(behavior, "updatedInput") }
}

const documentMeans = (event: string, document: JsonObject): readonly Intent[] => {
  const specific = objectAt(document, "hookSpecificOutput")
  const { input, reason, word } = decided(document, specific)
  const ends = document["continue"] === false
  const stopReason = textAt(document, "stopReason")
  const isBlock = word === "block" || word === "deny"
  const context = textAt(specific, "additionalContext")
  const message = textAt(document, "systemMessage")
  const output = specific?.["updatedToolOutput"] ?? specific?.["updatedMCPToolOutput"]
  const change = {
    ...(word === "allow" || word === "approve" ? { permission: "allow" as const } : {}),
    ...(word === "ask" || word === "defer" ? { permission: "ask" as const, reason: reason ?? "" } : {}),
    ...(input === undefined ? {} : { updatedInput: input, replacesInput: true }),
    ...(output === undefined ? {} : { updatedOutput: output })
  }
  return [
    ...(context === undefined ? [] : [modelContext(context)]),
    ...(Object.keys(change).length === 0 || isBlock ? [] : [modelContext(change)]),
    // To end where the agent would end anyway is to let it.
    ...(ends && isStop(event)
      ? [stopReason].flatMap((text) => (text === undefined ? [] : [userHint(text)]))
      : ends
        ? [blockingFeedback(stopReason ?? reason ?? "")]
        : isBlock
          ? [blockingFeedback(reason ?? "")]
          : []),
    ...(message === undefined ? [] : [userHint(message)]),
    ...unread(document, topLevel),
    ...(specific === undefined ? [] : unread(specific, specificKeys))
  ]
}

const isJson = (stdout: string): boolean => stdout.trimStart().startsWith("{")

export const claudeCodeAnswer: ReadAnswer = (event, answer): Meaning => {
  const { exitCode, stderr, stdout } = answer
  const document = isJson(stdout) ? objectIn(stdout) : undefined
  if (exitCode === 2) {
    const { reason } = document ? decided(document, objectAt(document, "hookSpecificOutput")) : {}
    const said = reason ?? stderr.trim()
    // A document cannot lift the block.
    if (blocks.includes(event)) return means(blockingFeedback(said))
    return tellsHuman.includes(event) && said !== "" ? means(userHint(said)) : means()
  }
  if (document !== undefined) return means(...documentMeans(event, document))
  if (exitCode !== 0) return failedWith(answer)
  const text = stdout.trim()
  return text !== "" && readsText.includes(event) ? means(modelContext(text)) : means()
}

const codexText: readonly string[] = ["SessionStart", "SubagentStart", "UserPromptSubmit"]
const codexBlocks: readonly string[] = [
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "Stop",
  "SubagentStop"
]

const codexSpecificKeys = specificKeys.filter((key) => key !== "updatedToolOutput")

/** What is blocked there has not happened yet. */
const codexPrevents: readonly string[] = ["UserPromptSubmit", "PreToolUse", "PermissionRequest"]

/** Codex (as of 0.171.0) takes a document as a whole or not at all; what prevents something, with its reason, does so here all the same. */
const codexProblem = (event: string, document: JsonObject): string | undefined => {
  const specific = objectAt(document, "hookSpecificOutput")
  const { input, reason, word } = decided(document, specific)
  // A guard that says one word too many, or a word of a later Codex, does not open for it.
  const isBlock = (word === "deny" || word === "block") && (reason ?? "").trim() !== ""
  if (isBlock && codexPrevents.includes(event)) return undefined
  const strange = [
    ...Object.keys(document).filter((key) => !topLevel.includes(key)),
    ...Object.keys(specific ?? {}).filter((key) => !codexSpecificKeys.includes(key))
  ]
  if (strange.length > 0) return `keys that it does not know: ${strange.join(", ")}`
  if ((word === "deny" || word === "block") && (reason ?? "").trim() === "") return "a block without a reason"
  if (event !== "PreToolUse") return undefined
  if (word === "ask" || word === "approve" || document["continue"] === false)
    return "what Codex does not support before a tool"
  if ((word === "allow") !== (input !== undefined))
    return "a changed input goes with an allow, and neither alone"
  return undefined
}

export const codexAnswer: ReadAnswer = (event, answer: Answer): Meaning => {
  const { exitCode, stderr, stdout } = answer
  const text = stdout.trim()
  if (exitCode === 2 && codexBlocks.includes(event) && stderr.trim() !== "")
    return means(blockingFeedback(stderr.trim()))
  if (exitCode !== 0) return failedWith(answer)
  if (/^[{[]/.test(text)) {
    const document = objectIn(text)
    const problem = document === undefined ? "no JSON object" : codexProblem(event, document)
    if (document === undefined || problem !== undefined)
      return { failed: `answered with what Codex refuses: ${problem}` }
    return means(...documentMeans(event, document))
  }
  if (text === "") return means()
  if (isStop(event) || event === "Interrupt")
    return { failed: "answered with text where Codex takes JSON only" }
  return codexText.includes(event) ? means(modelContext(text)) : means()
}
