/** What a command's answer means, in the dialect of the agent that it was written for. */
import type { Agent } from "../../../events/agentEvents.ts"
import type { ReadAnswer } from "./Answer.ts"
import { claudeCodeAnswer, codexAnswer } from "./claudeCodeAnswer.ts"
import { copilotAnswer } from "./copilotAnswer.ts"
import { droidAnswer } from "./droidAnswer.ts"
import { geminiCliAnswer } from "./geminiCliAnswer.ts"
import { kiroAnswer } from "./kiroAnswer.ts"
import { cursorAnswer, rawAnswer, windsurfAnswer } from "./otherAnswers.ts"
import { clineAnswer, opencodeAnswer } from "./pluginAnswer.ts"
import { qwenCodeAnswer } from "./qwenCodeAnswer.ts"
import { vscodeAnswer } from "./vscodeAnswer.ts"

export const readAnswer: Readonly<Record<Agent, ReadAnswer>> = {
  "claude-code": claudeCodeAnswer,
  codex: codexAnswer,
  "gemini-cli": geminiCliAnswer,
  "qwen-code": qwenCodeAnswer,
  copilot: copilotAnswer,
  opencode: opencodeAnswer,
  cline: clineAnswer,
  cursor: cursorAnswer,
  windsurf: windsurfAnswer,
  droid: droidAnswer,
  vscode: vscodeAnswer,
  kiro: kiroAnswer,
  raw: rawAnswer
}
