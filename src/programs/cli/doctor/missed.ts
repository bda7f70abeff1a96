/** What transcripts told of the last week that hooks should have seen and did not, and of blocks that the agent passed over. */
import type { ObservedFact } from "../../../../events/observedFacts.ts"
import type { Recorded } from "../../../../events/Recorded.ts"
import { count, shortId } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import { type Check, fail, ok, warn } from "./Check.ts"

export const missedTypes = ["HOOK_CALL_MISSED", "DENIAL_IGNORED"] as const
export const missedWithinMs = 7 * 86_400_000

type Missed = Extract<ObservedFact, { type: "HOOK_CALL_MISSED" }>
type Ignored = Extract<ObservedFact, { type: "DENIAL_IGNORED" }>

const dataOf = <A extends ObservedFact>(facts: readonly Recorded[], type: A["type"]) =>
  facts.flatMap((fact) =>
    fact.known && fact.type === type ? [{ agent: fact.agent ?? "?", fact: fact.data as unknown as A }] : []
  )

/** `codex Bash 3, codex apply_patch 1`, the most frequent first. */
const byTool = (missed: readonly { readonly agent: string; readonly fact: Missed }[]): string => {
  const times = new Map<string, number>()
  for (const { agent, fact } of missed) {
    const tool = `${agent} ${fact.name}`
    times.set(tool, (times.get(tool) ?? 0) + 1)
  }
  return [...times]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 5)
    .map(([tool, n]) => `${printable(tool)} ${n}`)
    .join(", ")
}

/** `facts`: of the last week, of the types above. */
export const checkMissed = (facts: readonly Recorded[]): readonly Check[] => {
  const missed = dataOf<Missed>(facts, "HOOK_CALL_MISSED")
  const unasked = missed.filter(({ fact }) => fact.expected === "tool.before")
  const untold = missed.filter(({ fact }) => fact.expected === "tool.after")
  const ignored = dataOf<Ignored>(facts, "DENIAL_IGNORED")
  const last = ignored.at(-1)
  return [
    ...(last === undefined
      ? []
      : [
          fail(
            "denials",
            `${count(ignored.length, "call")} ran in 7 days though a hook had blocked ${ignored.length === 1 ? "it" : "them"}: ${printable(last.agent)} ${printable(last.fact.name)}`,
            `Look: hooktape show ${shortId(last.fact.invocation)}. What it delivered is what the agent was told; if that is a block, tell whoever makes the agent.`
          )
        ]),
    ...(unasked.length === 0
      ? []
      : [
          warn(
            "expected",
            `expected and not seen: ${count(unasked.length, "call")} ran in 7 days without a hook that was asked before (${byTool(unasked)})`,
            "No guard saw them. Look: hooktape log --type HOOK_CALL_MISSED"
          )
        ]),
    // Nobody has to act on it: how such a call ended is on the log all the same.
    ...(untold.length === 0
      ? []
      : [
          ok(
            "endings",
            `expected and not seen: ${count(untold.length, "end")} of calls in 7 days (${byTool(untold)}); the transcript told them`
          )
        ])
  ]
}
