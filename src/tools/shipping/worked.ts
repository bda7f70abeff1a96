/** Facts with what was worked out of their payloads, which stay: it goes along where it is ready, and is waited for where it soon will be. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Findings } from "../../../events/findings.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { type FindingsReader, readFindings } from "../../features/findings/catchUp.ts"
import type { Batch } from "./Courier.ts"

/** The facts as they are to be sent; undefined: not yet. */
export type Worked = (facts: Batch, after: number) => Effect.Effect<Batch | undefined>

/** Characters as JSON: a collector takes facts of 65,536. */
const longest = 40_000
/** Nothing was worked out for so long: facts do not wait for it any more. */
const patienceMs = 300_000

/** Where a problem began and ended is worth more than what was done in between. */
const withoutEffects = ({ effects: _, signs, ...others }: Findings): Findings => ({
  ...others,
  ...(signs === undefined ? {} : { signs: signs.map(({ effects: __, fix: ___, ...sign }) => sign) })
})

const fits = (findings: Findings): boolean => JSON.stringify(findings).length <= longest

const withFindings =
  (found: ReadonlyMap<number, Findings>) =>
  (fact: Recorded): Recorded => {
    const all = fact.type === "PAYLOAD_BUFFERED" ? found.get(fact.position) : undefined
    const findings = all === undefined || fits(all) ? all : withoutEffects(all)
    return findings === undefined || !fits(findings)
      ? fact
      : { ...fact, data: { ...(fact.data as object), findings } }
  }

/** `file`: the log's. */
export const workedIn = (file: string): Worked => {
  let seen: number | undefined
  let since: number | undefined
  /** Whether it may soon be done, since it goes on. */
  const isComing = (reached: number | undefined, now: number): boolean => {
    if (reached !== seen || since === undefined) since = now
    seen = reached
    return now - since < patienceMs
  }
  const look = (reader: FindingsReader, facts: Batch, after: number, now: number): Batch | undefined => {
    const [first, ...others] = facts
    const last = (others.at(-1) ?? first).position
    const reached = reader.reached()
    if ((reached ?? 0) < last && isComing(reached, now)) return undefined
    const add = withFindings(reader.between(after, last))
    return [add(first), ...others.map(add)]
  }
  return (facts, after) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.sync(() => {
        let reader: FindingsReader | undefined
        try {
          // Each time anew: a log that is mended is another file.
          reader = readFindings(file)
          return look(reader, facts, after, now)
        } catch {
          // Damaged, or somebody's for themselves: they are worked out once more, or the facts go without.
          return isComing(undefined, now) ? undefined : facts
        } finally {
          reader?.close()
        }
      })
    )
}
