/** A call or a session run again, as the page asked for it. */
import type { InvocationFact } from "../../../../events/facts.ts"
import type { Recorded } from "../../../../events/Recorded.ts"
import type { Call } from "../../timeline/Call.ts"
import { findCalls } from "../../timeline/find.ts"
import type { Comparison, RanAgain, RunAgain } from "../contract/acts.ts"
import { factsOf } from "../read/facts.ts"
import { NotThere, rows, type Source } from "../read/Source.ts"
import type { Acts, With } from "./Acts.ts"
import { comparedWith } from "./compared.ts"

/** Of a session: the newest so many calls. */
const most = 200
const atOnce = 2

type Ask = <A>(question: (source: Source) => A) => A

/** What was asked for cannot be done so. */
export class BadAct extends Error {
  override readonly name = "BadAct"
}

export const callNamed = (source: Source, invocation: string): Call => {
  const [found] = findCalls(source.db, { invocation, own: true }, source.now)
  if (found === undefined) throw new NotThere(`no call is called ${invocation}`)
  return found
}

const howOf = ({ payload, with: how }: RunAgain, { directories }: Acts): With => {
  if (how === "recorded" && payload !== undefined)
    throw new BadAct(
      "The recorded outcomes belong to the recorded payload: run another one with today's hooks."
    )
  if (how === "recorded" || how === "today") return how
  if (!directories().includes(how))
    throw new BadAct(
      '"with" is "today", for the hooks that are trusted and built now, "recorded", for the outcomes on the log, or a directory for which hooks are trusted and built.'
    )
  return { directory: how }
}

const withPayload = (facts: readonly Recorded[], payload: string | undefined): readonly Recorded[] =>
  payload === undefined
    ? facts
    : facts.map((one) =>
        one.type === "PAYLOAD_BUFFERED" && one.known
          ? { ...one, data: { ...(one.data as InvocationFact), payload } }
          : one
      )

const invocationsOf = (ask: Ask, { invocation, session }: RunAgain): readonly string[] => {
  if (invocation !== undefined) return [invocation]
  if (session === undefined) throw new BadAct("Neither a call nor a session was named.")
  const found = ask((source) =>
    rows<{ readonly invocation: string }>(
      source,
      `SELECT invocation FROM timeline_calls WHERE session = ? AND own = 0 AND ended IS NOT NULL
        ORDER BY position DESC LIMIT ?`,
      session,
      most
    ).map((one) => one.invocation)
  )
  if (found.length === 0)
    throw new NotThere(`no session is called ${session}, or none of its calls has ended`)
  return found
}

const compareOne = async (
  ask: Ask,
  acts: Acts,
  wanted: RunAgain,
  invocation: string
): Promise<Comparison> => {
  const { call, facts } = ask((source) => ({
    call: callNamed(source, invocation),
    facts: factsOf(source, `invocation/${invocation}`)
  }))
  const again = await acts.again(withPayload(facts, wanted.payload), howOf(wanted, acts))
  return comparedWith(call, facts, again)
}

/** `isGone`: whoever asked does not wait any more. */
export const runAgain = async (
  ask: Ask,
  acts: Acts,
  wanted: RunAgain,
  isGone: () => boolean
): Promise<RanAgain> => {
  howOf(wanted, acts)
  const invocations = invocationsOf(ask, wanted)
  const left = [...invocations]
  const found = new Map<string, Comparison>()
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined && !isGone(); next = left.shift())
      found.set(next, await compareOne(ask, acts, wanted, next))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const all = invocations.flatMap((one) => found.get(one) ?? [])
  const countOf = (change: Comparison["change"]): number => all.filter((one) => one.change === change).length
  return {
    compared: all.length,
    same: countOf("same"),
    looser: countOf("looser"),
    stricter: countOf("stricter"),
    comparisons: wanted.invocation === undefined ? all.filter(({ change }) => change !== "same") : all
  }
}
