/** How far each fold is behind what came in: the health of a collector. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { markOf } from "../../log/projectionMark.ts"
import { expositionOf } from "../shipping/prometheus/exposition.ts"
import { folds } from "./owners/own.ts"

export interface Lag {
  readonly fold: string
  /** Installations with facts that it has not taken. */
  readonly behind: number
  /** By positions, of which not each is a fact that was shipped. */
  readonly positions: number
  /** Seconds since the oldest fact came in that it has not taken; 0 where none waits. */
  readonly seconds: number
}

export const lags = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.forEach(folds, (fold) =>
    Effect.map(
      sql<{ behind: number; positions: number; seconds: number }>`SELECT count(*)::integer AS behind,
          coalesce(sum(i.head - coalesce(m.position, 0)), 0)::float8 AS positions,
          coalesce(extract(epoch FROM max(now() - coalesce(f.received, i.heard))), 0)::float8 AS seconds
        FROM hooktape.installation i
        LEFT JOIN hooktape.mark m ON m.projection = ${markOf(fold)} AND m.installation = i.id
        LEFT JOIN LATERAL (
          SELECT f.received FROM hooktape.fact f
          WHERE f.installation = i.id AND f.position > coalesce(m.position, 0)
          ORDER BY f.position LIMIT 1
        ) f ON true
        WHERE i.head > coalesce(m.position, 0)`,
      ([row]): Lag => ({
        fold: markOf(fold),
        behind: row?.behind ?? 0,
        positions: row?.positions ?? 0,
        seconds: Math.round(row?.seconds ?? 0)
      })
    )
  )
})

/** As Prometheus reads it. */
export const lagText = (lags: readonly Lag[]): string => {
  const gauge = (name: string, help: string, value: (lag: Lag) => number) => ({
    name: `hooktape_fold_${name}`,
    help,
    type: "gauge" as const,
    samples: lags.map((lag) => ({ labels: { fold: lag.fold }, value: value(lag) }))
  })
  return expositionOf([
    gauge(
      "behind_installations",
      "Installations with facts that a fold has not taken.",
      ({ behind }) => behind
    ),
    gauge("behind_positions", "Positions that a fold has not passed.", ({ positions }) => positions),
    gauge(
      "waiting_seconds",
      "Since the oldest fact came in that a fold has not taken.",
      ({ seconds }) => seconds
    )
  ])
}
