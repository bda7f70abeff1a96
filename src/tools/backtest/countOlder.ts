/** How many calls a backtest leaves out because they are older than it looks. */
import * as Stream from "effect/Stream"
import type { Recorded } from "../../../events/Recorded.ts"
import { importedCases } from "./importedCases.ts"

const callsIn = (fact: Recorded): number => {
  if (!fact.known) return 0
  return fact.type === "TOOL_CALL_OBSERVED" ? importedCases(fact).length : 1
}

/** Those that hooks and a transcript tell of count twice: whoever wants to know asks about all. */
export const countOlder = <E>(
  read: (types: readonly string[]) => Stream.Stream<Recorded, E>,
  since: number
) =>
  read(["INVOCATION_OPENED", "TOOL_CALL_OBSERVED"]).pipe(
    Stream.runFold(0, (sum, fact) => (fact.at < since ? sum + callsIn(fact) : sum))
  )
