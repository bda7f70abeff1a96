/** What a command's answer means to Factory's Droid, as its pages have it: Claude Code's words, at the events that both have. */
import type { ReadAnswer } from "./Answer.ts"
import { means } from "./Answer.ts"
import { claudeCodeAnswer } from "./claudeCodeAnswer.ts"

/** Exit code 2 there is a word to the human. */
const cannotBlock: readonly string[] = ["PreCompact", "Notification"]

export const droidAnswer: ReadAnswer = (event, answer) =>
  answer.exitCode === 2 && cannotBlock.includes(event) ? means() : claudeCodeAnswer(event, answer)
