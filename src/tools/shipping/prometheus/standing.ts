/** How the host, the log and the other sinks stand at this moment. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { EventLogShape } from "../../../log/EventLog.ts"
import { backlogOf } from "../position.ts"
import { readSinks } from "../Sink.ts"
import { readTrouble } from "../trouble.ts"
import type { Family } from "./exposition.ts"

const gauge = (name: string, help: string, samples: Family["samples"]): Family => ({
  name,
  help,
  type: "gauge",
  samples
})

const one = (value: number): Family["samples"] => [{ labels: {}, value }]

/** In seconds since 1970. */
const startedAt = (): number => Math.round(Date.now() / 1000 - process.uptime())

export const standing = Effect.fn("ship.prometheus.standing")(function* (log: EventLogShape, state: string) {
  const { bytes, facts } = yield* log.stats
  const now = yield* Clock.currentTimeMillis
  const sinks = yield* Effect.forEach(readSinks(state), (sink) =>
    Effect.map(backlogOf(log, sink), ({ facts: behind, since = now }) => ({
      labels: { sink: sink.name },
      behind,
      waiting: Math.max(0, now - since) / 1000,
      failing: readTrouble(state, sink.name) === undefined ? 0 : 1
    }))
  )
  return [
    gauge("hooktape_host_start_time_seconds", "When the host began, since 1970.", one(startedAt())),
    gauge("hooktape_host_resident_memory_bytes", "Memory of the host.", one(process.memoryUsage.rss())),
    gauge("hooktape_log_facts", "Facts on the log.", one(facts)),
    gauge("hooktape_log_bytes", "Bytes of the log on the disk.", one(bytes)),
    gauge(
      "hooktape_sink_behind_facts",
      "Facts that a sink has not got yet, of which at most 1000 are counted.",
      sinks.map(({ behind, labels }) => ({ labels, value: behind }))
    ),
    gauge(
      "hooktape_sink_waiting_seconds",
      "Since the oldest fact was recorded that a sink has not got yet.",
      sinks.map(({ labels, waiting }) => ({ labels, value: waiting }))
    ),
    gauge(
      "hooktape_sink_failing",
      "Whether the last attempt to reach a sink failed.",
      sinks.map(({ failing, labels }) => ({ labels, value: failing }))
    )
  ]
})
