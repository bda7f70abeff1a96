/** What one `collect serve` did since it began, for Prometheus: each of those that share an address is asked by itself. */
import { expositionOf, type Sample } from "../../shipping/prometheus/exposition.ts"
import type { Received } from "./receive.ts"

export interface Figures {
  /** A batch was answered with this. */
  readonly answered: (status: number) => void
  /** Facts of a batch that was taken. */
  readonly took: (facts: number, received: Received) => void
  readonly text: (underway: number) => string
}

const one = (value: number): readonly Sample[] => [{ labels: {}, value }]

export const makeFigures = (): Figures => {
  const answers = new Map<number, number>()
  let facts = 0
  let parked = 0
  return {
    answered: (status) => void answers.set(status, (answers.get(status) ?? 0) + 1),
    took: (many, received) => {
      if (received.status !== 200) return
      const bad = received.body.parked.length
      facts += many - bad
      parked += bad
    },
    text: (underway) =>
      expositionOf([
        {
          name: "hooktape_ingest_batches_total",
          help: "Batches by what they were answered.",
          type: "counter",
          samples: [...answers].map(([status, value]) => ({ labels: { status: String(status) }, value }))
        },
        {
          name: "hooktape_ingest_facts_total",
          help: "Facts that came in batches that were taken, those that came again included.",
          type: "counter",
          samples: one(facts)
        },
        {
          name: "hooktape_ingest_parked_total",
          help: "Facts that were put aside because something is wrong with them.",
          type: "counter",
          samples: one(parked)
        },
        {
          name: "hooktape_ingest_underway",
          help: "Batches at work or waiting.",
          type: "gauge",
          samples: one(underway)
        }
      ])
  }
}
