/** What Windsurf says it does with a hook's end: it reads the exit code and, when that is 2, standard error. */
import { exit2, no, type Rules, type Way } from "../ways.ts"
import type { WindsurfEvent } from "./payloads.ts"

const silent = no("Windsurf reads only the exit code of a hook, and standard error with exit code 2")
const notAsked = no("Windsurf has no question that a hook could answer")
const tooLate = no("the tool already ran")

const rules = (block: Way, judged: Way = silent): Rules => ({
  command: {
    context: silent,
    hint: silent,
    allow: judged,
    ask: judged,
    input: judged,
    output: silent,
    block
  }
})

const before = rules(exit2, notAsked)
/** Nothing is stopped any more, but the agent reads the reason. */
const after = rules(exit2, tooLate)
const notAwaited = rules(no("Windsurf does not wait for hooks at this event"))

export const windsurfRules: { readonly [E in WindsurfEvent]: Rules } = {
  pre_user_prompt: rules(exit2),
  pre_read_code: before,
  post_read_code: after,
  pre_write_code: before,
  post_write_code: after,
  pre_run_command: before,
  post_run_command: after,
  pre_mcp_tool_use: before,
  post_mcp_tool_use: after,
  post_cascade_response: notAwaited,
  post_cascade_response_with_transcript: notAwaited,
  post_setup_worktree: rules(exit2)
}
