/** A recorded call beside the same call done again: which decided more strictly, and where they part. Pure. */
import type { InvocationFact } from "../../../../events/facts.ts"
import type { Recorded } from "../../../../events/Recorded.ts"
import { tell } from "../../timeline/factWords.ts"
import { foldCall, verdictOf } from "../../timeline/foldCall.ts"
import type { Comparison, RunFact, RunSide } from "../contract/acts.ts"
import { shortened } from "../read/shortened.ts"
import type { Again } from "./Acts.ts"

const factOf = (fact: InvocationFact): RunFact => ({
  type: fact.type,
  says: tell(fact).text,
  ms: "ms" in fact && typeof fact.ms === "number" ? fact.ms : null,
  data: shortened(fact)
})

const sideOf = (facts: readonly InvocationFact[], stream: string): RunSide => {
  const state = foldCall(facts.map((data, position) => ({ at: 0, data, known: true, position, stream })))
  const verdict = state === undefined ? undefined : verdictOf(state)
  const opened = facts.find((fact) => fact.type === "INVOCATION_OPENED")
  const reply = facts.find((fact) => fact.type === "REPLY_DELIVERED" || fact.type === "DELIVERY_FAILED")
  return {
    outcome: verdict?.outcome ?? null,
    decision: verdict?.decision ?? null,
    by: verdict?.by ?? null,
    reason: verdict?.reason ?? null,
    build: opened?.build ?? null,
    facts: facts.map(factOf),
    delivered:
      reply === undefined ? null : { stdout: reply.stdout, stderr: reply.stderr, exitCode: reply.exitCode }
  }
}

const strictness = { allow: 0, ask: 1, block: 2 } as const

const strictnessOf = ({ decision }: RunSide): number => (decision === null ? 0 : strictness[decision])

const outcomeWords: Readonly<Record<string, string>> = {
  asked: "asks you",
  silent: "nothing said",
  spoke: "something said"
}

const wordOf = ({ outcome }: RunSide): string => outcomeWords[outcome ?? ""] ?? outcome ?? "nothing"

const changeOf = (old: RunSide, now: RunSide): Comparison["change"] => {
  const more = strictnessOf(now) - strictnessOf(old)
  return more > 0 ? "stricter" : more < 0 ? "looser" : "other"
}

/** `recorded`: the facts of one call, as they are on the log. */
export const comparedWith = (
  call: Comparison["call"],
  recorded: readonly Recorded[],
  again: Again | { readonly reason: string }
): Comparison => {
  const known = recorded.filter((one) => one.known)
  const old = sideOf(
    known.map(({ data }) => data as InvocationFact),
    known[0]?.stream ?? "invocation/"
  )
  if ("reason" in again)
    return { call, change: "not-replayable", says: again.reason, first: null, old, new: null }
  const now = sideOf(again.facts, known[0]?.stream ?? "invocation/")
  const { first } = again
  if (first === undefined) return { call, change: "same", says: wordOf(old), first: null, old, new: now }
  const fact = Math.max(
    0,
    known.findIndex(({ position }) => position === first.position)
  )
  const words = [wordOf(old), wordOf(now)]
  return {
    call,
    change: changeOf(old, now),
    says: words[0] === words[1] ? `${words[0]}, in other words` : words.join(" → "),
    // What is not there at all is null, as JSON has it.
    first: {
      fact,
      path: first.at,
      old: shortened(first.recorded ?? null),
      new: shortened(first.now ?? null)
    },
    old,
    new: now
  }
}
