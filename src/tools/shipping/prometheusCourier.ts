/** Totals for Prometheus: at a port of this machine that it asks, or in a file that node_exporter's textfile collector reads. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { EventLogShape } from "../../log/EventLog.ts"
import { writeWhole } from "../../state/files.ts"
import type { Courier } from "./Courier.ts"
import { endedCalls } from "./endedCalls.ts"
import { lastOf } from "./eventCourier.ts"
import { expositionOf } from "./prometheus/exposition.ts"
import { openScrapeDoor } from "./prometheus/scrapeDoor.ts"
import { standing } from "./prometheus/standing.ts"
import { makeTotals } from "./prometheus/totals.ts"
import { failure, unfit } from "./request.ts"
import { isUrl, type Sink, scrapeProblem } from "./Sink.ts"

export interface PrometheusCourierOptions {
  readonly sink: Sink
  readonly log: EventLogShape
  readonly state: string
}

/** Facts in a batch. */
const most = 500
/** A file is not written more often. */
const writtenEveryMs = 5000

export const prometheusCourier = ({ log, sink, state }: PrometheusCourierOptions): Courier => {
  const totals = makeTotals()
  let writtenAt = Number.NEGATIVE_INFINITY
  const text = Effect.map(standing(log, state), (gauges) => expositionOf([...totals.families(), ...gauges]))
  const write = Effect.flatMap(text, (all) =>
    // Others read it: node_exporter runs as a user of its own.
    Effect.try({ try: () => writeWhole(sink.to, all, 0o644), catch: failure })
  )
  return {
    most,
    open: Effect.suspend(() => {
      const problem = scrapeProblem(sink.to)
      if (problem !== undefined) return unfit(sink, problem)
      return isUrl(sink.to) ? openScrapeDoor(sink, Effect.orDie(text)) : write
    }),
    isDue: (_, now) => isUrl(sink.to) || now - writtenAt >= writtenEveryMs,
    send: Effect.fn("ship.prometheus")(function* (facts) {
      totals.take(yield* endedCalls(log, facts))
      if (!isUrl(sink.to)) {
        yield* write
        writtenAt = yield* Clock.currentTimeMillis
      }
      return lastOf(facts)
    })
  }
}
