/** Which services a host has: a new one is a line here. */
import { openChains } from "../../features/chains/catchUp.ts"
import { dropFindings, openFindings } from "../../features/findings/catchUp.ts"
import { checkLearning } from "../../features/learning/learningPart.ts"
import { openMetrics } from "../../features/metrics/catchUp.ts"
import { openSearchIndex } from "../../features/search/catchUp.ts"
import { openTimeline } from "../../features/timeline/catchUp.ts"
import { digestKey } from "../../state/state.ts"
import { hiding } from "../../tools/shipping/hiding.ts"
import { markOf } from "../../tools/shipping/position.ts"
import { collectorName, readSinks } from "../../tools/shipping/Sink.ts"
import type { HostService } from "./hostServices.ts"
import { projectionService } from "./projectionService.ts"
import { whileWanted } from "./whileWanted.ts"

export interface HostServicesPlace {
  readonly state: string
  /** The log's, which is open already. */
  readonly file: string
  /** Any file of the installed package: beside it lies what reads the log. */
  readonly from: string
}

/** A host has calls to answer: what is busy is asked again later. */
const busyMs = 10

const shipsToCollector = (state: string): boolean => {
  try {
    return readSinks(state).some(({ kind }) => kind === "collector")
  } catch {
    // Who ships says so.
    return false
  }
}

export const hostServiceList = ({ file, from, state }: HostServicesPlace): readonly HostService[] => [
  // Without it there would be no host: whoever is here has it.
  { name: "log", open: () => undefined },
  projectionService({ name: "search", open: (most) => openSearchIndex(file, { most, busyMs }) }),
  projectionService({ name: "chains", open: (most) => openChains(file, { most, busyMs }) }),
  projectionService({ name: "timeline", open: (most) => openTimeline(file, { most, busyMs }) }),
  projectionService({ name: "metrics", open: (most) => openMetrics(file, { most, busyMs }) }),
  // Nobody asks for them but a collector.
  whileWanted(
    projectionService({
      name: "findings",
      open: (most) =>
        openFindings(file, {
          most,
          busyMs,
          hide: hiding(digestKey(state)),
          shippedBy: markOf({ name: collectorName })
        })
    }),
    { isWanted: () => shipsToCollector(state), drop: () => dropFindings(file) }
  ),
  { name: "learning", open: () => checkLearning(state, from) }
]
