/**
 * What earlier releases said in another way, by agent: a reply on the log is told by the way in which it was said. A new one is
 * never said so.
 */
import type { Recorded } from "../../../events/Recorded.ts"
import type { Adapter } from "../../agents/Adapter.ts"
import { adapters } from "../../agents/adapters.ts"
import { claudeCodeFormerly } from "../../agents/claude-code/formerly.ts"
import { codexFormerly } from "../../agents/codex/formerly.ts"
import { askedFormerly } from "../../agents/formerly.ts"
import { geminiCliFormerly } from "../../agents/gemini-cli/formerly.ts"
import { type Adapters, type FormerAdapters, replayInvocation } from "./replayInvocation.ts"

export const formerly: FormerAdapters = {
  "claude-code": [claudeCodeFormerly],
  codex: [codexFormerly],
  "gemini-cli": geminiCliFormerly,
  cursor: [askedFormerly(adapters.cursor)],
  windsurf: [askedFormerly(adapters.windsurf)],
  raw: [askedFormerly(adapters.raw)]
}

/** The adapter as it was when it said the reply; undefined where today's explains it, or none does. */
export const formerSpeaker = (recorded: readonly Recorded[], agent: string): Adapter | undefined => {
  if (!Object.hasOwn(formerly, agent)) return undefined
  const differs = (by: Adapters): boolean =>
    replayInvocation(recorded, by).differences.some(({ check }) => check === "reply")
  if (!differs(adapters)) return undefined
  return formerly[agent]?.find((adapter) => !differs({ [agent]: adapter }))
}
