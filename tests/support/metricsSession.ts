/** A session of metrics from what happened in it, each thing with its minute. */
import type { Fact } from "../../events/facts.ts"
import type { Placed, SessionMoments } from "../../src/features/metrics/Moment.ts"
import { type Buffered, momentsOf } from "../../src/features/metrics/momentsOf.ts"
import { factOf, type Happening, type Told } from "./toolCalls.ts"

const began = Date.parse("2026-03-02T09:00:00Z")

export interface Timed {
  /** Minutes since the session began. */
  readonly minute: number
  readonly happening: Happening
}

export const at = (minute: number, happening: Happening): Timed => ({ minute, happening })

/** Minutes of the session as milliseconds since 1970. */
export const timeOf = (minute: number): number => began + minute * 60_000

/** The first event of a call comes a second before the minute, the last with it. */
export const factsAt = (
  timed: readonly Timed[],
  session = "s"
): readonly { readonly fact: Fact; readonly at: number }[] =>
  timed.flatMap(({ happening, minute }) =>
    happening.map((told: Told, nth) => ({
      fact: factOf(told, session),
      at: timeOf(minute) - (happening.length - 1 - nth) * 1000
    }))
  )

export const sessionOf = (timed: readonly Timed[], session = "s"): SessionMoments => ({
  agent: "claude-code",
  session,
  project: "/p",
  moments: factsAt(timed, session).flatMap(({ at: when, fact }, nth): readonly Placed[] => {
    const told = momentsOf(fact as Buffered, "claude-code", `i${nth}`)
    return (told?.moments ?? []).map((moment) => ({
      moment,
      at: when,
      source: "hooks",
      subagent: told?.subagent ?? null
    }))
  })
})

export const prompt = (text = "do it"): Happening => [
  { event: "UserPromptSubmit", payload: { prompt: text } }
]
export const stop: Happening = [{ event: "Stop", payload: { stop_hook_active: false } }]
export const startOf: Happening = [{ event: "SessionStart", payload: { source: "startup" } }]
export const compact: Happening = [{ event: "PreCompact", payload: { trigger: "auto" } }]
