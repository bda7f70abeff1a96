/** The log of one installation on PostgreSQL keeps what every EventLog promises to whoever reads it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll } from "vitest"
import { EventLog, EventLogError, type EventLogShape } from "../../src/log/EventLog.ts"
import type { RedactedDraft } from "../../src/redact/redact.ts"
import { connect } from "../../src/tools/collector/database/connect.ts"
import { installationLog } from "../../src/tools/fleet/InstallationLog.ts"
import { eventLogReading } from "../contract/log/eventLogReading.ts"
import { batchOf, type Collector, event, startCollector } from "../support/postgres/collector.ts"

let collector: Collector
beforeAll(async () => {
  collector = await startCollector()
})
afterAll(() => collector?.close())

interface Machine {
  readonly token: string
  sent: number
}

/** The machine whose log each view shows: it is given nothing itself. */
const machines = new WeakMap<EventLogShape, Machine>()

const shippedAs = (draft: RedactedDraft, position: number) => {
  const { agent, agentEvent, at, data, id, project, session, stream, toolUseId, type } = draft
  const { session: _, ...plain } = event(position)
  const named = { agent, agentevent: agentEvent, session, project, tooluseid: toolUseId }
  return {
    ...plain,
    ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null)),
    id,
    type: `hooktape.${type.toLowerCase()}`,
    subject: stream,
    time: new Date(at).toISOString(),
    data: { whole: data }
  }
}

const put = (drafts: readonly RedactedDraft[]) =>
  Effect.flatMap(EventLog, (log) =>
    Effect.promise(async () => {
      const machine = machines.get(log) as Machine
      const facts = drafts.map((draft, nth) => shippedAs(draft, machine.sent + nth + 1))
      const upto = machine.sent + facts.length
      const batch = batchOf(machine.sent, [upto], { facts, afterId: null })
      const answer = await collector.send(machine.token, batch)
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
      machine.sent = upto
    })
  )

let count = 0
/** An installation of its own for each test. */
const layer = (): Layer.Layer<EventLog, EventLogError> => {
  const name = `machine-${++count}`
  return Layer.effect(
    EventLog,
    Effect.gen(function* () {
      const token = yield* Effect.promise(() => collector.token(name))
      const opening = batchOf(0, [], { facts: [] })
      yield* Effect.promise(() => collector.send(token, opening))
      const id = Number(
        collector.postgres.psql(`SELECT id FROM hooktape.installation WHERE name = '${name}'`)
      )
      const view = yield* installationLog({ id, name }, 5)
      // Nobody appends to a view.
      const log = { ...view } as EventLogShape
      machines.set(log, { token, sent: 0 })
      return log
    })
  ).pipe(
    Layer.provide(
      Layer.unwrapEffect(
        Effect.sync(() =>
          connect(Redacted.make(collector.postgres.url()), { most: 2, statementMs: 10_000, name: "view" })
        )
      )
    ),
    Layer.mapError((cause) => new EventLogError({ op: "open", reason: "io", detail: String(cause) }))
  )
}

eventLogReading("PostgreSQL", layer, put)
