/** What a command's answer means to Qwen Code (as of 0.24.4): documents in Claude Code's words, the rest as Gemini CLI reads it. */
import { blockingFeedback, userHint } from "../../../events/intents.ts"
import { means, objectIn, type ReadAnswer } from "./Answer.ts"
import { claudeCodeAnswer } from "./claudeCodeAnswer.ts"

/** Events at which a decision to block is read; at others only `continue: false` is. */
const decides: readonly string[] = [
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "Stop",
  "SubagentStop"
]
/** Events at which exit code 2 blocks. */
const blocks = decides.filter((event) => event !== "PermissionRequest")

export const qwenCodeAnswer: ReadAnswer = (event, { exitCode, stderr, stdout }) => {
  if (exitCode === 2) return blocks.includes(event) ? means(blockingFeedback(stderr.trim())) : means()
  const text = stdout.trim() === "" ? stderr.trim() : stdout.trim()
  const document = objectIn(text)
  if (document !== undefined) {
    const { decision, ...rest } = document
    const heard = decides.includes(event) || decision === undefined ? document : rest
    return claudeCodeAnswer(event, { exitCode: 0, stderr: "", stdout: JSON.stringify(heard) })
  }
  if (text === "") return means()
  return means(userHint(exitCode === 0 ? text : `Warning: ${text}`))
}
