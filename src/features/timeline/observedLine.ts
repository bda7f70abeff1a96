/** What an agent's transcript tells, in one line each. */
import type { ObservedFact } from "../../../events/observedFacts.ts"
import { printable } from "../../state/terminalText.ts"
import { describeObserved } from "../transcripts/describe.ts"
import type { Told } from "./factWords.ts"
import { count, milliseconds } from "./words.ts"

const longest = 160

const said = (text: string): string => {
  const line = printable(text.replace(/\s+/g, " ").trim())
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}

const ends = {
  ok: { kind: "good", word: "" },
  failed: { kind: "bad", word: "failed" },
  denied: { kind: "warn", word: "denied" },
  rejected: { kind: "warn", word: "refused by the agent" },
  stopped: { kind: "warn", word: "stopped" },
  running: { kind: "plain", word: "in the background" },
  untold: { kind: "quiet", word: "no end is told" }
} as const

const ended = (told: keyof typeof ends, exitCode: number | undefined): string => {
  const { word } = ends[told]
  const code = exitCode === undefined || exitCode === 0 ? "" : ` (exit code ${exitCode})`
  return word === "" ? code : ` · ${word}${code}`
}

export const observedLine = (fact: ObservedFact): Told => {
  switch (fact.type) {
    case "TOOL_CALL_OBSERVED":
      return {
        kind: ends[fact.told].kind,
        text: `${said(describeObserved(fact))}${ended(fact.told, fact.exitCode)}`
      }
    case "TOOL_CALL_SETTLED":
      return { kind: ends[fact.told].kind, text: `${fact.call}${ended(fact.told, fact.exitCode)}` }
    case "PROMPT_OBSERVED":
      return { kind: fact.automatic ? "quiet" : "plain", text: said(fact.text) }
    case "ANSWER_OBSERVED":
      return { kind: "quiet", text: said(fact.text) }
    case "USAGE_OBSERVED":
      return { kind: "quiet", text: `${fact.model}: ${count(fact.input, "token")} in, ${fact.output} out` }
    case "HOOK_RUN_OBSERVED": {
      const ms = fact.ms === undefined ? "" : ` ${milliseconds(fact.ms)}`
      return {
        kind: fact.outcome === "succeeded" ? "quiet" : "warn",
        text: `${fact.agentEvent}: ${said(fact.command)} ${fact.outcome}${ms}`
      }
    }
    case "TURN_INTERRUPTED":
      return { kind: "warn", text: said(fact.why) }
    case "HOOK_CALL_MISSED":
      return { kind: "warn", text: `${said(fact.name)}: no hook was called for ${fact.expected}` }
    case "DENIAL_IGNORED":
      return { kind: "bad", text: `${said(fact.name)} ran though a hook had blocked it` }
    case "TRANSCRIPT_RECONCILED":
      return {
        kind: "quiet",
        text: `${count(fact.facts, "fact")} that hooks did not tell${fact.unjudged === undefined ? "" : ` · ${said(fact.unjudged)}`}`
      }
  }
}
